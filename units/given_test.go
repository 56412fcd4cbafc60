package units_test

import (
	"testing"
	"time"

	"github.com/capplan/capplan/units"
)

func TestGiven(t *testing.T) {
	if r := units.Exactly[units.Erlang](120); !r.IsPoint() || r.Nominal() != 120 {
		t.Errorf("Exactly: %v", r)
	}
	if r := units.Between[units.Rate](1, 2, 4); r.Kind() != units.KindTriangular || r.Check() != nil || r.Low != 1 || r.Nominal() != 2 || r.High != 4 {
		t.Errorf("Between: %v", r)
	}
	if d := units.DurationOf(90 * time.Minute); d != 5400 {
		t.Errorf("an hour and a half is %v s", float64(d))
	}
	if d := units.DurationOf(time.Nanosecond); d != 1e-9 {
		t.Errorf("a nanosecond is %v s", float64(d))
	}
	// 0.42 an hour reads as it was given.
	if p := units.PerHour(0.42); p.String() != "0.42/h" {
		t.Errorf("%v", p)
	}
}
