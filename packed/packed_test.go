package packed

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

// Compression is told by content: names lie both ways.
func TestOpenReads(t *testing.T) {
	text := strings.Repeat("1 2 3\n", 5000)
	for name, data := range map[string][]byte{
		"plain.gz": []byte(text), "packed.txt": sourcetest.Gzip(t, text),
		"members.gz": append(sourcetest.Gzip(t, text[:6000]), sourcetest.Gzip(t, text[6000:])...),
	} {
		path := sourcetest.TempFile(t, name, data)
		counted, size := 0, int64(0)
		src, err := source.Open(context.Background(), path, source.OpenOptions{Wrap: func(r io.Reader, n int64) io.Reader {
			size = n
			return sourcetest.ReaderFunc(func(p []byte) (int, error) { n, err := r.Read(p); counted += n; return n, err })
		}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := io.ReadAll(src)
		if err != nil || string(got) != text {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		if counted != len(data) || size != int64(len(data)) {
			t.Errorf("%s: hook saw %d bytes of %d, want %d", name, counted, size, len(data))
		}
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	}
	src, err := source.Open(context.Background(), "-", source.OpenOptions{Stdin: bytes.NewReader(sourcetest.Gzip(t, text))})
	if err != nil || src.Name != "standard input" || src.Size != -1 {
		t.Fatalf("stdin: %+v, %v", src, err)
	}
	if got, _ := io.ReadAll(src); string(got) != text {
		t.Errorf("stdin: %d bytes", len(got))
	}
}

func TestOpenErrors(t *testing.T) {
	packed := sourcetest.Gzip(t, strings.Repeat("some text that packs\n", 50))
	noise := make([]byte, 600)
	for i := range noise {
		noise[i] = byte(i*i*7 + i)
	}
	flipped := bytes.Clone(packed)
	flipped[len(flipped)-6] ^= 0xff // checksum
	for _, c := range []struct {
		name string
		data []byte
		err  error
		text string
	}{
		{"empty", nil, source.ErrEmpty, "holds no content"},
		{"empty.gz", sourcetest.Gzip(t, ""), source.ErrEmpty, "holds no content"},
		{"cut.gz", packed[:len(packed)-12], source.ErrTruncated, "cut short"},
		{"cuthead.gz", packed[:5], source.ErrTruncated, "cut short"},
		{"flipped.gz", flipped, source.ErrCorrupt, "damaged gzip"},
		{"noise", noise, source.ErrBinary, "binary data"},
		{"log.xz", []byte("\xfd7zXZ\x00\x00\x04aaaa"), source.ErrCorrupt, "damaged xz"},
		{"twice.gz", sourcetest.Gzip(t, string(packed)), source.ErrBinary, "gzip data inside"},
		{"utf16.txt", []byte("\xff\xfe1\x002\x00"), source.ErrBinary, "UTF-16"},
	} {
		path := sourcetest.TempFile(t, c.name, c.data)
		src, err := source.Open(context.Background(), path, source.OpenOptions{Want: "a test file"})
		if err == nil {
			_, err = io.ReadAll(src)
			src.Close()
		}
		sourcetest.CheckFileError(t, err, path, c.err, c.text, "want a test file")
	}
	dir := t.TempDir()
	_, err := source.Open(context.Background(), dir, source.OpenOptions{})
	sourcetest.CheckFileError(t, err, dir, source.ErrIsDirectory, "is a directory", "want a plain or gzip")
	_, err = source.Open(context.Background(), filepath.Join(dir, "none"), source.OpenOptions{})
	sourcetest.CheckFileError(t, err, "none", fs.ErrNotExist, "no such file", "want")
	for _, path := range []string{"", "-"} {
		var d *source.DomainError
		if _, err := source.Open(context.Background(), path, source.OpenOptions{}); !errors.As(err, &d) {
			t.Errorf("Open(%q): %v, want a DomainError", path, err)
		}
	}
}

// Some kilobytes may unpack to any length. Beyond what logs ever come to that ends.
func TestOpenOfTraps(t *testing.T) {
	member := sourcetest.Gzip(t, strings.Repeat("\n", 8<<20))
	path := sourcetest.TempFile(t, "trap.gz", bytes.Repeat(member, 1000)) // 8 GB
	src, err := source.Open(t.Context(), path, source.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	n, err := io.Copy(io.Discard, src)
	if n > 100<<20 || !errors.Is(err, source.ErrCorrupt) || !strings.Contains(err.Error(), "unpack to more than 64 MiB") {
		t.Errorf("%d MB, %v", n>>20, err)
	}
}

// Members of an archive: all together unpack to no more than one file may; xz data, which are read
// ahead and so into the next member, are refused; damage is said in words of the file.
func TestMembers(t *testing.T) {
	trap := sourcetest.Gzip(t, strings.Repeat("\n", 8<<20))
	var members source.Members
	n, err := int64(0), error(nil)
	for range 50 { // 400 MB
		r, opened := members.Open(t.Context(), bufio.NewReader(bytes.NewReader(trap)))
		if opened != nil {
			t.Fatal(opened)
		}
		k, failed := io.Copy(io.Discard, r)
		if n += k; failed != nil {
			err = failed
			break
		}
	}
	if n > 100<<20 || !errors.Is(err, source.ErrCorrupt) || !strings.Contains(err.Error(), "unpack to more than 64 MiB") {
		t.Errorf("%d MB, %v", n>>20, err)
	}
	for _, c := range []struct {
		data []byte
		want error
		text string
	}{
		{trap[:len(trap)/2], source.ErrTruncated, "gzip data end early: the file was cut short"},
		{append(bytes.Clone(trap[:len(trap)-8]), "12345678"...), source.ErrCorrupt, "damaged gzip data"},
		{[]byte("\xfd7zXZ\x00"), source.ErrBinary, "binary content"},
	} {
		var members source.Members
		r, err := members.Open(t.Context(), bufio.NewReader(bytes.NewReader(c.data)))
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if !errors.Is(err, c.want) || err.Error() != c.text {
			t.Errorf("%v, want %s", err, c.text)
		}
	}
}
