package cmdline

import (
	"fmt"
	"strings"
	"unicode"
)

// MaxMessage is the number of characters of a message that is shown: no line of
// a file makes it longer than a screen.
const MaxMessage = 2000

// Printable returns a message as one line that changes nothing on a terminal:
// control characters, those that turn the direction of text and bytes that are
// no UTF-8 are escaped, and what is too long is cut. Names in files come from others, and a
// terminal obeys what it is sent.
func Printable(s string) string {
	var b strings.Builder
	n := 0
	for i, r := range s {
		if n++; n > MaxMessage {
			return b.String() + "..."
		}
		switch {
		// A byte that is no UTF-8 decodes to the replacement character, which the text may also hold
		// in earnest: the bytes themselves tell.
		case r == unicode.ReplacementChar && !strings.HasPrefix(s[i:], string(r)):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\u2028', r == '\u2029':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
