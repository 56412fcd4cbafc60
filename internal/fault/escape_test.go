package fault

import "testing"

func TestEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"Pläne, 5 ± 2 %\n":          "Pläne, 5 ± 2 %\n",
		"r\x1b[31mred\x7f":          `r\x1b[31mred\u007f`,
		"a\tb\rc\x00":               `a\tb\x0dc\x00`,
		"\xff\xfeok\xe2\x82":        `\xff\xfeok\xe2\x82`,
		"a \ufffd b":                "a \ufffd b",
		"\u202egpj.exe\u2066":       `\u202egpj.exe\u2066`,
		"\ufeffload\u200b\u00ad":    `\ufeffload\u200b\u00ad`,
		"line\u2028par\u2029\u0085": `line\u2028par\u2029\u0085`,
		"tag\U000e0001":             `tag\udb40\udc01`,
		"می\u200cخواهم":             "می\u200cخواهم",
	} {
		if got := Escaped(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
