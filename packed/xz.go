package packed

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/ulikunitz/xz"

	"github.com/capplan/capplan/internal/source"
)

const (
	xzMagic = "\xfd7zXZ\x00"

	// maxXZDictionary is the largest dictionary taken, in bytes; xz -9 uses
	// half of it.
	maxXZDictionary = 128 << 20

	// Each block has a dictionary of its own, which takes time to clear. Blocks whose
	// dictionaries come to this many bytes, and to so many times what they unpack to, are
	// a trap; xz fills a dictionary, but for the last block of a file.
	mostXZDictionaries, mostXZEmpty = 32 << 30, 64

	xzHeader, xzFooter = 12, 12
	xzLZMA2            = 0x21 // filter number
)

// A dictionaryError is the size in bytes of a dictionary that is not taken, or errXZBlocks.
type dictionaryError int64

// errXZBlocks says that blocks ask for much and hold little.
const errXZBlocks dictionaryError = 0

func (e dictionaryError) Error() string {
	if e == errXZBlocks {
		return fmt.Sprintf("%v: nearly empty blocks, each with a dictionary of its own", source.ErrMemory)
	}
	return fmt.Sprintf("%v: a dictionary of %d MiB", source.ErrMemory, int64(e)>>20)
}
func (e dictionaryError) Unwrap() error { return source.ErrMemory }

// Want says what is taken.
func (e dictionaryError) Want() string {
	if e == errXZBlocks {
		return "xz data in a few large blocks"
	}
	return fmt.Sprintf("xz data with a dictionary of at most %d MiB", maxXZDictionary>>20)
}

// newXZReader decompresses xz streams, with memory for one dictionary.
func newXZReader(r *bufio.Reader) (io.Reader, error) {
	return xz.NewReader(&xzGuard{r: r, need: 4, step: (*xzGuard).streamHeader})
}

// An xzGuard hands xz data on and follows their framing, for two things that
// the decoder leaves out: a dictionary above maxXZDictionary in the header of
// any block is source.ErrMemory, and an end between two blocks io.ErrUnexpectedEOF.
// Damage is left for the decoder to find. Source: The .xz File Format 1.0.4.
type xzGuard struct {
	r     io.Reader
	need  int                  // bytes of the part that is being gathered
	step  func(*xzGuard) error // called when it is complete; nil once lost
	part  []byte
	skip  int64 // bytes to pass over before the part
	check int64 // size of a block's check, from the stream header
	block int64 // compressed bytes of the block so far
	asked int64 // bytes of the dictionaries of all blocks
	held  int64 // bytes that they unpack to
	left  uint64
	index int64 // bytes of the index so far
	begun bool  // inside a stream
}

func (g *xzGuard) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	if followed := g.follow(p[:n]); followed != nil {
		return 0, followed
	}
	if err == io.EOF && g.step != nil && (g.begun || len(g.part) > 0) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (g *xzGuard) follow(p []byte) error {
	for len(p) > 0 && g.step != nil {
		if g.skip > 0 {
			n := min(g.skip, int64(len(p)))
			g.skip -= n
			p = p[n:]
			continue
		}
		n := min(g.need-len(g.part), len(p))
		g.part = append(g.part, p[:n]...)
		p = p[n:]
		if len(g.part) == g.need {
			if err := g.step(g); err != nil {
				return err
			}
		}
	}
	return nil
}

// then passes over skip bytes and gathers need bytes for step.
func (g *xzGuard) then(skip int64, need int, step func(*xzGuard) error) error {
	g.skip, g.need, g.step, g.part = skip, need, step, g.part[:0]
	return nil
}

// streamHeader takes stream padding, four zero bytes at a time, or a header.
func (g *xzGuard) streamHeader() error {
	switch {
	case len(g.part) == 4 && bytes.Equal(g.part, make([]byte, 4)):
		return g.then(0, 4, (*xzGuard).streamHeader)
	case len(g.part) < xzHeader:
		g.begun, g.need = true, xzHeader
		return nil
	}
	// Check sizes of the 16 check types come in threes: 0, 4, 8, 16, 32, 64.
	if kind := g.part[7] & 0xf; kind > 0 {
		g.check = 4 << ((kind - 1) / 3)
	} else {
		g.check = 0
	}
	return g.then(0, 1, (*xzGuard).blockHeader)
}

func (g *xzGuard) blockHeader() error {
	if g.part[0] == 0 {
		g.index = 1
		g.left = 0
		return g.then(0, 1, (*xzGuard).indexCount)
	}
	if size := 4 * (int(g.part[0]) + 1); len(g.part) < size {
		g.need = size
		return nil
	}
	dictionary, ok := xzDictionary(g.part)
	if !ok {
		return g.then(0, 1, nil)
	}
	if dictionary > maxXZDictionary {
		return dictionaryError(dictionary)
	}
	if g.asked += dictionary; g.asked > mostXZDictionaries && g.asked > mostXZEmpty*g.held {
		return errXZBlocks
	}
	g.block = 0
	return g.then(0, 1, (*xzGuard).chunk)
}

// xzDictionary is the dictionary size that a block header asks for, in bytes;
// ok is false if the header is damaged or has no LZMA2 filter.
func xzDictionary(header []byte) (size int64, ok bool) {
	flags, b := header[1], header[2:len(header)-4]
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		b = b[max(n, 0):]
		if n <= 0 {
			b = nil
		}
		return v
	}
	for _, bit := range []byte{0x40, 0x80} { // compressed, uncompressed size
		if flags&bit != 0 {
			number()
		}
	}
	for range flags&3 + 1 {
		filter, length := number(), number()
		if length > uint64(len(b)) {
			return 0, false
		}
		if filter == xzLZMA2 && length == 1 {
			bits := b[0] & 0x3f
			return int64(2|bits&1) << (bits/2 + 11), true
		}
		b = b[length:]
	}
	return 0, false
}

// chunk takes the control byte of an LZMA2 chunk, then its sizes.
func (g *xzGuard) chunk() error {
	control := g.part[0]
	need, properties := 3, int64(0)
	switch {
	case control == 0:
		g.block++
		return g.then(-g.block&3+g.check, 1, (*xzGuard).blockHeader)
	case control >= 0xc0:
		need, properties = 5, 1
	case control >= 0x80:
		need = 5
	case control > 2:
		return g.then(0, 1, nil)
	}
	if len(g.part) < need {
		g.need = need
		return nil
	}
	data := int64(binary.BigEndian.Uint16(g.part[need-2:])) + 1 + properties
	g.block += int64(need) + data
	g.held += int64(binary.BigEndian.Uint16(g.part[1:])) + 1
	if control >= 0x80 {
		g.held += int64(control&0x1f) << 16
	}
	return g.then(data, 1, (*xzGuard).chunk)
}

// indexCount takes the number of records, a variable-length integer.
func (g *xzGuard) indexCount() error {
	g.index++
	if g.part[len(g.part)-1]&0x80 != 0 && len(g.part) < binary.MaxVarintLen64 {
		g.need++
		return nil
	}
	records, _ := binary.Uvarint(g.part)
	g.left = 2 * records
	return g.indexNumbers()
}

// indexNumbers passes over two integers a record, a byte at a time.
func (g *xzGuard) indexNumbers() error {
	if g.left > 0 {
		return g.then(0, 1, (*xzGuard).indexByte)
	}
	padding := -g.index & 3
	return g.then(padding+4+xzFooter-1, 1, func(g *xzGuard) error {
		g.begun = false
		return g.then(0, 4, (*xzGuard).streamHeader)
	})
}

func (g *xzGuard) indexByte() error {
	g.index++
	if g.part[0]&0x80 == 0 {
		g.left--
	}
	return g.indexNumbers()
}
