package forecast_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/sim"
)

// Machines that are drawn stay free through a window as often as Ask says, each by
// itself, and two of one site together as often as Joint says, with and without
// frailties that sites share.
func TestPopulationStaysAsForecast(t *testing.T) {
	const runs = 4000
	for _, group := range []func(string) string{nil, site} {
		f := fitted(t, group, nil, 0, 3)
		p, _, err := f.Population(&forecast.PopulationQuestion{Fleet: f, Day: nine.Day, Start: nine.Start})
		if err != nil {
			t.Fatal(err)
		}
		a, err := forecast.Ask(context.Background(), &forecast.Question{Fleet: f, DayWindow: nine})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]float64{}
		for _, m := range a.Machines {
			want[m.Name] = m.Reliability
		}
		pair := []string{f.Records[0].Name, f.Records[1].Name}
		both, err := forecast.Joint(context.Background(), &forecast.JointQuestion{Fleet: f, DayWindow: nine, Hosts: pair, Least: 2})
		if err != nil {
			t.Fatal(err)
		}
		together, of := 0.0, 0.0
		stayed, free := make([]float64, p.Size()), make([]float64, p.Size())
		for run := range runs {
			begin := p.Begin(func(e ...uint64) *rand.Rand { return sim.Stream(3, run, e...) })
			all, stay := 0, 0
			for i := range p.Size() {
				if up, until := begin(i, sim.Stream(4, run, uint64(i)))(); up {
					free[i]++
					if i < len(pair) {
						all++
					}
					if until >= nine.Window {
						stayed[i]++
						if i < len(pair) {
							stay++
						}
					}
				}
			}
			if all == len(pair) {
				if of++; stay == len(pair) {
					together++
				}
			}
		}
		if se := math.Sqrt(both.Chance * (1 - both.Chance) / of); math.Abs(together/of-both.Chance) > 4*se {
			t.Errorf("both %v: %.4f, want %.4f ± %.4f, if apart %.4f", pair, together/of, both.Chance, se, both.Apart)
		}
		for i, r := range f.Records {
			got, p := stayed[i]/free[i], want[r.Name]
			if se := math.Sqrt(p * (1 - p) / free[i]); math.Abs(got-p) > 4*se || free[i] < runs/3 {
				t.Errorf("%s: %.4f of %v, want %.4f ± %.4f", r.Name, got, free[i], p, se)
			}
		}
	}
}

// In the long run machines are there as often as they were, and away for as long;
// the closed laws have those means too.
func TestPopulationInTheLongRun(t *testing.T) {
	f := twentyDays(t)
	q := &forecast.PopulationQuestion{Fleet: f}
	p, at, err := f.Population(q)
	if err != nil || float64(at.Unix()) != f.End {
		t.Fatal(at, err)
	}
	up, down, err := p.Laws()
	if err != nil {
		t.Fatal(err)
	}
	platform := &hosts.Platform{Population: p, Speed: hosts.Speed{Mean: 1}}
	const runs, span = 40, 20 * 86400.0
	var there, stays, away, absences float64
	for run := range runs {
		r, err := platform.Begin(func(e ...uint64) *rand.Rand { return sim.Stream(5, run, e...) })
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Size() {
			h, from := r.Host(i), 0.0
			for ; from < span; h.Next() {
				length := math.Min(h.Until, span) - from
				if h.Up {
					there, stays = there+length, stays+1
				} else {
					away, absences = away+length, absences+1
				}
				from = h.Until
			}
		}
	}
	if got := there / (there + away); math.Abs(got-platform.Availability()) > 0.005 {
		t.Errorf("there for %.4f of the time, want %.4f", got, platform.Availability())
	}
	if mean := away / absences / 300; math.Abs(mean-2) > 0.1 || math.Abs(down.Mean()/300-mean) > 0.15 {
		t.Errorf("away for %.3f steps, by the law for %.3f, want about 2", mean, down.Mean()/300)
	}
	if mean := there / stays; math.Abs(up.Mean()/mean-1) > 0.1 {
		t.Errorf("stays of %.0f s, by the law %.0f s", mean, up.Mean())
	}
}

// Two sites whose frailties are 0.5 or 1.5 and else not known, of six machines each that
// are away for six hours: what is common to a site is in the spread of the number there.
func TestPopulationSpreadsBySite(t *testing.T) {
	f := fitted(t, site, nil, 0, 3)
	f.Hazard.Shape = 1e5
	for i := range f.Hazard.Machines {
		m := &f.Hazard.Machines[i]
		m.Failures, m.Expected, m.Frailty = 0, 0, 1
	}
	for i := range f.Hazard.Groups {
		g := &f.Hazard.Groups[i]
		g.Frailty, g.Weight = []float64{0.5, 1.5}, []float64{0.5, 0.5}
	}
	p, _, err := f.Population(&forecast.PopulationQuestion{Fleet: f, Down: law.Exponential{Scale: 6 * 3600}})
	if err != nil {
		t.Fatal(err)
	}
	platform := &hosts.Platform{Population: p, Speed: hosts.Speed{Mean: 1}}
	mean, sd := platform.Present()
	const runs, late = 1500, 5 * 86400.0
	var first, second float64
	for run := range runs {
		r, err := platform.Begin(func(e ...uint64) *rand.Rand { return sim.Stream(6, run, e...) })
		if err != nil {
			t.Fatal(err)
		}
		n := 0.0
		for i := range p.Size() {
			h := r.Host(i)
			for h.Until < late {
				h.Next()
			}
			if h.Up {
				n++
			}
		}
		first, second = first+n/runs, second+n*n/runs
	}
	got := math.Sqrt(second - first*first)
	own := 0.0
	for i := range p.Size() {
		own += p.Availability(i) * (1 - p.Availability(i))
	}
	if math.Abs(first-mean) > 0.5 || math.Abs(got/sd-1) > 0.08 || sd < 1.1*math.Sqrt(own) {
		t.Errorf("%.3f are there with a spread of %.3f, want %.3f with %.3f; each for itself %.3f", first, got, mean, sd, math.Sqrt(own))
	}
}

func TestPopulationRefuses(t *testing.T) {
	f := fitted(t, nil, nil, 0, 2)
	old := *f
	old.Returns = nil
	for _, c := range []struct {
		field string
		f     *forecast.Fleet
		q     *forecast.PopulationQuestion
	}{
		{"fleet", f, nil},
		{"fleet", &forecast.Fleet{}, &forecast.PopulationQuestion{}},
		{"down", &old, &forecast.PopulationQuestion{}},
		{"hosts", f, &forecast.PopulationQuestion{Hosts: []string{"nobody"}}},
		{"hosts", f, &forecast.PopulationQuestion{Hosts: []string{f.Records[0].Name, f.Records[0].Name}}},
		{"machines", f, &forecast.PopulationQuestion{Count: -1}},
		{"machines", f, &forecast.PopulationQuestion{Count: 3, Hosts: []string{f.Records[0].Name}}},
		{"day", f, &forecast.PopulationQuestion{Day: "someday"}},
	} {
		_, _, err := c.f.Population(c.q)
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != c.field {
			t.Errorf("%s: %v", c.field, err)
		}
	}
	p, _, err := old.Population(&forecast.PopulationQuestion{Count: 7, Down: law.Exponential{Scale: 3600}})
	if err != nil || p.Size() != 7 || !(p.Availability(0) > 0.5 && p.Availability(0) < 1) {
		t.Error(p, err)
	}
}

// Ten million machines like those of a fleet are as many of one: they took 3.8 GB. What they have in common is of
// each two.
func TestManyMachinesAlike(t *testing.T) {
	seen := officeFleet(t)
	shared := map[int]float64{}
	for _, n := range []int{2, 10_000_000} {
		p, _, err := seen.Population(&forecast.PopulationQuestion{Fleet: seen, Count: n})
		if err != nil || p.Size() != n || p.Availability(n-1) != p.Availability(0) {
			t.Fatal(err)
		}
		shared[n] = p.(hosts.Sharing).SharedVariance() / (float64(n) * float64(n-1))
	}
	if a, b := shared[2], shared[10_000_000]; !(a > 0) || math.Abs(a/b-1) > 1e-9 {
		t.Errorf("of each two %v, and of ten million %v", a, b)
	}
}

// Machines that fail eight times as often, or are seen to fail only, in the hours of work are away together then. By
// each for itself the number of them would have a standard deviation of a seventh to two fifths, as the law told.
func TestPopulationSpreadsByHour(t *testing.T) {
	f := fitted(t, nil, nil, 0, 3)
	for h := range f.Hazard.Hour {
		f.Hazard.Hour[h] = 0.375
		if h >= 9 && h < 17 {
			f.Hazard.Hour[h] = 3
		}
	}
	seen := officeFleet(t)
	for _, q := range []forecast.PopulationQuestion{
		{Fleet: f, Count: 200, Down: law.Exponential{Scale: 900}},
		{Fleet: f, Count: 200, Down: law.Exponential{Scale: 3600}},
		{Fleet: f, Count: 200, Down: law.Exponential{Scale: 4 * 3600}},
		{Fleet: seen},
		{Fleet: seen, Count: 200},
	} {
		p, _, err := q.Fleet.Population(&q)
		if err != nil {
			t.Fatal(err)
		}
		platform := &hosts.Platform{Population: p, Speed: hosts.Speed{Mean: 1}}
		mean, sd := platform.Present()
		got, own := spreadOver(t, platform, mean), 0.0
		for i := range p.Size() {
			own += p.Availability(i) * (1 - p.Availability(i))
		}
		t.Logf("away by %v: %.2f, by the law %.2f, each for itself %.2f", q.Down, got, sd, math.Sqrt(own))
		if math.Abs(got/sd-1) > 0.15 {
			t.Errorf("away by %v: standard deviation %v, by the law %v", q.Down, got, sd)
		}
	}
}

// officeFleet learns forty machines of four weeks, each away for half an hour or more some days between nine and five.
func officeFleet(t *testing.T) *forecast.Fleet {
	t.Helper()
	l, err := forecast.NewLearning(machines.Labelling{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		r := l.Labelling().NewRecorder(fmt.Sprint("m", i))
		draw, at, end := rand.New(rand.NewPCG(9, uint64(i))), 0.0, 28*86400.0
		spell := func(length float64, up bool) {
			length = 300 * math.Ceil(min(length, end-at)/300)
			if length > 0 {
				if err := r.AddSpell(monday+at, monday+at+length, up, 300); err != nil {
					t.Fatal(err)
				}
			}
			at += length
		}
		for at < end {
			next := at + 3*3600*draw.ExpFloat64() // in hours of work alone
			if hour := math.Mod(next, 86400) / 3600; hour < 9 || hour >= 17 || math.Mod(next/86400, 7) >= 5 {
				spell(3600*(1-math.Mod(at/3600, 1)), true)
				continue
			}
			spell(next-at, true)
			spell(1800+1800*draw.ExpFloat64(), false)
		}
		if err := l.Add(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
	f, err := l.Fleet(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// thereEachHour is how many machines of a run are there at each of the first hours.
func thereEachHour(platform *hosts.Platform, r *hosts.Run, hours int) []float64 {
	n := make([]float64, hours)
	for i := range platform.Machines() {
		h := r.Host(i)
		for k := range n {
			for h.Until <= 3600*float64(k) {
				h.Next()
			}
			if h.Up {
				n[k]++
			}
		}
	}
	return n
}

// spreadOver is the standard deviation of the number there over three weeks, about a mean.
func spreadOver(t *testing.T, platform *hosts.Platform, mean float64) float64 {
	const runs, moments = 6, 21 * 24
	sum := 0.0
	for run := range runs {
		r, err := platform.Begin(func(e ...uint64) *rand.Rand { return sim.Stream(8, run, e...) })
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range thereEachHour(platform, r, moments) {
			sum += (x - mean) * (x - mean) / runs / moments
		}
	}
	return math.Sqrt(sum)
}
