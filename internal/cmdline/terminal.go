package cmdline

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/patient"
)

func isTerminal(w io.Writer) bool {
	if s, ok := w.(*spoken); ok {
		w = s.w
	}
	if p, ok := w.(*patient.Writer); ok {
		w = p.Beneath()
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// tame returns a writer of answers to w. Names in files may hold what a terminal obeys, and JSON and
// CSV keep them as they are: a terminal gets them escaped, as text has them everywhere.
func tame(w io.Writer) io.Writer {
	if isTerminal(w) {
		return &tamed{w: w}
	}
	return w
}

// A tamed writer escapes as [fault.Escaped] does, but for tabs.
type tamed struct {
	w    io.Writer
	rest string // the beginning of a character
}

func (t *tamed) Write(p []byte) (int, error) {
	text := t.rest + string(p)
	whole := len(text)
	for i := max(0, whole-utf8.UTFMax+1); i < len(text); i++ {
		if utf8.RuneStart(text[i]) && !utf8.FullRuneInString(text[i:]) {
			whole = i
			break
		}
	}
	t.rest = text[whole:]
	cells := strings.Split(text[:whole], "\t")
	for i, c := range cells {
		cells[i] = fault.Escaped(c)
	}
	if _, err := io.WriteString(t.w, strings.Join(cells, "\t")); err != nil {
		return 0, err
	}
	return len(p), nil
}
