//go:build linux

package cmdline

import (
	"bytes"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/capplan/capplan/internal/patient"
)

// A terminal gets no control sequence that stands in a file, whatever is written at once.
func TestTame(t *testing.T) {
	text := "a\x1b[31m,\u009b31m,\u202eé\t\u20ac,\xff\n"
	const want = `a\x1b[31m,\u009b31m,\u202eé` + "\t€," + `\xff` + "\n"
	for at := range text {
		got := new(bytes.Buffer)
		w := &tamed{w: got}
		for _, part := range []string{text[:at], text[at:]} {
			if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatalf("%d bytes, %v", n, err)
			}
		}
		if got.String() != want {
			t.Errorf("cut at %d: %q, want %q", at, got, want)
		}
	}
	file := new(bytes.Buffer)
	if w := tame(file); w != file {
		t.Errorf("%T for what is no terminal", w)
	}
}

// A program sees its terminal behind what its streams are wrapped in.
func TestSeesTerminal(t *testing.T) {
	// The one end of a pair is a terminal too.
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	for _, w := range []io.Writer{terminal, patient.NewWriter(t.Context(), terminal),
		&spoken{w: patient.NewWriter(t.Context(), terminal)}} {
		if !isTerminal(w) {
			t.Errorf("%T hides a terminal", w)
		}
	}
	if _, ok := tame(terminal).(*tamed); !ok {
		t.Error("a terminal gets what it obeys")
	}
}
