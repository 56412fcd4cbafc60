package packed

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/ulikunitz/xz"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

// xzData packs text in blocks of the given size.
func xzData(t testing.TB, text string, block int64, check byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.WriterConfig{DictCap: 1 << 16, BlockSize: block, CheckSum: check}.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// mixedText packs into compressed and, for its noise, uncompressed chunks.
func mixedText(n int) string {
	r := rand.New(rand.NewPCG(4, 4))
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(strings.Repeat("0 1 up 1700000000\n", r.IntN(40)))
		for range r.IntN(400) {
			b.WriteByte(byte(' ' + r.IntN(95)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestOpenXZ(t *testing.T) {
	text := mixedText(700_000)
	for name, data := range map[string][]byte{
		"one block": xzData(t, text, 0, xz.CRC64), "blocks": xzData(t, text, 50_000, xz.CRC32),
		"sha256": xzData(t, text, 300_000, xz.SHA256),
		"streams and padding": append(append(xzData(t, text[:999], 100, xz.CRC64), make([]byte, 8)...),
			xzData(t, text[999:], 0, xz.CRC32)...),
	} {
		for _, stdin := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
			src, err := source.Open(context.Background(), "-", source.OpenOptions{Stdin: stdin})
			if err != nil {
				t.Fatalf("%s: %+v, %v", name, src, err)
			}
			if got, err := io.ReadAll(src); err != nil || string(got) != text {
				t.Errorf("%s: %d bytes, %v", name, len(got), err)
			}
			if err := src.Close(); err != nil {
				t.Error(err)
			}
			if _, err := src.Read(make([]byte, 1)); err == nil {
				t.Errorf("%s: read after Close", name)
			}
		}
	}
}

// Cut anywhere, between blocks and in the index too, the data end early: the
// decoder alone takes some of these for the end.
func TestXZCutAnywhere(t *testing.T) {
	whole := xzData(t, strings.Repeat("1 2 3\n", 40)+"x", 100, xz.CRC64)
	for n := len(xzMagic); n < len(whole); n++ {
		src, err := source.Open(context.Background(), "-", source.OpenOptions{Stdin: bytes.NewReader(whole[:n])})
		if err == nil {
			_, err = io.ReadAll(src)
			src.Close()
		}
		if !errors.Is(err, source.ErrTruncated) {
			t.Errorf("%d of %d bytes: %v, want source.ErrTruncated", n, len(whole), err)
		}
	}
}

func TestXZDamage(t *testing.T) {
	text := mixedText(5000)
	whole := xzData(t, text, 1000, xz.CRC64)
	for i := 0; i < len(whole); i += longtest.Of(4, 1) {
		data := bytes.Clone(whole)
		data[i] ^= 0x10
		src, err := source.Open(context.Background(), "-", source.OpenOptions{Stdin: bytes.NewReader(data)})
		var got []byte
		if err == nil {
			got, err = io.ReadAll(src)
			src.Close()
		}
		if err == nil && string(got) != text {
			t.Errorf("byte %d flipped: other text and no error", i)
		}
		if f := (*source.FileError)(nil); err != nil && !errors.As(err, &f) {
			t.Errorf("byte %d flipped: %v is no source.FileError", i, err)
		}
	}
}

// A dictionary above the limit is refused in any block of any stream.
func TestXZDictionary(t *testing.T) {
	text := mixedText(3000)
	whole := xzData(t, text, 1000, xz.CRC32)
	for size, want := range map[byte]bool{26: true, 30: true, 31: false, 40: false} { // 30: 128 MiB
		for block := range 3 {
			if size == 30 && block > 0 {
				continue // 128 MiB each
			}
			// The first stream's index is 5 bytes and needs padding.
			data := append(xzData(t, strings.Repeat("x", 200), 0, xz.CRC32), whole...)
			at := len(data) - len(whole) + xzHeader
			for range block {
				at = nextBlock(t, data, at)
			}
			setDictionary(t, data, at, size)
			src, err := source.Open(context.Background(), "-", source.OpenOptions{Stdin: bytes.NewReader(data)})
			if err != nil {
				t.Fatal(err)
			}
			_, err = io.ReadAll(src)
			src.Close()
			if want && err != nil {
				t.Errorf("size %d in block %d: %v", size, block, err)
			}
			if !want {
				sourcetest.CheckFileError(t, err, "standard input", source.ErrMemory, "a dictionary of", "want xz data with a dictionary of at most 128 MiB")
			}
		}
	}
}

// setDictionary changes the last filter's property of the block header at at.
func setDictionary(t *testing.T, data []byte, at int, size byte) {
	t.Helper()
	header := data[at : at+4*(int(data[at])+1)]
	i := bytes.Index(header, []byte{xzLZMA2, 1})
	if i < 0 {
		t.Fatalf("no LZMA2 filter in %x", header)
	}
	header[i+2] = size
	binary.LittleEndian.PutUint32(header[len(header)-4:], crc32.ChecksumIEEE(header[:len(header)-4]))
}

// nextBlock returns where the block after the one at at begins; CRC-32.
func nextBlock(t *testing.T, data []byte, at int) int {
	t.Helper()
	i := at + 4*(int(data[at])+1)
	begin := i
	for data[i] != 0 {
		switch c := data[i]; {
		case c < 3:
			i += 3 + 1 + int(binary.BigEndian.Uint16(data[i+1:]))
		case c < 0xc0:
			i += 5 + 1 + int(binary.BigEndian.Uint16(data[i+3:]))
		default:
			i += 6 + 1 + int(binary.BigEndian.Uint16(data[i+3:]))
		}
	}
	i++
	for (i-begin)%4 != 0 {
		i++
	}
	return i + 4
}

// Closed early, the goroutine ends and gives no block twice.
func TestAheadReader(t *testing.T) {
	text := mixedText(3_000_000)
	a := newAheadReader(t.Context(), iotest.HalfReader(strings.NewReader(text)))
	got, err := io.ReadAll(iotest.OneByteReader(bufio.NewReader(io.LimitReader(a, 300_000))))
	if err != nil || string(got) != text[:300_000] {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	a.Close()
	for err == nil {
		_, err = a.Read(make([]byte, 4096))
	}
	if !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after stop: %v", err)
	}
	broken := errors.New("broken")
	b := newAheadReader(t.Context(), io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)))
	if got, err := io.ReadAll(b); string(got) != "abc" || err != broken {
		t.Errorf("%q, %v", got, err)
	}
}

// A read ends with the context, however long the goroutine is at it.
func TestAheadReaderStops(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	a := newAheadReader(ctx, r)
	defer a.Close()
	time.AfterFunc(10*time.Millisecond, cancel)
	if n, err := a.Read(make([]byte, 10)); n > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// Whatever the bytes after the magic: no panic, and a text or a source.FileError.
func FuzzOpenXZ(f *testing.F) {
	whole := xzData(f, "1 2 3\n4 5 6\n", 8, xz.CRC32)
	f.Add(whole[len(xzMagic):])
	f.Add(whole[len(xzMagic) : len(whole)-9])
	f.Fuzz(func(t *testing.T, rest []byte) {
		src, err := source.Open(context.Background(), "-", source.OpenOptions{Stdin: io.MultiReader(strings.NewReader(xzMagic), bytes.NewReader(rest))})
		if err == nil {
			_, err = io.Copy(io.Discard, io.LimitReader(src, 1<<20))
			src.Close()
		}
		if e := (*source.FileError)(nil); err != nil && !errors.As(err, &e) {
			t.Errorf("%v is no source.FileError", err)
		}
	})
}

func BenchmarkOpenXZ(b *testing.B) {
	text := mixedText(4 << 20)
	data := xzData(b, text, 0, xz.CRC64)
	b.Run("bytes=4Mi", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			src, err := source.Open(context.Background(), "-", source.OpenOptions{Stdin: bytes.NewReader(data)})
			if err != nil {
				b.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, src); n != int64(len(text)) || err != nil {
				b.Fatal(n, err)
			}
			src.Close()
		}
	})
}

// A block of a few bytes may ask for a dictionary of 128 MiB, and 500 kB held 20,000
// of those: a minute and a half of work. Blocks that fill a part of theirs are no trap.
func TestXZEmptyBlocks(t *testing.T) {
	raw := []byte{1, 0, 0, 'x'}                      // a chunk of one byte
	full := []byte{0x9f, 0xff, 0xff, 0, 1, 'x', 'x'} // one that says that it unpacks to 2 MiB
	for name, c := range map[string]struct {
		blocks  int
		chunk   []byte
		bits    byte // of the dictionary
		refused bool
	}{
		"few":     {250, raw, 30, false},
		"many":    {300, raw, 30, true},
		"smaller": {5000, raw, 22, true},
		"filled":  {400, full, 29, false},
	} {
		// The guard checks no sums and unpacks nothing.
		block := append([]byte{2, 0, xzLZMA2, 1, c.bits, 0, 0, 0, 0, 0, 0, 0}, c.chunk...)
		block = append(block, make([]byte, 1+-(len(c.chunk)+1)&3)...)
		head := append([]byte(xzMagic), make([]byte, xzHeader-len(xzMagic))...)
		data := append(head, bytes.Repeat(block, c.blocks)...)
		guard := &xzGuard{r: bytes.NewReader(data), need: 4, step: (*xzGuard).streamHeader}
		want := io.ErrUnexpectedEOF // the index is not there
		if c.refused {
			want = errXZBlocks
		}
		if _, err := io.Copy(io.Discard, guard); err != want {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}
