package source

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"sync"
)

// A Packing is a form of compression, told by the first bytes of the data.
type Packing struct {
	Name  string
	Magic string
	// Open reads what is packed; closing it ends what it began, not r.
	Open func(r *bufio.Reader) (io.ReadCloser, error)
}

var (
	packingsMu sync.RWMutex
	packings   []Packing
)

// A BlockPacker keeps blocks of text in little memory, for a [Transcript].
type BlockPacker interface {
	// Pack writes the packed text over scratch, which may be too short.
	Pack(scratch, text []byte) []byte
	Unpack(packed []byte) ([]byte, error)
}

// plainBlocks keeps blocks as they are.
type plainBlocks struct{}

func (plainBlocks) Pack(scratch, text []byte) []byte     { return append(scratch[:0], text...) }
func (plainBlocks) Unpack(packed []byte) ([]byte, error) { return packed, nil }

var blockPacker BlockPacker = plainBlocks{}

// RegisterBlocks sets what keeps the blocks of all transcripts that begin after.
func RegisterBlocks(p BlockPacker) {
	packingsMu.Lock()
	defer packingsMu.Unlock()
	blockPacker = p
}

func currentBlockPacker() BlockPacker {
	packingsMu.RLock()
	defer packingsMu.RUnlock()
	return blockPacker
}

// longestMagic is the number of bytes that tell every packing.
const longestMagic = 6

// Register adds a packing that Open and Unpack see through; package packed
// registers those of this module.
func Register(p Packing) {
	packingsMu.Lock()
	defer packingsMu.Unlock()
	packings = append(packings, p)
}

// packingOf returns the packing of data that begin so.
func packingOf(head []byte) (p Packing, ok bool) {
	packingsMu.RLock()
	defer packingsMu.RUnlock()
	i := slices.IndexFunc(packings, func(p Packing) bool { return bytes.HasPrefix(head, []byte(p.Magic)) })
	if i < 0 {
		return Packing{}, false
	}
	return packings[i], true
}

// Unpack reads data by the packing that they begin with, and plain data as they
// are.
func Unpack(r *bufio.Reader) (io.Reader, error) {
	head, _ := r.Peek(longestMagic)
	p, ok := packingOf(head)
	if !ok {
		return r, nil
	}
	return p.Open(r)
}
