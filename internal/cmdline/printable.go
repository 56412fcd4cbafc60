package cmdline

import (
	"strings"
	"unicode/utf8"

	"github.com/capplan/capplan/internal/fault"
)

// MaxMessage is the number of characters of a message that is shown: no line of
// a file makes it longer than a screen.
const MaxMessage = 2000

// Printable returns a message as one line that changes nothing on a terminal; see
// [fault.Escaped]. Of what is too long the middle is cut, since the end says what
// is wanted.
func Printable(s string) string {
	if n := utf8.RuneCountInString(s); n > MaxMessage {
		head, tail, seen := "", "", 0
		for i := range s {
			switch seen {
			case MaxMessage / 2:
				head = s[:i]
			case n - MaxMessage/2:
				tail = s[i:]
			}
			seen++
		}
		s = head + "..." + tail
	}
	return strings.ReplaceAll(fault.Escaped(s), "\n", `\n`)
}
