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
	if got := Printable(strings.Repeat("ä", 3000)); got != strings.Repeat("ä", MaxMessage)+"..." {
		t.Errorf("%d bytes of a long message", len(got))
	}
}
