package fault

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Escaped returns a text that changes nothing on a terminal, which obeys what it is sent: control
// characters but for line feeds, those that nobody sees or that turn the direction of text, and
// bytes that are no UTF-8 are escaped. Names in files, and of files, come from others.
func Escaped(text string) string {
	var b strings.Builder
	done := 0 // bytes of the text that are in b
	for i, r := range text {
		as := ""
		switch {
		// A byte that is no UTF-8 decodes to the replacement character, which the text may also hold
		// in earnest: the bytes themselves tell.
		case r == unicode.ReplacementChar && !strings.HasPrefix(text[i:], string(r)):
			as = fmt.Sprintf(`\x%02x`, text[i])
		case r == '\t':
			as = `\t`
		case r == '\n', r == joiner, r == nonJoiner:
		case r < ' ':
			as = fmt.Sprintf(`\x%02x`, r)
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp): // as in JSON, which may hold them
			for _, unit := range utf16.Encode([]rune{r}) {
				as += fmt.Sprintf(`\u%04x`, unit)
			}
		}
		if as != "" {
			b.WriteString(text[done:i] + as)
			done = i + len(string(r))
			if r == unicode.ReplacementChar {
				done = i + 1
			}
		}
	}
	return b.String() + text[done:]
}

// Some scripts and emblems are spelled with these, though nobody sees them.
const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
)
