package sizing

import (
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// The limits of a fleet without a steady state are told as those of any other: as the share in time.
func TestCheckUnstableLimits(t *testing.T) {
	q := CheckQuestion{Servers: 1, SizeQuestion: SizeQuestion{
		Traffic: Traffic{
			OfferedLoad: units.Exactly[units.Erlang](5),
			ServiceTime: units.Exactly[units.Duration](60),
		},
		Objectives: Objectives{MaxWait: new(units.Duration(20)), MaxResponse: new(units.Duration(200))},
	}}
	few, err := Check(t.Context(), &q)
	if err != nil {
		t.Fatal(err)
	}
	q.Servers = 10
	many, err := Check(t.Context(), &q)
	if err != nil {
		t.Fatal(err)
	}
	if !few.Unstable || many.Unstable || len(few.Objectives) != 2 {
		t.Fatalf("unstable %v and %v, %d objectives", few.Unstable, many.Unstable, len(few.Objectives))
	}
	for i, o := range few.Objectives {
		want := many.Objectives[i]
		if o.Name != want.Name || o.Limit != want.Limit || ask.Value(o.Within) != ask.Value(want.Within) || o.Value != nil {
			t.Errorf("unstable: %+v, stable: %+v", o, want)
		}
	}
}
