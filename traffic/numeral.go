package traffic

import (
	"bytes"
	"strings"

	"github.com/capplan/capplan/internal/source"
)

// inThrees is what is wrong with 1,2,3 and with 1 2.
const inThrees = "has digits in groups of other than three"

// numerals reads numbers as people and spreadsheets write them: 1,234.5 or 1.234,5 or 1 234,5, with
// k or M behind. Which mark is the decimal one is a property of the file: with commas between the
// cells it is the point; with semicolons the first number that can only be read in one way decides.
type numerals struct {
	decimal byte // '.' or ','; 0: not told yet
	line    int  // that told
}

// A reading of a numeral.
type reading struct {
	value   float64
	suffix  string // what follows the number, without blanks around
	pending bool   // 1.234: a thousand times more if the mark parts thousands
	mark    byte   // of a pending reading
}

// read returns the number with which a cell begins, or what is wrong.
func (n *numerals) read(cell []byte, line int) (reading, string) {
	end := 0
	for end < len(cell) && numeralByte(cell[end:]) > 0 {
		end += numeralByte(cell[end:])
	}
	// An exponent: the e of 1.2e6 but not the e of "3 events".
	if end < len(cell) && (cell[end]|0x20) == 'e' && end+1 < len(cell) && exponent(cell[end+1:]) > 0 {
		end += 1 + exponent(cell[end+1:])
	}
	digits := compact(cell[:end])
	r := reading{suffix: strings.TrimSpace(strings.ReplaceAll(string(cell[end:]), "\u00a0", " "))}
	if len(digits) == 0 {
		return r, "is not a number"
	}
	if len(digits) < end && !threes(cell[:end]) {
		return r, inThrees
	}
	text, mark, thousands := digits, byte(0), byte(0)
	points, commas := bytes.Count(digits, []byte(".")), bytes.Count(digits, []byte(","))
	switch {
	case points > 0 && commas > 0:
		// Both: the last is the decimal mark.
		if bytes.LastIndexByte(digits, '.') > bytes.LastIndexByte(digits, ',') {
			mark, thousands = '.', ','
		} else {
			mark, thousands = ',', '.'
		}
	case points > 1:
		mark, thousands = ',', '.'
	case commas > 1:
		mark, thousands = '.', ','
	case points+commas == 1:
		only := digits[bytes.IndexAny(digits, ".,")]
		if groups(digits, only) {
			// 1.234 or 1,234: one or a thousand times as much.
			switch n.decimal {
			case 0:
				r.pending, r.mark, mark = true, only, only
			case only:
				mark = only
			default:
				thousands = only
			}
		} else {
			mark = only
		}
	}
	if thousands != 0 {
		whole := digits
		if at := bytes.LastIndexByte(digits, mark); mark != 0 && at >= 0 {
			whole = digits[:at]
		}
		if !groups(whole, thousands) {
			return r, inThrees
		}
		text = bytes.ReplaceAll(digits, []byte{thousands}, nil)
	}
	if mark != 0 && !r.pending {
		if n.decimal == 0 {
			n.decimal, n.line = mark, line
		} else if n.decimal != mark {
			return r, "has the decimal mark \"" + string(mark) + "\", the rows before have \"" + string(n.decimal) +
				"\""
		}
	}
	if mark == ',' {
		text = bytes.Replace(text, []byte(","), []byte("."), 1)
	}
	v, ok := source.ParseNumber(text)
	if !ok {
		return r, "is not a number"
	}
	r.value = v
	return r, ""
}

// settle returns the factor of a pending reading once the file's mark is known.
func (n *numerals) settle(mark byte) float64 {
	if n.decimal == mark {
		return 1
	}
	return 1000
}

// numeralByte is the length of the byte or blank of a number at the beginning
// of b, 0 if it ends there. Blanks part thousands where a digit follows.
func numeralByte(b []byte) int {
	switch c := b[0]; {
	case c >= '0' && c <= '9', c == '.', c == ',', c == '+', c == '-':
		return 1
	case c == '\'', c == '_', c == ' ':
		if len(b) > 1 && b[1] >= '0' && b[1] <= '9' {
			return 1
		}
	case bytes.HasPrefix(b, []byte("\u00a0")): // no-break space
		if len(b) > 2 && b[2] >= '0' && b[2] <= '9' {
			return 2
		}
	case bytes.HasPrefix(b, []byte("\u202f")): // narrow no-break space
		if len(b) > 3 && b[3] >= '0' && b[3] <= '9' {
			return 3
		}
	}
	return 0
}

// exponent is the length of the exponent that b begins with, 0 if none.
func exponent(b []byte) int {
	n := 0
	if b[0] == '+' || b[0] == '-' {
		n = 1
	}
	first := n
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	if n == first {
		return 0
	}
	return n
}

// compact drops the blanks and ticks that part thousands.
func compact(b []byte) []byte {
	if !bytes.ContainsAny(b, " '_\u00a0\u202f") {
		return b
	}
	kept := make([]byte, 0, len(b))
	for _, c := range b {
		if c >= '0' && c <= '9' || c == '.' || c == ',' || c == '+' || c == '-' || c|0x20 == 'e' {
			kept = append(kept, c)
		}
	}
	return kept
}

// threes reports whether blanks and ticks separate digits as in thousands. Two numbers in a cell,
// 12 34, are not a number of four digits.
func threes(b []byte) bool {
	digits, parted := 0, false // since the last mark or blank, which was a blank
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '.' || c == ',' || c == '+' || c == '-' || c|0x20 == 'e':
			if parted && digits != 3 {
				return false
			}
			digits, parted = 0, false
		case c >= 0x80 && digits == 0 && parted: // the rest of a blank of several bytes
		default:
			if digits < 1 || digits > 3 || parted && digits != 3 {
				return false
			}
			digits, parted = 0, true
		}
	}
	return !parted || digits == 3
}

// groups reports whether a mark separates digits as in thousands: one to three digits, then three
// by three.
func groups(digits []byte, mark byte) bool {
	digits = bytes.TrimLeft(digits, "+-")
	parts := bytes.Split(digits, []byte{mark})
	if len(parts) < 2 || len(parts[0]) < 1 || len(parts[0]) > 3 || parts[0][0] == '0' {
		return false
	}
	for i, p := range parts {
		if _, ok := source.Digits(p); !ok || i > 0 && len(p) != 3 {
			return false
		}
	}
	return true
}
