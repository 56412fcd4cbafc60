package reliability_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

// bruteKOutOf lists all states of the units.
func bruteKOutOf(k int, units []reliability.Component) reliability.Figures {
	n := len(units)
	var f reliability.Figures
	for state := range 1 << n {
		p, up := 1.0, 0
		for i, c := range units {
			if state>>i&1 == 1 {
				p *= c.MTTF / (c.MTTF + c.MTTR)
				up++
			} else {
				p *= c.MTTR / (c.MTTF + c.MTTR)
			}
		}
		if up < k {
			f.Unavailability += p
			continue
		}
		f.Availability += p
		if up == k { // any unit that fails takes the system down
			for i, c := range units {
				if state>>i&1 == 1 {
					f.FailureFrequency += p / c.MTTF
				}
			}
		}
	}
	return f
}

func TestStructureBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "n")
		k := rapid.IntRange(1, n).Draw(t, "k")
		units := make([]reliability.Component, n)
		blocks := make([]reliability.Block, n)
		for i := range units {
			units[i] = reliability.Component{math.Exp(rapid.Float64Range(-9, 9).Draw(t, "f")), math.Exp(rapid.Float64Range(-9, 9).Draw(t, "r"))}
			blocks[i] = reliability.Unit(units[i])
		}
		check := func(name string, b reliability.Block, k int) {
			got, err := reliability.Structure(b)
			if err != nil {
				t.Fatal(err)
			}
			want := bruteKOutOf(k, units)
			if numtest.RelErr(got.Availability, want.Availability) > 1e-12 ||
				numtest.RelErr(got.Unavailability, want.Unavailability) > 1e-12 ||
				numtest.RelErr(got.FailureFrequency, want.FailureFrequency) > 1e-12 {
				t.Fatalf("%s: %+v, want %+v", name, got, want)
			}
		}
		check("k of n", reliability.KOutOf{k, blocks}, k)
		check("series", reliability.Series(blocks), n)
		check("parallel", reliability.Parallel(blocks), 1)
	})
}

// A network with two paths, by hand: (A and B) or C, all with MTTF 9, MTTR 1.
func TestStructureNested(t *testing.T) {
	u := reliability.Unit{9, 1}
	f, err := reliability.Structure(reliability.Parallel{reliability.Series{u, u}, u})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "unavailability", f.Unavailability, 0.19*0.1, 1e-14)
	// Fails from {AB down, C up} by C, or {C down, AB up} by A or B.
	numtest.Close(t, "frequency", f.FailureFrequency, 0.19*0.9/9+0.1*0.81*2/9, 1e-14)
	numtest.Close(t, "MTTF + MTTR", f.MTTF()+f.MTTR(), 1/f.FailureFrequency, 1e-14)
	one, _ := reliability.Structure(u)
	numtest.Close(t, "MTTF of a unit", one.MTTF(), 9, 1e-15)
	numtest.Close(t, "MTTR of a unit", one.MTTR(), 1, 1e-15)
	if never := (reliability.Figures{Availability: 1}); !math.IsInf(never.MTTF(), 1) || never.MTTR() != 0 {
		t.Errorf("a system that never fails: MTTF %v, MTTR %v", never.MTTF(), never.MTTR())
	}
	big := make(reliability.Series, 20_000)
	for i := range big {
		big[i] = reliability.Unit{1e6, 1}
	}
	if f, err = reliability.Structure(big); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "long series", f.Availability, math.Exp(-20_000*math.Log1p(1e-6)), 1e-11)
}

func TestStructureDomain(t *testing.T) {
	u := reliability.Unit{9, 1}
	for _, c := range []struct {
		block reliability.Block
		arg   string
	}{
		{nil, "block"}, {reliability.Series{}, "block.series"}, {reliability.Parallel{u, nil}, "block.parallel[1]"},
		{reliability.KOutOf{3, []reliability.Block{u, u}}, "block.kOutOf.K"}, {reliability.Series{u, reliability.Parallel{reliability.Unit{0, 1}}}, "block.series[1].parallel[0].MTTF"},
	} {
		_, err := reliability.Structure(c.block)
		wantDomain(t, err, c.arg)
		if err == nil || !strings.HasPrefix(err.Error(), "reliability: Structure: "+c.arg) {
			t.Errorf("err = %v", err)
		}
	}
}
