// Package sourcetest holds what the tests of several readers of files need. It
// imports no reader, so that each of them may import it.
package sourcetest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Gzip returns the text, compressed.
func Gzip(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TempFile writes a file that ends with the test and returns its path.
func TempFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A ReaderFunc is a reader made of a function.
type ReaderFunc func([]byte) (int, error)

func (f ReaderFunc) Read(p []byte) (int, error) { return f(p) }

// CheckFileError checks that err is the error is, and that its text names the
// file and holds the parts.
func CheckFileError(t testing.TB, err error, file string, is error, parts ...string) {
	t.Helper()
	if !errors.Is(err, is) {
		t.Errorf("%s: error %v, want one of the file with %v", file, err, is)
		return
	}
	for _, p := range append(parts, file) {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q does not say %q", err, p)
		}
	}
}
