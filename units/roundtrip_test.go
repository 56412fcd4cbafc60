package units_test

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	. "github.com/capplan/capplan/units"
)

// A quantity of some kind with everything a type of this package offers.
type quantity interface {
	Quantity
	String() string
	MarshalText() ([]byte, error)
	Want() string
	Pattern() string
	Plain() bool
}

// value draws numbers of all magnitudes, and many with few digits.
func value(t *rapid.T, most float64) float64 {
	if rapid.Bool().Draw(t, "any") {
		return rapid.Float64Range(0, most).Draw(t, "x")
	}
	n := float64(rapid.IntRange(0, 5000).Draw(t, "n"))
	return math.Min(n*math.Pow(10, float64(rapid.IntRange(-9, 9).Draw(t, "e"))), most)
}

func TestRoundTrip(t *testing.T) {
	t.Run("Duration", func(t *testing.T) { roundTrip[Duration](t, 1e300) })
	t.Run("Rate", func(t *testing.T) { roundTrip[Rate](t, 1e300) })
	t.Run("Price", func(t *testing.T) { roundTrip[Price](t, 1e300) })
	t.Run("Fraction", func(t *testing.T) { roundTrip[Fraction](t, 1) })
	t.Run("Excess", func(t *testing.T) { roundTrip[Excess](t, 1e300) })
	t.Run("Percentile", func(t *testing.T) { roundTrip[Percentile](t, math.Nextafter(1, 0)) })
	t.Run("Erlang", func(t *testing.T) { roundTrip[Erlang](t, math.MaxFloat64) })
	t.Run("Number", func(t *testing.T) { roundTrip[Number](t, math.MaxFloat64) })
	t.Run("Size", func(t *testing.T) { roundTrip[Size](t, 1e300) })
	t.Run("Bandwidth", func(t *testing.T) { roundTrip[Bandwidth](t, 1e300) })
}

// roundTrip checks that text and JSON give the value back exactly, that the
// text matches Pattern, and that parts of a range print and parse back.
func roundTrip[T quantity](t *testing.T, most float64) {
	var zero T
	pattern := regexp.MustCompile(zero.Pattern())
	ranges := regexp.MustCompile(Range[T]{}.Pattern())
	rapid.Check(t, func(t *rapid.T) {
		v := T(value(t, most))
		if _, err := v.MarshalText(); err != nil {
			t.Skip("outside the domain") // 0 is not a percentile
		}
		s := v.String()
		if got, err := Parse[T](s); err != nil || got != v {
			t.Fatalf("%.17g prints as %q, which parses as %.17g, %v", float64(v), s, float64(got), err)
		}
		if !pattern.MatchString(s) {
			t.Fatalf("%q does not match %s", s, pattern)
		}
		if len(s) > 26 {
			t.Fatalf("%.17g prints as %q, which is long", float64(v), s)
		}
		j, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var back T
		if err := json.Unmarshal(j, &back); err != nil || back != v {
			t.Fatalf("JSON %s of %.17g gives %.17g, %v", j, float64(v), float64(back), err)
		}
		w := T(value(t, most))
		if _, err := w.MarshalText(); err != nil || v == w {
			return
		}
		low, high := min(v, w), max(v, w)
		for _, r := range []Range[T]{Point(v), Uniform(low, high), Triangular(low, low, high), Triangular(low, low+(high-low)/3, high)} {
			got, err := ParseRange[T](r.String())
			if err != nil || got != r {
				t.Fatalf("%#v prints as %q, which parses as %#v, %v", r, r.String(), got, err)
			}
			if !ranges.MatchString(r.String()) {
				t.Fatalf("%q does not match %s", r.String(), ranges)
			}
		}
	})
}

func TestRoundTripCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Count(rapid.Int64Range(0, math.MaxInt64).Draw(t, "c"))
		if got, err := ParseCount(c.String()); err != nil || got != c {
			t.Fatalf("%d parses as %d, %v", c, got, err)
		}
		var back Count
		if j, err := json.Marshal(c); err != nil || json.Unmarshal(j, &back) != nil || back != c {
			t.Fatalf("JSON %s of %d gives %d", j, c, back)
		}
	})
}

func TestString(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Duration(90).String(), "90s"},
		{Duration(5400).String(), "1.5h"},
		{Duration(0.25).String(), "250ms"},
		{Duration(0).String(), "0s"},
		{Duration(1e-5).String(), "10us"},
		{Duration(1e-12).String(), "1e-12s"},
		{Duration(172800).String(), "2d"},
		{Duration(300).String(), "5min"},
		{Duration(1.0 / 3).String(), "333.3333333333333ms"},
		{Rate(5.4).String(), "5.4/s"},
		{Rate(2.0 / 3600).String(), "2/h"},
		{Rate(0).String(), "0/s"},
		{Price(1200. / 3600).String(), "1200/h"},
		{Fraction(0.01).String(), "1%"},
		{Fraction(1e-6).String(), "0.0001%"},
		{Fraction(1).String(), "100%"},
		{Percentile(0.95).String(), "95%"},
		{Percentile(0.999).String(), "99.9%"},
		{Erlang(120).String(), "120"},
		{Count(1000000).String(), "1000000"},
		{Size(512 << 20).String(), "512MiB"},
		{Size(1e6).String(), "1MB"},
		{Bandwidth(1e8).String(), "100Mbps"},
		{Uniform[Duration](120, 240).String(), "2min..4min"},
	} {
		if c.got != c.want {
			t.Errorf("String = %q, want %q", c.got, c.want)
		}
	}
}

// fuzz checks on any text that a value accepted is in its domain, matches
// Pattern and prints as a text that parses back to it.
func fuzz[T quantity](f *testing.F) {
	var zero T
	pattern := regexp.MustCompile(zero.Pattern())
	for _, s := range []string{"90s", "1h30m", "0", ".0", "0e9", "5.4/s", "100/30min", "1%", "0.95", "p99", "120erl", "1e6",
		"512MiB", "100Mbit/s", "1e400", "-1", "٣", "NaN", "0x1p3", "1_0", "1,0", "5 parsecs", "1..2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := Parse[T](s)
		if err != nil {
			if v != 0 || !strings.HasPrefix(err.Error(), "units: ") {
				t.Fatalf("%q: %v, %v", s, v, err)
			}
			return
		}
		text, err := v.MarshalText()
		if err != nil {
			t.Fatalf("%q parses as %v: %v", s, float64(v), err)
		}
		if !pattern.MatchString(strings.TrimSpace(s)) {
			t.Fatalf("%q is accepted and does not match %s", s, pattern)
		}
		if back, err := Parse[T](string(text)); err != nil || back != v {
			t.Fatalf("%q = %.17g prints as %q, which parses as %.17g, %v", s, float64(v), text, float64(back), err)
		}
	})
}

func FuzzDuration(f *testing.F)   { fuzz[Duration](f) }
func FuzzRate(f *testing.F)       { fuzz[Rate](f) }
func FuzzFraction(f *testing.F)   { fuzz[Fraction](f) }
func FuzzExcess(f *testing.F)     { fuzz[Excess](f) }
func FuzzPercentile(f *testing.F) { fuzz[Percentile](f) }
func FuzzErlang(f *testing.F)     { fuzz[Erlang](f) }
func FuzzNumber(f *testing.F)     { fuzz[Number](f) }
func FuzzSize(f *testing.F)       { fuzz[Size](f) }
func FuzzBandwidth(f *testing.F)  { fuzz[Bandwidth](f) }

func FuzzCount(f *testing.F) {
	for _, s := range []string{"12", "1e6", "1.5e3", "1e-1", "9223372036854775808", "0e99999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseCount(s)
		if err != nil {
			return
		}
		x, err := Parse[Number](s)
		if c < 0 || err != nil || math.Abs(float64(x)-float64(c)) > 1e-15*float64(c) {
			t.Fatalf("ParseCount(%q) = %d, as a number %v, %v", s, c, x, err)
		}
	})
}

func FuzzRange(f *testing.F) {
	for _, s := range []string{"80", "80..130", "80..100..130", "2..4min", "5..8/s", "1..5%", "1...2", "..", "1..", "2..4h30m", "4 .. 8", "4..\v8"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fuzzRange[Duration](t, s)
		fuzzRange[Rate](t, s)
		fuzzRange[Fraction](t, s)
		fuzzRange[Erlang](t, s)
	})
}

func fuzzRange[T quantity](t *testing.T, s string) {
	r, err := ParseRange[T](s)
	if err != nil {
		return
	}
	if err := r.Check(); err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	if !regexp.MustCompile(r.Pattern()).MatchString(strings.TrimSpace(s)) {
		t.Fatalf("%q is accepted and does not match %s", s, r.Pattern())
	}
	if back, err := ParseRange[T](r.String()); err != nil || back != r {
		t.Fatalf("%q prints as %q, which parses as %v, %v", s, r.String(), back, err)
	}
	for _, p := range []float64{0, 0.3, 1} {
		if x, err := r.Quantile(p); err != nil || x < r.Low || x > r.High {
			t.Fatalf("%q: Quantile(%v) = %v, %v", s, p, x, err)
		}
	}
}
