package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressFrom is the size in bytes from which reading a file is worth a bar.
const progressFrom = 8 << 20

// progress returns what wraps a reader to show a bar on stderr while a large
// file is read, if stderr is a terminal.
func (s *streams) progress(name string) func(io.Reader, int64) io.Reader {
	if !isTerminal(s.err) {
		return nil
	}
	return func(r io.Reader, size int64) io.Reader {
		if size >= 0 && size < progressFrom {
			return r
		}
		bar := progressbar.NewOptions64(size, progressbar.OptionSetWriter(s.err), progressbar.OptionSetDescription(name),
			progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish())
		return io.TeeReader(r, bar)
	}
}

// steps shows a bar that counts to n; done removes it.
func (s *streams) steps(n int, what string) (add func(int), done func()) {
	if !isTerminal(s.err) {
		return func(int) {}, func() {}
	}
	bar := progressbar.NewOptions(n, progressbar.OptionSetWriter(s.err), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	return func(k int) { _ = bar.Add(k) }, func() { _ = bar.Finish() }
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
