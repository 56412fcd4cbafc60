package cmdline

import (
	"bytes"
	"fmt"
	"testing"
	"time"
)

// What takes long is said while it takes, and what does not is not; what may be the first word is
// said where nothing else was.
func TestSlow(t *testing.T) {
	for _, c := range []struct {
		from, takes time.Duration
		first       bool
		before      string
		want        string
	}{
		{time.Millisecond, 300 * time.Millisecond, false, "", "counting takes a while; Ctrl-C ends it\n"},
		{time.Millisecond, 300 * time.Millisecond, true, "", "counting takes a while; Ctrl-C ends it\n"},
		{time.Millisecond, 300 * time.Millisecond, false, "well\n", "well\ncounting takes a while; Ctrl-C ends it\n"},
		{time.Millisecond, 300 * time.Millisecond, true, "well\n", "well\n"},
		{time.Hour, 0, false, "", ""},
	} {
		var err bytes.Buffer
		s := &Streams{Err: &spoken{w: &err}}
		fmt.Fprint(s.Err, c.before)
		end := s.slow("counting takes a while", c.from, c.first)
		time.Sleep(c.takes)
		end()
		if err.String() != c.want {
			t.Errorf("%v of something announced after %v: %q, want %q", c.takes, c.from, err.String(), c.want)
		}
	}
}
