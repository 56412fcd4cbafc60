package cmdline

import (
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain, äöü and \"quotes\"": "plain, äöü and \"quotes\"",
		"a\x1b[31mb\vc\x00":         `a\x1b[31mb\x0bc\x00`,
		"a\nb\tc\r":                 `a\nb\tc\x0d`,
		"a\u009bb\u202ec\u2028":     `a\u009bb\u202ec\u2028`,
		"a\xffb\ufffd":              `a\xffb` + "\ufffd",
	} {
		if got := Printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	long := strings.Repeat("ä", 1500)
	if got, want := Printable(long+"b"+long), long[:MaxMessage]+"..."+long[:MaxMessage]; got != want {
		t.Errorf("%d bytes of a long message", len(got))
	}
	if got := Printable("name: \"" + long + long + "\", want a day"); !strings.HasSuffix(got, "\", want a day") {
		t.Errorf("a long name hides what is wanted: %q", got[len(got)-40:])
	}
}
