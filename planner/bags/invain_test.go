package bags

import (
	"errors"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A speed left the number of machines as it was, and a user's bound all but the credits of a strategy.
func TestSpeedsAndBoundsCount(t *testing.T) {
	number, bag := new(units.Number(2)), &BagSpec{WallClock: new(units.Duration(9))}
	for field, err := range map[string]error{
		"speed":      (&HostsSpec{Speed: number}).Counted(),
		"speed_cv":   (&HostsSpec{SpeedCV: number}).Counted(),
		"wall_clock": bag.Credited("", nil),
	} {
		if e := (*ask.InputError)(nil); !errors.As(err, &e) || e.Field != field {
			t.Errorf("%v, want an error of %s", err, field)
		}
	}
	for _, err := range []error{new(HostsSpec).Counted(), bag.Credited("9C-C-R", nil), new(BagSpec).Credited("", nil)} {
		if err != nil {
			t.Error(err)
		}
	}
	if bag.Credited("9C-C-R", new(float64)) == nil || bag.Credited("none", nil) == nil {
		t.Error("a bound is taken beside credits, or without a strategy")
	}
}
