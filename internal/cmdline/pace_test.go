package cmdline

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// A command whose parts are counted says once how long all of them take, from the first that are
// done: not one that is soon over, nor what was there before as if it had taken no time.
func TestPaced(t *testing.T) {
	defer func(from time.Duration) { slowFrom = from }(slowFrom)
	slowFrom = 300 * time.Millisecond
	for _, c := range []struct {
		what             string
		there, done, of  int
		says, saysNotThe string
	}{
		{"reproduce it", 0, 10, 1000, "reproduce it takes about ", ""},
		{"runs", 0, 10, 1000, "reproduce takes about ", "runs"},
		{"reproduce it", 900, 902, 1000, "reproduce it takes about ", ""},
		{"reproduce it", 0, 10, 100, "", "takes"},
		{"reproduce it", 0, 990, 1000, "", "takes"},
		{"reproduce it", 0, 0, 1000, "", "takes"},
	} {
		var err bytes.Buffer
		s := &Streams{Err: &spoken{w: &err}, path: "reproduce"}
		progress, end := s.Counted(c.what)
		progress(c.there, c.of)
		time.Sleep(slowFrom + 20*time.Millisecond)
		progress(c.done, c.of)
		progress(c.done, c.of)
		end()
		got := err.String()
		if !strings.HasPrefix(got, c.says) || c.saysNotThe != "" && strings.Contains(got, c.saysNotThe) ||
			strings.Count(got, "\n") > 1 || c.says != "" && !strings.HasSuffix(got, "; Ctrl-C ends it\n") {
			t.Errorf("%d to %d of %d %s: %q", c.there, c.done, c.of, c.what, got)
		}
	}
	var err bytes.Buffer
	s := &Streams{Err: &spoken{w: &err}, path: "sweep queue"}
	s.estimate.Do(func() {}) // of the simulation of a point
	add, _ := s.Steps(1000, "sweep queue")
	time.Sleep(slowFrom + 20*time.Millisecond)
	add(2)
	if got := err.String(); !strings.HasPrefix(got, "sweep queue takes ") || !strings.Contains(got, "fewer points") {
		t.Errorf("of a sweep: %q", got)
	}
	err.Reset()
	s = &Streams{Err: &spoken{w: &err}, path: "availability solve"}
	progress, _ := s.Counted("availability solve")
	time.Sleep(slowFrom + 20*time.Millisecond)
	progress(0, 1000) // the parts begin, and what came before is none
	if progress(16, 1000); err.String() != "" {
		t.Errorf("at once: %q", err.String())
	}
	time.Sleep(slowFrom + 20*time.Millisecond)
	if progress(17, 1000); !strings.HasPrefix(err.String(), "availability solve takes ") {
		t.Errorf("of a recursion: %q", err.String())
	}
	err.Reset()
	s = &Streams{Err: &spoken{w: &err}, path: "plan", simulates: &FlagSet{}}
	progress, _ = s.Counted("plan")
	time.Sleep(slowFrom + 20*time.Millisecond)
	progress(2, 1000)
	if got := err.String(); !strings.HasPrefix(got, "plan takes ") || !strings.Contains(got, "fewer samples") {
		t.Errorf("of a plan: %q", got)
	}
	for _, c := range []struct {
		after     float64
		done, of  int
		low, high float64
	}{{4, 1, 10, 40, 40}, {4, 8, 8, 4, 4}, {3, 100, 1000, 30, 30}} {
		low, high := partly(c.after, c.done, c.of)
		if !(c.after <= low && low <= c.low && high == c.high) {
			t.Errorf("%d of %d after %v s: %v to %v s, want up to %v", c.done, c.of, c.after, low, high, c.high)
		}
	}
}
