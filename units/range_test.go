package units_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	. "github.com/capplan/capplan/units"
)

// A range is written in one unit, whatever suits each of its parts, and reads back.
func TestRangesInOneUnit(t *testing.T) {
	rate := func(s string) string { return stringOf[Rate](t, s) }
	duration := func(s string) string { return stringOf[Duration](t, s) }
	for _, c := range []struct{ got, want string }{
		{rate("1..1.3333333333333333..1.5/s"), "60..80..90/min"},
		{rate("60..80..90/min"), "60..80..90/min"},
		{rate("2..4/s"), "2/s..4/s"},
		{duration("45s..1min..90s"), "45s..60s..90s"},
		{duration("30min..2h"), "0.5..2h"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

// Two ranges stand in one unit beside each other.
func TestPair(t *testing.T) {
	for _, c := range [][4]string{
		{"72/min", "86/min", "72/min", "86/min"}, // alone the first is 1.2/s
		{"1.2/s", "86.123/min", "4320/h", "5167.38/h"},
		{"1/s..2/s", "70..80..90/min", "60..120/min", "70..80..90/min"},
		{"0.3/s", "0.4/s", "0.3/s", "0.4/s"},
	} {
		a, err := ParseRange[Rate](c[0])
		if err != nil {
			t.Fatal(err)
		}
		b, err := ParseRange[Rate](c[1])
		if err != nil {
			t.Fatal(err)
		}
		if from, to := Pair(a, b); from != c[2] || to != c[3] {
			t.Errorf("%s and %s: %s and %s", c[0], c[1], from, to)
		}
	}
	a, b := Point[Duration](90), Point[Duration](60)
	if from, to := Pair(a, b); from != "90s" || to != "60s" {
		t.Errorf("%s and %s", from, to)
	}
}

func stringOf[T Quantity](t *testing.T, s string) string {
	t.Helper()
	r, err := ParseRange[T](s)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseRange[T](r.String())
	if err != nil || !back.Equal(r) {
		t.Errorf("%s is written as %s, which reads as %v, %v", s, r, back, err)
	}
	return r.String()
}

func TestParseRange(t *testing.T) {
	erl := func(s string) (Range[Erlang], error) { return ParseRange[Erlang](s) }
	for in, want := range map[string]Range[Erlang]{
		"80":            Point[Erlang](80),
		"80..130":       Uniform[Erlang](80, 130),
		"80..100..130":  Triangular[Erlang](80, 100, 130),
		" 80 .. 130 ":   Uniform[Erlang](80, 130),
		"80..80..130":   Triangular[Erlang](80, 80, 130),
		"0..130erl":     Uniform[Erlang](0, 130),
		"1e2..1.5e2erl": Uniform[Erlang](100, 150),
	} {
		if got, err := erl(in); err != nil || !got.Equal(want) {
			t.Errorf("%q = %v, %v, want %v", in, got, err, want)
		}
	}
	if got, err := ParseRange[Duration]("2..4min"); err != nil || got != Uniform[Duration](120, 240) {
		t.Errorf("2..4min = %v, %v", got, err)
	}
	if got, err := ParseRange[Duration]("90s..3..4min"); err != nil || got != Triangular[Duration](90, 180, 240) {
		t.Errorf("90s..3..4min = %v, %v", got, err)
	}
	if got, err := ParseRange[Duration]("1h..1h30m"); err != nil || got != Uniform[Duration](3600, 5400) {
		t.Errorf("1h..1h30m = %v, %v", got, err)
	}
	if got, err := ParseRange[Rate]("5..8/s"); err != nil || got != Uniform[Rate](5, 8) {
		t.Errorf("5..8/s = %v, %v", got, err)
	}
	if got, err := ParseRange[Rate]("60..120/30min"); err != nil || got != Uniform[Rate](60./1800, 120./1800) {
		t.Errorf("60..120/30min = %v, %v", got, err)
	}
	if got, err := ParseRange[Fraction]("1..5%"); err != nil || got != Uniform[Fraction](0.01, 0.05) {
		t.Errorf("1..5%% = %v, %v", got, err)
	}
}

func TestParseRangeRefuses(t *testing.T) {
	erl := func(s string) error { _, err := ParseRange[Erlang](s); return err }
	for in, reason := range map[string]string{
		"":                "it is empty",
		"80..":            `in "" it is empty`,
		"..80":            `in "" it is empty`,
		"130..80":         "low is above high",
		"80..80":          "low and high are equal",
		"80..80..80":      "low and high are equal",
		"80..140..130":    "the most likely value is outside low and high",
		"80..70..130":     "the most likely value is outside low and high",
		"80...130":        `it holds "..."`,
		"1..2..3..4":      "it has more than three parts",
		"-5..3":           `in "-5" it is negative`,
		"80-130":          `unknown unit "-130"`,
		"1..1e400":        `in "1e400" the number is too large`,
		"1..2furlongs":    `in "2furlongs" unknown unit "furlongs"`,
		"80erl..130s":     `in "130s" unknown unit "s"`,
		"80..NaN..130erl": `in "NaN" it is not finite`,
	} {
		checkParseError(t, "range", in, erl(in), reason)
	}
	_, err := ParseRange[Duration]("1..1h30m") // which unit would the 1 take?
	checkParseError(t, "range", "1..1h30m", err, `in "1" it has no unit`)
	_, err = ParseRange[Duration]("2min..4")
	checkParseError(t, "range", "2min..4", err, `in "4" it has no unit`)
	want := `units: "9" is not a duration: it has no unit, want a duration such as 90s, 1.5h or 250ms, or a range such as 2..4min or 2..3..4min`
	if _, err := ParseRange[Duration]("9"); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestRangeKind(t *testing.T) {
	for _, c := range []struct {
		r       Range[Erlang]
		kind    RangeKind
		nominal Erlang
	}{
		{Point[Erlang](80), KindPoint, 80},
		{Uniform[Erlang](80, 80), KindPoint, 80},
		{Uniform[Erlang](80, 130), KindUniform, 105},
		{Triangular[Erlang](80, 100, 130), KindTriangular, 100},
		{Range[Erlang]{Low: 80, Mode: 105, High: 130}, KindTriangular, 105},
	} {
		if c.r.Kind() != c.kind || c.r.Nominal() != c.nominal || c.r.IsPoint() != (c.kind == KindPoint) {
			t.Errorf("%v: %v, nominal %v", c.r, c.r.Kind(), c.r.Nominal())
		}
	}
	for _, r := range []Range[Fraction]{
		{Low: 0.1, High: 0.2}, {Low: 0.3, Mode: 0.2, High: 0.1}, {Low: 0, Mode: 1, High: 2},
		Point(Fraction(math.NaN())), Uniform[Fraction](0.5, 0.1), {Low: -1},
	} {
		_, qerr := r.Quantile(0.5)
		_, merr := r.MarshalText()
		if r.Check() == nil || qerr == nil || merr == nil {
			t.Errorf("%#v: Check %v, Quantile %v, MarshalText %v, want errors", r, r.Check(), qerr, merr)
		}
	}
}

func TestQuantileReference(t *testing.T) {
	for _, row := range numtest.Table(t, "testdata/quantile.csv") {
		low, high := Number(row.Float("low")), Number(row.Float("high"))
		r := Uniform(low, high)
		if row.Text("mode") != "" {
			r = Triangular(low, Number(row.Float("mode")), high)
		}
		got, err := r.Quantile(row.Float("p"))
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, r.String()+" at "+row.Text("p"), float64(got), row.Float("want"), row.Float("tol"))
	}
}

func TestQuantileLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := value(t, 1e300)
		b := value(t, 1e300)
		if a == b {
			return
		}
		low, high := Number(min(a, b)), Number(max(a, b))
		mode := low + (high-low)*Number(rapid.Float64Range(0, 1).Draw(t, "mode"))
		if mode > high {
			mode = high
		}
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		q := rapid.Float64Range(p, 1).Draw(t, "q")
		for _, r := range []Range[Number]{Uniform(low, high), Triangular(low, mode, high)} {
			x, err := r.Quantile(p)
			y, err2 := r.Quantile(q)
			if err != nil || err2 != nil || x < low || y > high || x > y+high*1e-15 {
				t.Fatalf("%v: Quantile(%v) = %v, %v; Quantile(%v) = %v, %v", r, p, x, err, q, y, err2)
			}
		}
	})
	r := Triangular[Number](80, 100, 130)
	for _, p := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		if x, err := r.Quantile(p); err == nil {
			t.Errorf("Quantile(%v) = %v, want an error", p, x)
		}
	}
}
