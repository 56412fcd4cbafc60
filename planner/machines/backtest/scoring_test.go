package backtest_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/smp"
)

// sampledFleet draws machines with loads every half hour for some days from
// Monday, 2024-01-01; each has a rate of its own at which it is overloaded.
func sampledFleet(n, days int) []machines.Trace {
	rng := rand.New(rand.NewPCG(11, 7))
	var out []machines.Trace
	for m := range n {
		h := machines.Trace{Name: fmt.Sprintf("m%02d", m)}
		rate := 0.01 + 0.1*rng.Float64()*rng.Float64()
		busy := 0
		for s := range days * 48 {
			if busy == 0 && rng.Float64() < rate {
				busy = 1 + rng.IntN(6)
			}
			load := 0.1 + 0.3*rng.Float64()
			if busy > 0 {
				busy--
				load = 0.9
			}
			h.Samples = append(h.Samples, smp.Sample{Time: 1704067200 + 1800*float64(s), Load: load, FreeMemory: math.NaN()})
		}
		out = append(out, h)
	}
	return out
}

func recorderOf(t *testing.T, q *backtest.ScoreQuestion, h *machines.Trace) *machines.Recorder {
	t.Helper()
	r := q.NewRecorder(h.Name)
	for _, x := range h.Samples {
		if err := r.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func scores(t *testing.T, q *backtest.ScoreQuestion, fleet []machines.Trace, together bool) *backtest.ScoreAnswer {
	t.Helper()
	s, err := backtest.NewScoring(q)
	if err != nil {
		t.Fatal(err)
	}
	add := func(i int) error { return s.Add(context.Background(), recorderOf(t, q, &fleet[i])) }
	if together {
		err = parallel.All(context.Background(), len(fleet), add)
	} else {
		for i := range fleet {
			if err == nil {
				err = add(i)
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestScoresByHand scores windows of 2 h at 10:00 from the samples, as one
// would by hand, by two models that need no fit.
func TestScoresByHand(t *testing.T) {
	fleet := sampledFleet(6, 12) // ten weekdays: five to learn from
	q := &backtest.ScoreQuestion{Day: "weekday", Models: []string{backtest.ShareOfDaysModel, backtest.AlwaysModel}, Windows: []float64{7200}, Starts: []float64{36000}}
	a := scores(t, q, fleet, false)
	type one struct {
		machine int
		p       float64
		free    bool
	}
	var all []one
	for m, h := range fleet {
		up := func(day, sample int) bool { return h.Samples[48*day+sample].Load < 0.6 }
		weekdays := []int{0, 1, 2, 3, 4, 7, 8, 9, 10, 11}
		begun, kept := 0, 0
		var later []one
		for i, d := range weekdays {
			if !up(d, 20) {
				continue
			}
			free := up(d, 21) && up(d, 22) && up(d, 23) && up(d, 24)
			if i >= 5 {
				later = append(later, one{machine: m, free: free})
				continue
			}
			begun++
			if free {
				kept++
			}
		}
		p := 0.5
		if begun > 0 {
			p = float64(kept) / float64(begun)
		}
		for _, x := range later {
			x.p = p
			all = append(all, x)
		}
	}
	judge := func(name string, p func(one) float64) {
		f := a.Models[slices.IndexFunc(a.Models, func(f backtest.ForecastScore) bool { return f.Model == name })]
		brier, log := 0.0, 0.0
		by := map[int][2]float64{}
		for _, x := range all {
			v, y := p(x), 0.0
			clipped := math.Min(math.Max(v, 0.001), 0.999)
			if x.free {
				y = 1
				log -= math.Log(clipped)
			} else {
				log -= math.Log(1 - clipped)
			}
			brier += (v - y) * (v - y)
			by[x.machine] = [2]float64{by[x.machine][0] + (v-y)*(v-y), by[x.machine][1] + 1}
		}
		n := float64(len(all))
		spread := 0.0
		for m := range len(fleet) {
			spread += math.Pow(by[m][0]-brier/n*by[m][1], 2)
		}
		se := math.Sqrt(spread*float64(len(by))/float64(len(by)-1)) / n
		if math.Abs(f.Brier-brier/n) > 1e-12 || math.Abs(f.LogLoss-log/n) > 1e-12 || math.Abs(*f.BrierError-se) > 1e-12 {
			t.Errorf("%s: Brier %v ± %v, log loss %v; by hand %v ± %v, %v", name, f.Brier, *f.BrierError, f.LogLoss, brier/n, se, log/n)
		}
		// The best tenth, windows of one chance at its end in part.
		byChance := map[float64][2]float64{}
		for _, x := range all {
			c := byChance[p(x)]
			c[0]++
			if !x.free {
				c[1]++
			}
			byChance[p(x)] = c
		}
		var chances []float64
		for v := range byChance {
			chances = append(chances, v)
		}
		slices.Sort(chances)
		left, failed := n/10, 0.0
		for i := len(chances) - 1; i >= 0 && left > 0; i-- {
			c := byChance[chances[i]]
			take := math.Min(left, c[0])
			failed += c[1] * take / c[0]
			left -= take
		}
		if want := failed / (n / 10); math.Abs(f.BestTenth-want) > 1e-12 {
			t.Errorf("%s: %v of the best tenth fail, by hand %v", name, f.BestTenth, want)
		}
		windows := 0
		for _, b := range f.Diagram {
			windows += b.Windows
		}
		if windows != len(all) {
			t.Errorf("%s: the diagram has %d of %d windows", name, windows, len(all))
		}
	}
	if a.Scored != len(all) || a.Scored == 0 {
		t.Fatalf("%d windows, by hand %d", a.Scored, len(all))
	}
	judge(backtest.ShareOfDaysModel, func(x one) float64 { return x.p })
	judge(backtest.AlwaysModel, func(one) float64 { return 1 })
}

// TestScoresOfSMPAreItsEvaluation: the mean of the predictions and of the
// observations is what the older evaluation has.
func TestScoresOfSMPAreItsEvaluation(t *testing.T) {
	fleet := sampledFleet(4, 12)
	q := &backtest.ScoreQuestion{Day: "weekday", Models: []string{backtest.SMPModel, backtest.CountsModel}, Windows: []float64{3600, 7200}, Starts: []float64{32400, 50400}}
	a := scores(t, q, fleet, false)
	for i, counts := range []bool{false, true} {
		e, err := backtest.Evaluate(context.Background(), &backtest.EvaluateQuestion{Hosts: fleet, Day: "weekday", Windows: q.Windows, Starts: q.Starts, Models: []string{}, Counts: counts})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Models[i].Predicted; math.Abs(got-*e.Models[0].Predicted) > 1e-12 || math.Abs(a.Observed-*e.Models[0].Observed) > 1e-12 || a.Scored != e.Models[0].TestDays {
			t.Errorf("counts %v: %v predicted, %v observed of %d; the evaluation has %v, %v, %d", counts, got, a.Observed, a.Scored, *e.Models[0].Predicted, *e.Models[0].Observed, e.Models[0].TestDays)
		}
	}
}

func TestScoresDoNotDependOnOrder(t *testing.T) {
	fleet := sampledFleet(12, 6)
	q := &backtest.ScoreQuestion{Day: "weekday", Models: backtest.ModelNames, Windows: []float64{3600, 10800}, Starts: []float64{0, 43200}, Explain: true, Group: func(m string) string { return m[:2] }}
	want := scores(t, q, fleet, false)
	slices.Reverse(fleet)
	if got := scores(t, q, fleet, true); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nin another order %+v", want, got)
	}
}

func TestScoringRefuses(t *testing.T) {
	for _, q := range []*backtest.ScoreQuestion{
		nil, {}, {Day: "weekday", Models: []string{"frailtee"}}, {Day: "weekday", Models: []string{"smp", "smp"}}, {Day: "weekday", Windows: make([]float64, 17)}, {Day: "weekday", Train: 1},
	} {
		if _, err := backtest.NewScoring(q); err == nil {
			t.Errorf("%+v is taken", q)
		}
	}
	q := &backtest.ScoreQuestion{Day: "weekday"}
	s, err := backtest.NewScoring(q)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Finish(context.Background()); err == nil {
		t.Error("no machine is an answer")
	}
	one := sampledFleet(1, 1)
	if err := s.Add(context.Background(), recorderOf(t, q, &one[0])); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Finish(context.Background()); err == nil {
		t.Error("one day is enough")
	}
}

// Windows shorter than a machine's step are refused, by shards too, which left the machine
// out in silence.
func TestShardsRefuseWindows(t *testing.T) {
	q := &backtest.ScoreQuestion{Day: "weekday", Windows: []float64{600}}
	s, err := backtest.NewScoring(q)
	if err != nil {
		t.Fatal(err)
	}
	fleet := sampledFleet(1, 12)
	want := s.Add(context.Background(), recorderOf(t, q, &fleet[0]))
	kept, err := s.Score(context.Background(), recorderOf(t, q, &fleet[0]))
	if want == nil || err == nil || err.Error() != want.Error() {
		t.Errorf("a shard says %v and keeps %.80s, together %v", err, kept, want)
	}
}

// A window longer than any record takes no time and no memory, is said not to be scored, and leaves the
// others as they are.
func TestWindowBeyondRecords(t *testing.T) {
	fleet := sampledFleet(4, 12)
	q := &backtest.ScoreQuestion{Day: "weekday", Windows: []float64{3600, 14400}}
	want := scores(t, q, fleet, false)
	q.Windows = []float64{3600, 14400, 3.6e10} // 20 million steps, 480 MB for each beginning
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := scores(t, q, fleet, false)
	runtime.ReadMemStats(&after)
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 100 {
		t.Errorf("%d MiB were asked for, want less than 100", took)
	}
	if !reflect.DeepEqual(got.Models, want.Models) || len(want.Warnings) > 0 {
		t.Errorf("%+v, without it %+v", got.Models, want.Models)
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "no window of 1,142 years could be scored") {
		t.Errorf("%q", got.Warnings)
	}
}

// Of two days the second is judged. A window of 8 h that begins at 20:00 on the day before the record
// lies by half within it, and with that day the two had to be parted at 20:00 of the second.
func TestDaysBeforeTheRecordAreNone(t *testing.T) {
	q := &backtest.ScoreQuestion{
		Labelling: machines.Labelling{Period: new(1800.0)},
		Day:       "both",
		Models:    []string{backtest.AlwaysModel},
		Windows:   []float64{8 * 3600},
	}
	h := machines.Trace{Name: "quiet"}
	for s := range 2 * 48 {
		h.Samples = append(h.Samples, smp.Sample{Time: 1704067200 + 1800*float64(s), Load: 0.1, FreeMemory: math.NaN()})
	}
	// Samples end at 23:30, so that the windows are those from midnight to 15:00.
	if a := scores(t, q, []machines.Trace{h}, false); a.Scored != 16 {
		t.Errorf("%d windows, want 16", a.Scored)
	}
}
