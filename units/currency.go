package units

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A PriceForm is how somebody wrote a price: its currency and its period. The
// zero form is that of 0.42/h, without a currency.
type PriceForm struct {
	Currency string `json:"currency,omitempty"` // as it was written: $, €, US$, EUR; empty: none
	Per      string `json:"per,omitempty"`      // h, d, week, month or year; empty: h
}

// Amount restates an amount per hour in the period of the form. A nil form is
// the zero one.
func (f *PriceForm) Amount(perHour float64) float64 {
	if f == nil {
		return perHour
	}
	seconds, _, known := period(f.Per)
	if !known || seconds == 3600 {
		return perHour
	}
	return perHour * (seconds / 3600)
}

// Sign writes an amount of money with the currency of the form: $12, EUR 12.
func (f *PriceForm) Sign(amount string) string {
	if f == nil || f.Currency == "" {
		return amount
	}
	sign := f.Currency
	if last, _ := utf8.DecodeLastRuneInString(sign); !unicode.Is(unicode.Sc, last) {
		sign += " "
	}
	if rest, negative := strings.CutPrefix(amount, "-"); negative {
		return "-" + sign + rest
	}
	return sign + amount
}

// Write writes an amount that is in the period of the form as a price: $0.10/h,
// €72/month.
func (f *PriceForm) Write(amount string) string { return f.Sign(amount) + "/" + f.period() }

// Unit names what the amounts of the form are in: "per h", "$ per month".
func (f *PriceForm) Unit() string {
	if f == nil || f.Currency == "" {
		return "per " + f.period()
	}
	return f.Currency + " per " + f.period()
}

func (f *PriceForm) period() string {
	if f == nil || f.Per == "" {
		return "h"
	}
	return f.Per
}

// text is v, per second, in the form, and parses back to v.
func (f PriceForm) text(v float64) string {
	for _, per := range []string{f.period(), "h"} {
		seconds, name, known := period(per)
		if x := times(v, seconds); known && notFinite(x) == "" && x/seconds == v {
			return f.Sign(short(x)) + "/" + name
		}
	}
	return f.Sign(short(v)) + "/s"
}

// times returns v·by, rounded to 15 digits if that divides back to v: the product of floats may have
// more digits than anybody wrote, as 3000.0000000000005 for 3000 a month.
func times(v, by float64) float64 {
	x := v * by
	if r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 15, 64), 64); err == nil && r/by == v {
		return r
	}
	return x
}

// signPattern is part of a regular expression for what may be a currency.
const signPattern = `([^\s\d.,/+-]{1,6}\s*)?`

// words are the currencies that are neither a sign nor three capital letters.
var words = []string{"kr", "zł", "Kč", "Ft", "Fr", "lei", "лв"}

// cutSign takes the currency off the amount of a price or of a part of a range:
// a sign such as $ or €, up to three letters before one (US$), three capital
// letters (EUR), or one of a few words (kr).
func cutSign(s string) (sign, rest, reason string) {
	amount, below, over := strings.Cut(s, "/")
	amount = trim(amount)
	from := strings.IndexAny(amount, ".0123456789")
	to := strings.LastIndexAny(amount, ".0123456789")
	if from < 0 || strings.HasPrefix(amount, "-") || strings.HasPrefix(amount, "+") {
		return "", s, ""
	}
	before, behind := strings.TrimRight(amount[:from], blanks), strings.TrimLeft(amount[to+1:], blanks)
	switch {
	case before != "" && behind != "" && isCurrency(before) && isCurrency(behind):
		return "", s, "it has the currencies " + before + " and " + behind
	case before != "" && isCurrency(before):
		sign, amount = before, amount[from:]
	case behind != "" && isCurrency(behind):
		sign, amount = behind, strings.TrimRight(amount[:to+1], blanks)
	case before == "¢" || behind == "¢":
		return "", s, "cents are written as part of the whole, such as $0.10/h"
	}
	if over {
		amount += "/" + below
	}
	return sign, amount, ""
}

func isCurrency(s string) bool {
	last, n := utf8.DecodeLastRuneInString(s)
	before := s[:len(s)-n]
	letters := func(s string, test func(rune) bool) bool {
		return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !test(r) }) < 0
	}
	switch {
	case last == '¢':
		return false
	case unicode.Is(unicode.Sc, last):
		return len(before) <= 3 && letters(before, unicode.IsLetter)
	case len(s) == 3 && letters(s, unicode.IsUpper):
		return true
	}
	return slices.Contains(words, s)
}

// formOf takes the currencies off the parts of a price and returns what they
// have in common; two currencies are a reason to refuse them.
func formOf(parts []string) (f PriceForm, bare []string, reason string) {
	bare = slices.Clone(parts)
	for i, part := range parts {
		sign, rest, reason := cutSign(part)
		if reason != "" {
			return f, nil, reason
		}
		if sign != "" && f.Currency != "" && sign != f.Currency {
			return f, nil, "it has the currencies " + f.Currency + " and " + sign
		}
		if sign != "" {
			f.Currency = sign
		}
		bare[i] = rest
	}
	if _, below, ok := strings.Cut(bare[len(bare)-1], "/"); ok {
		_, f.Per, _ = period(below)
	}
	if f.Per == "h" {
		f.Per = ""
	}
	return f, bare, ""
}
