package lp

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMessage is the most of a backend's own words that is kept, in bytes.
const maxMessage = 300

// oneLine returns the words of a program that is not ours as they can be
// shown: control characters, bytes that are no UTF-8 and marks that change the
// direction of text become an escape, and what is long is cut.
func oneLine(s string) string {
	var b strings.Builder
	for i, r := range s {
		if b.Len() > maxMessage {
			b.WriteString("...")
			break
		}
		switch {
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				const hex = "0123456789abcdef"
				b.WriteString(`\x` + string(hex[s[i]>>4]) + string(hex[s[i]&15]))
				continue
			}
			b.WriteRune(r)
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return strings.TrimSpace(b.String())
}
