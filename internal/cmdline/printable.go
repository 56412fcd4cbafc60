package cmdline

import (
	"strings"

	"github.com/capplan/capplan/internal/fault"
)

// MaxMessage is the number of characters of a message that is shown: no line of
// a file makes it longer than a screen.
const MaxMessage = 2000

// Printable returns a message as one line that changes nothing on a terminal; see
// [fault.Escaped]. What is too long is cut.
func Printable(s string) string {
	n := 0
	for i := range s {
		if n++; n > MaxMessage {
			s = s[:i] + "..."
			break
		}
	}
	return strings.ReplaceAll(fault.Escaped(s), "\n", `\n`)
}
