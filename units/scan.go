package units

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const blanks = " \t" // within a value

// trim cuts off what may stand around a value.
func trim(s string) string { return strings.Trim(s, blanks+"\r\n\f") }

// scan reads the plain decimal number at the start of s: digits with an
// optional point and exponent. It returns the number, its text and what
// follows it without leading blanks, or the reason why there is no number. A
// point or an exponent mark not followed by a digit is not part of the number.
func scan(s string) (value float64, text, rest string, reason string) {
	n := digits(s)
	if strings.HasPrefix(s[n:], ".") {
		if d := digits(s[n+1:]); d > 0 {
			n += 1 + d
		}
	}
	if n == 0 {
		return 0, "", "", noNumber(s)
	}
	if n == 1 && s[0] == '0' && len(s) > 2 && strings.ContainsRune("xXbBoO", rune(s[1])) && digits(s[2:]) > 0 {
		return 0, "", "", "the number is not decimal"
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if d := digits(s[m:]); d > 0 {
			n = m + d
		}
	}
	text = s[:n]
	rest = strings.TrimLeft(s[n:], blanks)
	if r, _ := utf8.DecodeRuneInString(s[n:]); r == ',' || r == '_' || r == '\'' {
		return 0, "", "", "the number holds " + strconv.Quote(string(r))
	} else if r > 127 && unicode.IsDigit(r) {
		return 0, "", "", "the number holds digits other than 0 to 9"
	}
	value, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil: // the form is right, so only the range can be wrong
		return 0, "", "", "the number is too large"
	case value == 0 && strings.Trim(mantissa(text), "0.") != "":
		return 0, "", "", "the number is too small"
	}
	return value, text, rest, ""
}

// lost refuses the value that a number has in base units where it is 0 and the number is not.
func lost(value, number float64) (float64, string) {
	if value == 0 && number != 0 {
		return 0, "the number is too small"
	}
	return value, ""
}

// digits counts the ASCII digits at the start of s.
func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// mantissa returns the text of a number without its exponent.
func mantissa(text string) string {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		return text[:i]
	}
	return text
}

// noNumber says why s does not start with a number.
func noNumber(s string) string {
	lower := strings.ToLower(s)
	switch r, _ := utf8.DecodeRuneInString(s); {
	case s == "":
		return "it is empty"
	case r == '-':
		return "it is negative"
	case r == '+':
		return "it starts with a sign"
	case strings.HasPrefix(lower, "nan"), strings.HasPrefix(lower, "inf"):
		return "it is not finite"
	default:
		return "it starts with " + strconv.QuoteRune(r) + " instead of a digit"
	}
}

// plain reads a number with nothing after it.
func plain(s string) (float64, string) {
	v, _, rest, reason := scan(s)
	if reason != "" {
		return 0, reason
	}
	if rest != "" {
		return 0, "unexpected " + quote(rest)
	}
	return v, ""
}

// short returns the shortest text that parses back to v, with an exponent from
// 1e15 up and below 1e-4: "1e-6" rather than "1e-06".
func short(v float64) string { return shortTimes(v, 0) }

// shortTimes returns the shortest text of v with its decimal point moved by
// places to the right, so that no digit is lost.
func shortTimes(v float64, places int) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	text := shift(strconv.FormatFloat(math.Abs(v), 'e', -1, 64), places)
	m, exp, _ := strings.Cut(text, "e")
	e, _ := strconv.Atoi(exp)
	d := strings.Replace(m, ".", "", 1)
	switch {
	case e < -4 || e >= 15:
	case e < 0:
		text = "0." + strings.Repeat("0", -e-1) + d
	case e+1 >= len(d):
		text = d + strings.Repeat("0", e+1-len(d))
	default:
		text = d[:e+1] + "." + d[e+1:]
	}
	if v < 0 {
		text = "-" + text
	}
	return text
}

// shift multiplies the number written in text by 10^by, exactly.
func shift(text string, by int) string {
	m := mantissa(text)
	e := 0
	if len(m) < len(text) {
		n, err := strconv.Atoi(text[len(m)+1:])
		if err != nil {
			return text // an exponent beyond an int: the number is 0
		}
		e = n
	}
	return m + "e" + strconv.Itoa(e+by)
}

// notFinite returns the reason why v is outside 0 ≤ v < ∞, or "".
func notFinite(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "it is not finite"
	case v < 0:
		return "it is negative"
	}
	return ""
}
