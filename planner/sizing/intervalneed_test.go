package sizing

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// Needs found between loads that agree are those found load by load, for all
// models and with several objectives.
func TestNeedsOfAgreeOneByOne(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(1, 2))
	share, wait := units.Percentile(0.9), units.Duration(5)
	blocking, busy, patience := units.Fraction(0.02), units.Fraction(0.9), units.Duration(30)
	scv := units.Number(2.5)
	var levels ResponseLimits
	if err := levels.Set("p50<11s,p90<40s"); err != nil {
		t.Fatal(err)
	}
	for name, q := range map[string]SizeQuestion{
		"loss":    {Objectives: Objectives{MaxBlocking: &blocking}},
		"wait":    {Objectives: Objectives{MaxWait: &wait, Percentile: &share, MaxUtilization: &busy}},
		"general": {Traffic: Traffic{ServiceSCV: &scv}, Objectives: Objectives{MaxWait: &wait, Percentile: &share}},
		"sharing": {Model: Sharing, Objectives: Objectives{Responses: levels}},
		"abandon": {Traffic: Traffic{Patience: &patience}, Objectives: Objectives{MaxWait: &wait, Percentile: &share, MaxAbandon: &blocking}},
	} {
		mean := units.Point(units.Duration(10))
		q.ServiceTime = &mean
		q.Curve = &traffic.Curve{Start: []float64{0}, Rate: []float64{1}, End: 1}
		loads := make([]float64, longtest.Of(200, 400))
		for i := range loads {
			loads[i] = math.Exp(rng.Float64()*6 - 1)
			if i%10 == 9 {
				loads[i] = loads[i-1]
			}
		}
		loads[7] = 0
		got, err := needsOf(ctx, loads, 10, q.fleetOf)
		if err != nil {
			t.Fatal(name, err)
		}
		want := make([]intervalNeed, len(loads))
		for i, a := range loads {
			f, err := q.fleetOf(LoadOf(a, 10))
			if err != nil {
				t.Fatal(name, err)
			}
			if want[i].servers, want[i].binding, err = f.near(ctx, math.NaN()); err != nil {
				t.Fatal(name, err)
			}
		}
		if !reflect.DeepEqual(got, want) {
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("%s: load %v: %+v, want %+v", name, loads[i], got[i], want[i])
				}
			}
		}
	}
}
