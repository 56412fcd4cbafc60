package outfile

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

const (
	mostHeld   = 1 << 30 // bytes of an unfinished file that is gone on with
	mostHeader = 4 << 20 // bytes of its first line
)

// A SizeError says that a file holds more than the program ever wrote to it.
type SizeError struct {
	Path string
	Most int64 // bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%q holds more than %d MiB: this program did not write it, want it moved away", e.Path, e.Most>>20)
}

// Regular opens a file for reading. What may keep the reader waiting, or never
// end, is refused before it is opened: *KindError.
func Regular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if kind := kindOf(info); kind != "" {
		return nil, &KindError{path, kind}
	}
	return os.Open(path)
}

// Read returns the content of a file of at most a number of bytes. Errors: *KindError, *SizeError,
// *fs.PathError.
func Read(path string, most int64) ([]byte, error) {
	f, err := Regular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		return nil, &SizeError{path, most}
	}
	return text, err
}

// ReadHeld returns what an unfinished file holds; see [Growing.Held].
func ReadHeld(path string) ([]byte, error) {
	f, err := Regular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return held(f)
}

// held reads an unfinished file. One whose first line does not end soon is damaged,
// and its length, a terabyte perhaps, says nothing: that much of it is returned.
func held(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// The first line is what a shard or a sweep is known by, and is looked for before all is read.
	head := make([]byte, min(info.Size(), mostHeader))
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	head = head[:n]
	rest := info.Size() - int64(n)
	switch {
	case rest <= 0 || !bytes.Contains(head, []byte{'\n'}):
		return head, nil
	case info.Size() > mostHeld:
		return nil, &SizeError{f.Name(), mostHeld}
	}
	text := make([]byte, info.Size())
	n, err = f.ReadAt(text, 0)
	if err == io.EOF {
		err = nil
	}
	return text[:n], err
}
