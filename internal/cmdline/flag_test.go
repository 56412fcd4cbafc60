package cmdline

import (
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/units"
)

// A line that was read leaves what it says, and nothing of what was there before.
func TestReadFlags(t *testing.T) {
	for _, x := range []struct{ line, name, files, given, err string }{
		{line: "--name a --on -- f g", name: "a", files: "f g", given: "name on"},
		{line: "--name=a=b --on=false --", name: "a=b", given: "name on"},
		{line: "--load 3 --", given: "load"},
		{line: "--", given: ""},
		{line: "-o json --", given: "format"},
		{line: "-- --name", files: "--name"},
		{line: "--on=maybe --", err: `invalid boolean value "maybe" for -on: parse error`},
		{line: "--load x --", err: "--load: "},
		{line: "---on --", err: "bad flag syntax: ---on"},
	} {
		s := NewFlags(false)
		name, on := "before", true
		var load *units.Erlang
		s.Text("name", &name, "NAME", "of it")
		s.Toggle("on", &on, "or off")
		Value(s, "load", &load, "LOAD", "of it")
		files, err := s.read(strings.Fields(x.line))
		if x.err != "" {
			if err == nil || !strings.Contains(err.Error(), x.err) {
				t.Errorf("%s: %v, want %s", x.line, err, x.err)
			}
			continue
		}
		if err != nil || name != x.name || !slices.Equal(files, strings.Fields(x.files)) ||
			on != strings.Contains(x.line, "--on ") || (load != nil) != strings.Contains(x.line, "--load") {
			t.Errorf("%s: %v, name %q, on %v, files %q", x.line, err, name, on, files)
		}
		for _, f := range []string{"name", "on", "load", "format", "o"} {
			want := slices.Contains(strings.Fields(x.given), f) || f == "o" && x.given == "format"
			if s.given(f) != want {
				t.Errorf("%s: %s is given: %v", x.line, f, s.given(f))
			}
		}
	}
}

// In the manual a flag keeps what looks like a tag of HTML, and no line is a request.
func TestManualEscapes(t *testing.T) {
	s := NewFlags(false)
	var into string
	s.Text("limits", &into, `LIST`, `such as p50<80ms,p99<300ms or a\b`)
	if got, want := s.named("limits").manual(), `\fB--limits\fP \fBLIST\fR such as p50<80ms,p99<300ms or a\\b`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := roff(".x\n'y\nz"), "\\&.x\n\\&'y\nz"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
