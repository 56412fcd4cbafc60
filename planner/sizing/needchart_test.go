package sizing

import (
	"context"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// chartQuestions have needs of all kinds: of every model, of tens and of millions
// of servers, with one figure of the load that is a range and with two.
func chartQuestions(t *testing.T) map[string]*SizeQuestion {
	share, wait := parse[units.Percentile](t, "80%"), parse[units.Duration](t, "20s")
	few, patience := parse[units.Fraction](t, "3%"), parse[units.Duration](t, "2min")
	long := Traffic{Rate: rng[units.Rate](t, "5..40..90/s"), ServiceTime: rng[units.Duration](t, "4min")}
	both := Traffic{Rate: rng[units.Rate](t, "80..100..130/min"), ServiceTime: rng[units.Duration](t, "3..4..6min")}
	with := func(x Traffic, arrivals, services units.Number) Traffic {
		x.ArrivalSCV, x.ServiceSCV = &arrivals, &services
		return x
	}
	leaving := func(x Traffic) Traffic {
		x.Patience = patience
		return x
	}
	late := Objectives{MaxWait: wait, Percentile: share}
	pool := &Pool{Machines: 300, Speed: 0.5, Availability: 0.4, Replicas: 2}
	return map[string]*SizeQuestion{
		"waits":           {Traffic: both, Objectives: late},
		"varied services": {Traffic: with(long, 1, 3), Objectives: late},
		"both vary":       {Traffic: with(both, 0.5, 0.3), Objectives: late},
		"leave":           {Traffic: leaving(long), Objectives: late},
		"leave, both":     {Traffic: leaving(both), Objectives: late},
		"leave, two limits": {Traffic: leaving(both),
			Objectives: Objectives{MaxWait: wait, Percentile: share, MaxAbandon: few}},
		"lost":      {Traffic: long, Objectives: Objectives{MaxBlocking: few}},
		"mean wait": {Traffic: with(both, 2, 0), Objectives: Objectives{MaxMeanWait: wait}},
		"responses": {Traffic: both, Objectives: Objectives{MaxMeanResponse: parse[units.Duration](t, "5min")}},
		"busy":      {Traffic: both, Objectives: Objectives{MaxUtilization: parse[units.Fraction](t, "80%")}},
		"few": {Traffic: with(Traffic{Rate: rng[units.Rate](t, "1..40/h"),
			ServiceTime: rng[units.Duration](t, "1..20min")}, 1, 4), Objectives: late},
		"many": {Traffic: leaving(Traffic{Rate: rng[units.Rate](t, "1e3..1e6/s"),
			ServiceTime: rng[units.Duration](t, "3..5min")}), Objectives: late},
		"a pool": {Traffic: both, Objectives: late, Pool: pool},
	}
}

// What a chart tells is the need found by the search to the last server, and it tells
// that of nearly all loads.
func TestNeedChartAgainstSearch(t *testing.T) {
	ctx := context.Background()
	for name, q := range chartQuestions(t) {
		// Long services leave no answer to the responses; of few servers, and of a law of
		// loads that is wide, many a stretch holds too few draws.
		least := map[string]float64{"responses": 0.2, "few": 0.5, "many": 0.4}[name]
		if least == 0 {
			least = 0.99
		} else if !longtest.Wanted() {
			continue
		}
		rng := rand.New(rand.NewPCG(7, 8))
		n := longtest.Of(12000, 20000)
		draws := make([][2]float64, n)
		for i := range draws {
			draws[i] = q.quantiles(rng.Float64(), rng.Float64(), rng.Float64())
		}
		if err := q.sortByLoad(ctx, draws); err != nil {
			t.Fatal(err)
		}
		loadAt := func(k int) Load { return q.loadOf(draws[k]) }
		chart, err := chartOf(ctx, n, loadAt, q.fleetOf)
		if err != nil {
			t.Fatal(name, err)
		}
		told, wrong := 0, 0
		for i := range draws {
			s := loadAt(i)
			n, _, _ := chart.need(s)
			if math.IsNaN(n) {
				continue
			}
			told++
			if i%longtest.Of(499, 1) != 0 {
				continue
			}
			if want, err := needNear(ctx, s, n, q.fleetOf); err != nil || want != n {
				if wrong++; wrong < 4 {
					t.Errorf("%s: %+v: %v, want %v, %v", name, s, n, want, err)
				}
			}
		}
		if part := float64(told) / float64(n); part < least {
			t.Errorf("%s: the chart tells %v of the needs, want %v", name, part, least)
		}
	}
}

// The real needs of very many loads are read off the chart: few fleets are made, and the needs are those that each
// load has by itself.
func TestRealNeedsOfManyLoads(t *testing.T) {
	all := chartQuestions(t)
	all["leave, of few"] = &SizeQuestion{Traffic: Traffic{Rate: rng[units.Rate](t, "4..5..6/s"),
		ServiceTime: rng[units.Duration](t, "100..140..200ms"), Patience: parse[units.Duration](t, "70ms")},
		Objectives: Objectives{MaxAbandon: parse[units.Fraction](t, "0.7%")}}
	for _, name := range []string{"leave, two limits", "leave, of few"} {
		q := all[name]
		rng := rand.New(rand.NewPCG(7, 9))
		draws := make([][2]float64, manyReal)
		for i := range draws {
			draws[i] = q.quantiles(rng.Float64(), rng.Float64(), rng.Float64())
		}
		var made atomic.Int64
		fleet := func(s Load) (*Fleet, error) {
			made.Add(1)
			return q.fleetOf(s)
		}
		needs, err := RealNeeds(t.Context(), len(draws), func(k int) Load { return q.loadOf(draws[k]) }, fleet)
		if err != nil {
			t.Fatal(name, err)
		}
		t.Logf("%s: %d fleets for %d loads", name, made.Load(), len(draws))
		if made.Load() > manyReal/4 {
			t.Errorf("%s: %d fleets made for %d loads", name, made.Load(), len(draws))
		}
		for i := 0; i < len(needs); i += 40 {
			f, err := q.fleetOf(q.loadOf(draws[i]))
			if err != nil {
				t.Fatal(err)
			}
			want, _, err := f.need(t.Context(), nil)
			if err != nil || math.Abs(needs[i]-want) > realOff {
				t.Errorf("%s: load %d needs %v, want %v: %v", name, i, needs[i], want, err)
			}
		}
	}
}

// A counted model counts how often it is asked.
type counted struct {
	queueing.Model
	asked *int
}

func (c counted) At(servers float64) (queueing.Figures, error) {
	*c.asked++
	return c.Model.At(servers)
}

// The need of a draw with several limits takes fewer figures than the search if it is about known, as with one: no
// real number is looked for. It is that of the search.
func TestNeedNearOfSeveralLimits(t *testing.T) {
	q := chartQuestions(t)["leave, two limits"]
	rng := rand.New(rand.NewPCG(7, 10))
	for range 20 {
		s, asked, searched := q.loadOf(q.quantiles(rng.Float64(), rng.Float64(), rng.Float64())), 0, 0
		f, err := q.fleetOf(s)
		if err != nil {
			t.Fatal(err)
		}
		f.Model = counted{f.Model, &searched}
		want, _, _, _, err := f.Solve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := needNear(t.Context(), s, want, func(s Load) (*Fleet, error) {
			f, err := q.fleetOf(s)
			f.Model = counted{f.Model, &asked}
			return f, err
		})
		if got != want || err != nil || asked > searched*2/3 {
			t.Errorf("%v servers by %d figures, want %v, by %d: %v", got, asked, want, searched, err)
		}
	}
}
