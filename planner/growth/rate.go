package growth

import (
	"fmt"
	"math"
	"strings"

	"github.com/capplan/capplan/units"
)

// A Rate is a share by which a load grows in a year, above −1; it is
// written 20%/year, −5%/year or 0.2/year.
type Rate float64

const rateForm = "a growth such as 20%/year or 1.5%/month"

// Want describes the form that Set reads.
func (Rate) Want() string { return rateForm }

// String returns a text that Set reads.
func (g Rate) String() string { return units.FormatNumber(100*float64(g), 15) + "%/year" }

// Set reads a share per year or, compounded, per month.
func (g *Rate) Set(s string) error {
	fail := func(reason string) error {
		return &units.ParseError{Input: s, Want: rateForm, Reason: reason}
	}
	share, per, ok := strings.Cut(strings.TrimSpace(s), "/")
	if !ok {
		return fail("it does not say in what time")
	}
	share = strings.Replace(strings.TrimSpace(share), "−", "-", 1)
	sign := 1.0
	if strings.HasPrefix(share, "-") {
		sign, share = -1, share[1:]
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(share), "%")
	var n units.Number
	if n.Set(number) != nil {
		return fail(fmt.Sprintf("%q is not a share", share))
	}
	v := sign * float64(n)
	if percent {
		v /= 100
	}
	switch strings.TrimSpace(per) {
	case "year", "yr", "y", "a":
	case "month", "mo":
		v = math.Expm1(12 * math.Log1p(v))
	default:
		return fail(fmt.Sprintf("%q is neither a year nor a month", strings.TrimSpace(per)))
	}
	if !(v > -1 && v <= 1e6) {
		return fail("nothing would be left, or the load would be too large for a number")
	}
	*g = Rate(v)
	return nil
}

// MarshalText returns String.
func (g Rate) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText is Set.
func (g *Rate) UnmarshalText(b []byte) error { return g.Set(string(b)) }
