package cmdline

import (
	"bytes"
	"testing"
	"time"
)

// What takes long is said while it takes, and what does not is not.
func TestSlow(t *testing.T) {
	for _, c := range []struct {
		from, takes time.Duration
		want        string
	}{
		{time.Millisecond, 300 * time.Millisecond, "counting takes a while; Ctrl-C ends it\n"},
		{time.Hour, 0, ""},
	} {
		var err bytes.Buffer
		s := &Streams{Err: &err}
		end := s.slow("counting takes a while", c.from)
		time.Sleep(c.takes)
		end()
		if err.String() != c.want {
			t.Errorf("%v of something announced after %v: %q, want %q", c.takes, c.from, err.String(), c.want)
		}
	}
}
