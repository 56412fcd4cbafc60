package source

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"sync"
	"sync/atomic"
)

// A Packing is a form of compression, told by the first bytes of the data. Whoever links no
// compression reads plain files only, and says so by name of the packing.
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

// A BlockPacker keeps blocks of text in little memory, for a [Transcript]. The zero value of a
// program keeps blocks as they are.
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

// packingOf returns the packing of data that begin so. head has up to longestMagic bytes.
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

// Packed text of this length that is so many times as long as what it is unpacked
// from is taken for a trap: logs become five to fifty times shorter, and a file of some
// megabytes could otherwise keep a reader busy for hours.
const (
	mostUnpacked = 512 << 20 // bytes
	mostSwelling = 400
)

// A counter counts what is read. Data may be read by a goroutine. The count is of bytes before they
// are unpacked.
type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// swelling ends what is unpacked from raw when it is too many times as long. Both bounds have to be
// passed: short texts of one letter are harmless.
type swelling struct {
	io.ReadCloser
	raw *counter
	n   int64
}

func (s *swelling) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if s.n += int64(n); s.n > mostUnpacked && s.n > mostSwelling*s.raw.n.Load() {
		return 0, errSwelling
	}
	return n, err
}
