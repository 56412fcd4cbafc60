//go:build linux

package cmdline

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/internal/patient"
	"github.com/capplan/capplan/report/page"
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

// What JSON may hold as it is, and a terminal is not to get, still reads as the same JSON.
func TestTamedJSONIsTheSame(t *testing.T) {
	const name = "r\x7f\u0085\u202e\u2028\ufeff\U000e0001\x1b\t\n\"\\X"
	got := new(bytes.Buffer)
	if err := json.NewEncoder(&tamed{w: got}).Encode(name); err != nil {
		t.Fatal(err)
	}
	var again string
	if err := json.Unmarshal(got.Bytes(), &again); err != nil || again != name {
		t.Errorf("%s: %q, %v", got, again, err)
	}
	if strings.ContainsFunc(strings.TrimSpace(got.String()), func(r rune) bool { return r < ' ' || r > '~' }) {
		t.Errorf("a terminal gets %q", got)
	}
}

// An answer that makes room for a drawing on stdout is an answer on stderr's terminal.
func TestAnswerBesideADrawingIsTame(t *testing.T) {
	controller, name := pseudoTerminal(t)
	terminal, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	section := &page.Section{Draws: func(context.Context) ([]page.Figure, error) {
		return []page.Figure{{Chart: chart.Chart{Series: []chart.Series{{X: []float64{1, 2}, Y: []float64{1, 2}}}}}}, nil
	}}
	s := &Streams{out: io.Discard, Err: &spoken{w: terminal}}
	o := &Output{Format: "json", plot: "-"}
	answer := &Result{Value: map[string]string{"n": "r\x7f\u202e"}, Section: section}
	if err := o.print(t.Context(), s, answer); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 1000)
	n, err := controller.Read(got)
	if err != nil || !strings.Contains(string(got[:n]), `r\u007f\u202e`) {
		t.Errorf("a terminal gets %q, %v", got[:n], err)
	}
}

// pseudoTerminal opens a pair of terminals, and returns the end that reads and the name of the other.
func pseudoTerminal(t *testing.T) (*os.File, string) {
	controller, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { controller.Close() })
	var unlock, number int32
	for request, arg := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, no := syscall.Syscall(syscall.SYS_IOCTL, controller.Fd(), request, uintptr(unsafe.Pointer(arg))); no != 0 {
			t.Fatal(no)
		}
	}
	return controller, fmt.Sprintf("/dev/pts/%d", number)
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
