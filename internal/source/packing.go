package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"
)

// A Packing is a form of compression, told by the first bytes of the data. Whoever links no
// compression reads plain files only, and says so by name of the packing.
type Packing struct {
	Name  string
	Magic string
	// Open reads what is packed, until the context is done; closing it ends what it
	// began, not r.
	Open func(ctx context.Context, r *bufio.Reader) (io.ReadCloser, error)
	// Ahead says that Open has a goroutine read r, perhaps for a while after it is closed.
	Ahead bool
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

// Members unpacks the files of an archive, of which one begins where the one before
// ends. All together may swell no more than one file.
type Members struct {
	raw      counter
	unpacked int64 // bytes
}

// Open reads a member by the packing that it begins with, and a plain one as it is.
// Errors: ErrBinary for a packing that is read ahead, and so into the next member.
func (m *Members) Open(ctx context.Context, r *bufio.Reader) (io.Reader, error) {
	head, _ := r.Peek(longestMagic)
	p, ok := packingOf(head)
	switch {
	case !ok:
		return r, nil
	case p.Ahead:
		return nil, ErrBinary
	}
	m.raw.r = r
	packed, err := p.Open(ctx, bufio.NewReader(&m.raw))
	if err != nil {
		return nil, err
	}
	return &swelling{packed, p.Name, &m.raw, &m.unpacked}, nil
}

// A packedError says in words of the file what its packing is at fault of.
type packedError struct {
	problem string
	err     error
}

func (e *packedError) Error() string { return e.problem }
func (e *packedError) Unwrap() error { return e.err }

// packedFault says an error of reading packed data; one that is not of the packing stays.
func packedFault(packing string, err error) error {
	switch {
	case err == nil, err == io.EOF, errors.As(err, new(*fs.PathError)), errors.Is(err, ErrMemory),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &packedError{packing + " data end early: the file was cut short", ErrTruncated}
	}
	return &packedError{"damaged " + packing + " data", fmt.Errorf("%w: %w", ErrCorrupt, err)}
}

// Packed text of this length that is so many times as long as what it is unpacked
// from is taken for a trap: logs become five to fifty times shorter, and a file of some
// megabytes could otherwise keep a reader busy for hours.
const (
	mostUnpacked = 64 << 20 // bytes: 8 s of reading, where an item takes two of them
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
	packing string
	raw     *counter
	n       *int64 // bytes that came out
}

func (s *swelling) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	if *s.n += int64(n); *s.n > mostUnpacked && *s.n > mostSwelling*s.raw.n.Load() {
		return 0, &packedError{fmt.Sprintf("%s data that unpack to more than %d MiB and %d times their length",
			s.packing, mostUnpacked>>20, mostSwelling), ErrCorrupt}
	}
	return n, packedFault(s.packing, err)
}
