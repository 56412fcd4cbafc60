//go:build linux

package cmdline

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/capplan/capplan/internal/patient"
)

// A terminal gets no control sequence that stands in a file, whatever is written at once; a file
// gets the bytes.
func TestTame(t *testing.T) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	var unlock, number int32
	for request, arg := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, err := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(arg))); err != 0 {
			t.Skip(err)
		}
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer terminal.Close()
	text := "a\x1b[31m,\u009b31m,\u202eé\t\u20ac,\xff\n"
	const want = `a\x1b[31m,\u009b31m,\u202eé` + "\t€," + `\xff` + "\n"
	for _, at := range []int{1, 2, 9, 15, 17, 21} {
		w := tame(terminal)
		for _, part := range []string{text[:at], text[at:]} {
			if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatalf("%d bytes, %v", n, err)
			}
		}
		var got []byte
		master.SetReadDeadline(time.Now().Add(5 * time.Second))
		for part := make([]byte, 200); err == nil && !bytes.HasSuffix(got, []byte("\n")); { // it may come in parts
			var n int
			n, err = master.Read(part)
			got = append(got, part[:n]...)
		}
		if got := bytes.ReplaceAll(got, []byte("\r"), nil); string(got) != want {
			t.Errorf("cut at %d: %q, %v, want %q", at, got, err, want)
		}
	}
	// A program sees its terminal behind what its streams are wrapped in.
	for _, w := range []io.Writer{terminal, patient.NewWriter(t.Context(), terminal),
		&spoken{w: patient.NewWriter(t.Context(), terminal)}} {
		if !isTerminal(w) {
			t.Errorf("%T hides a terminal", w)
		}
	}
	file := new(bytes.Buffer)
	if w := tame(file); w != file {
		t.Errorf("%T for what is no terminal", w)
	}
}
