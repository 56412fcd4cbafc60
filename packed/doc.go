// Package packed lets the readers of this module see through compression: a
// program that imports it reads gzip and xz wherever it reads a file, told apart
// by the first bytes and not by the name.
//
//	import _ "github.com/capplan/capplan/packed"
//
// It is a package of its own so that whoever embeds questions, and hands their
// data over in memory, links no decompression. Without it a packed file is
// refused with a word on what it is.
package packed

import (
	"bufio"
	"context"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"

	"github.com/capplan/capplan/internal/source"
)

func init() {
	source.Register(source.Packing{Name: "gzip", Magic: "\x1f\x8b", Open: openGzip})
	source.Register(source.Packing{Name: "xz", Magic: xzMagic, Open: openXZ, Ahead: true})
	source.RegisterBlocks(s2Blocks{})
}

// s2Blocks packs blocks about as fast as they are copied.
type s2Blocks struct{}

func (s2Blocks) Pack(scratch, text []byte) []byte     { return s2.Encode(scratch, text) }
func (s2Blocks) Unpack(packed []byte) ([]byte, error) { return s2.Decode(nil, packed) }

func openGzip(_ context.Context, r *bufio.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }

// openXZ decompresses some blocks ahead, since that takes longer than to parse.
func openXZ(ctx context.Context, r *bufio.Reader) (io.ReadCloser, error) {
	z, err := newXZReader(r)
	if err != nil {
		return nil, err
	}
	return newAheadReader(ctx, z), nil
}
