package priority

import (
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// A class that nobody comes of leaves the others' figures to the last digit, and
// theirs stay exact, wherever it stands.
func TestClassOfRateZeroIsNotThere(t *testing.T) {
	two := []Class{{"a", 1, 1, 1}, {"b", 0.3, 2, 1}}
	alike := []Class{{"a", 1, 1, 1}, {"b", 0.3, 1, 1}}
	for _, preemptive := range []bool{false, true} {
		for _, classes := range [][]Class{two, alike} {
			want, err := Queue{Preemptive: preemptive, Servers: 3, Classes: classes}.Figures(t.Context())
			if err != nil || want.Warning != nil {
				t.Fatal(err, want.Warning)
			}
			for at := range 3 {
				with := append(append(append([]Class{}, classes[:at]...), Class{"nobody", 0, 4, 3}), classes[at:]...)
				got, err := Queue{Preemptive: preemptive, Servers: 3, Classes: with}.Figures(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if got.Warning != nil || got.Approximation != nil || got.Chained != want.Chained || got.MeanWait != want.MeanWait {
					t.Errorf("preemptive %v, at %d: %+v, want the means of %+v", preemptive, at, got, want)
				}
				others := append(append([]ClassFigures{}, got.Classes[:at]...), got.Classes[at+1:]...)
				for k, f := range others {
					if f != want.Classes[k] {
						t.Errorf("preemptive %v, at %d: %+v, want %+v", preemptive, at, f, want.Classes[k])
					}
				}
				z := got.Classes[at]
				if z.MeanQueueLength != 0 || z.Throughput != 0 || z.Name != "nobody" {
					t.Errorf("nobody: %+v", z)
				}
				// Behind classes of one rate who comes alone waits by Kella and Yechiali; else no form is known.
				if known := !preemptive && classes[1].ServiceTime == 1; known == math.IsNaN(z.MeanWait) {
					t.Errorf("preemptive %v, at %d: nobody waits %v", preemptive, at, z.MeanWait)
				}
				if at == 2 && !preemptive && classes[1].ServiceTime == 1 {
					numtest.Close(t, "behind all", z.MeanWait, want.Classes[1].MeanWait/(1-1.3/3)*(1-1.0/3), 1e-12)
				}
			}
		}
	}
	_, err := Queue{Servers: 2, Classes: []Class{{"nobody", 0, 4, 3}, {"a", 1, 1, 1}, {"b", 5, 2, 1}}}.Figures(t.Context())
	if s := (*queueing.SaturatedError)(nil); !errors.As(err, &s) || s.Index != 2 || s.Name != "b" {
		t.Errorf("saturated: %v", err)
	}
}
