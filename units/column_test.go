package units_test

import (
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/units"
)

func TestColumn(t *testing.T) {
	for _, c := range []struct {
		of     func([]float64) units.Column
		values []float64
		want   []string
	}{
		{units.DurationColumn, []float64{0.9, 1.2}, []string{"0.9 s", "1.2 s"}},
		{units.DurationColumn, []float64{0.128, 7.47, 0}, []string{"0.128 s", "7.47 s", "0 s"}},
		{units.DurationColumn, []float64{0.0241, 0.0131}, []string{"24.1 ms", "13.1 ms"}},
		{units.DurationColumn, []float64{888600, 3900, 0}, []string{"247 h", "1.08 h", "0 h"}},
		{units.RateColumn, []float64{1. / 120, 100}, []string{"0.5/min", "6,000/min"}},
		{units.DurationColumn, []float64{35e-9, 5e-6}, []string{"0.035 us", "5 us"}},
		{units.DurationColumn, []float64{1, 1314}, []string{"1 s", "1,314 s"}},
		{units.DurationColumn, []float64{0.035, 5}, []string{"0.035 s", "5 s"}},
		{units.DurationColumn, []float64{1, 200000}, []string{"0.0167 min", "3,333 min"}},
		{units.DurationColumn, []float64{95, 130}, []string{"95 s", "130 s"}},
		{units.DurationColumn, []float64{0, 0}, []string{"0 s", "0 s"}},
		{units.DurationColumn, []float64{1e-3, 86400 * 30}, []string{"1 ms", "30 d"}},
		{units.DurationColumn, []float64{86400 * 30, 1e9}, []string{"30 d", "31.7 years"}},
		{units.DurationColumn, []float64{3, math.Inf(1)}, []string{"3 s", "infinite"}},
		{units.RateColumn, []float64{0.5, 2}, []string{"30/min", "120/min"}},
		{units.RateColumn, []float64{0.5, 200}, []string{"0.5/s", "200/s"}},
	} {
		column := c.of(c.values)
		var got []string
		for _, v := range c.values {
			got = append(got, column.Write(v, 3))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: got %q, want %q", c.values, got, c.want)
		}
	}
}

// No text has digits that a computation cannot tell.
func TestNoFalseDigits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{units.FormatFraction(1-3e-16, 4), "> 99.99999999%"},
		{units.FormatFraction(1-3e-9, 4), "99.9999997%"},
		{units.FormatFraction(2.54e-6, 3), "0.000254%"},
		{units.FormatFraction(3.42e-8, 3), "3.42e-8"},
		{units.FormatDuration(81480437939799*86400, 5), "2.2323e11 years"},
		{units.FormatDuration(3600*86400, 3), "3,600 d"},
		{units.FormatDuration(12345678*86400, 3), "33,800 years"},
		{units.FormatDuration(-12345678*86400, 3), "-33,800 years"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
