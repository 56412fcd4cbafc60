package alloc

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// planted is a batch of jobs that name some resources each, on one of which all of them have been placed; the
// resources then get a share of their capacity more.
func planted(r *rand.Rand, jobs, each, lists int, demand func() int64, more float64) *Batch {
	b := &Batch{Dependencies: []string{"cpu"}}
	name := func(j int) string { return fmt.Sprintf("R%d", j) }
	for j := range (jobs + each - 1) / each {
		b.Resources = append(b.Resources, Resource{ID: name(j), Dependency: "cpu"})
	}
	for k, home := range r.Perm(jobs) {
		home /= each
		d, may := demand(), []string{name(home)}
		for len(may) < min(lists, len(b.Resources)) {
			if j := name(r.IntN(len(b.Resources))); !slices.Contains(may, j) {
				may = append(may, j)
			}
		}
		b.Resources[home].PrimaryCapacity += d
		b.Jobs = append(b.Jobs, Job{ID: fmt.Sprintf("J%d", k), Eligible: map[string][]string{"cpu": may},
			Levels: map[string][]Level{"cpu": {{Demand: d, Revenue: 3 * d}, {Demand: 2 * d, Revenue: 5 * d}}}})
	}
	for j := range b.Resources {
		b.Resources[j].PrimaryCapacity = int64(float64(b.Resources[j].PrimaryCapacity) * (1 + more))
	}
	return b
}

// Jobs that name the resources that they may use find a place where others have to move for it: one demand on one
// resource each is a perfect matching, and several unlike ones to a resource are found with a tenth of it free.
func TestListedJobsAreRehoused(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 28))
		unlike := func() int64 { return 1 + r.Int64N(20) }
		for _, x := range []struct {
			what        string
			each, lists int
			demand      func() int64
			more        float64
		}{
			{"a matching of two", 1, 2, func() int64 { return 1 }, 0},
			{"a matching of three", 1, 3, func() int64 { return 7 }, 0.1},
			{"four alike", 4, 2, func() int64 { return 3 }, 0},
			{"four unlike of two", 4, 2, unlike, 0.1},
			{"four unlike of three", 4, 3, unlike, 0.1},
		} {
			for _, jobs := range []int{40, 2000} {
				s, err := New(planted(r, jobs, x.each, x.lists, x.demand, x.more))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Allocate(context.Background(), Options{}); err != nil {
					t.Errorf("%s, %d jobs, seed %d: %v", x.what, jobs, seed, err)
				}
			}
		}
	}
}

// Jobs whose least demands exceed what all resources that they may use hold are named, with these.
func TestListedJobsThatAreTooMany(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 28))
	b := planted(r, 300, 3, 2, func() int64 { return 4 }, 0.5)
	for k := range 5 { // of 4 each; two resources hold 8 each, as the 9 of the first are not used whole
		b.Jobs[k].Eligible["cpu"] = []string{"left", "right"}
	}
	b.Resources = append(b.Resources, Resource{ID: "left", Dependency: "cpu", PrimaryCapacity: 9},
		Resource{ID: "right", Dependency: "cpu", PrimaryCapacity: 8})
	s, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Allocate(context.Background(), Options{})
	var none *InfeasibleError
	if !errors.As(err, &none) || none.Need != 20 || none.Have != 16 || none.Unit != 4 ||
		!slices.Equal(none.Jobs, []string{"J0", "J1", "J2", "J3", "J4"}) ||
		!slices.Equal(none.Eligible, []string{"left", "right"}) {
		t.Fatalf("%v", err)
	}
	const want = "alloc: cpu: the least demands of J0, J1, J2, J3, J4 need 20, but left, right, which are all that " +
		"they may use, hold 16 in multiples of 4"
	if none.Error() != want {
		t.Errorf("%q, want %q", none.Error(), want)
	}
	// The same for jobs that must be served beside others that may be left out.
	for k := range b.Jobs {
		if k >= 5 {
			b.Jobs[k].Admission = Optional
		}
	}
	if s, err = New(b); err != nil {
		t.Fatal(err)
	}
	if _, err = s.Allocate(context.Background(), Options{}); !errors.As(err, &none) || none.Need != 20 {
		t.Errorf("with optional jobs: %v", err)
	}
}
