package unlike

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// How busy servers are of which nobody is turned away needs no numbers up: it takes no steps,
// and is what the figures have, as is which counts it refuses.
func TestMixSlackOfUtilizationAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 2))
	for range 200 {
		m := Queue{ArrivalRate: math.Exp(6*rng.Float64()-1) / 30, ServiceTime: 30, WhenFull: Queued, Work: &Work{}}
		load := m.ArrivalRate * m.ServiceTime
		kinds := []Coming{independent(0, 1, 0.5+rng.Float64(), 1), independent(0, 0.9, 1, 1), independent(0, 0.8, 0.7, 0.5)}
		counts := make([]float64, len(kinds))
		for i := range counts {
			counts[i] = math.Floor(load * rng.Float64())
		}
		table, err := NewMixTable(m, kinds, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		made := m.Work.Steps
		busy := queueing.Objective{Metric: queueing.Utilization, Limit: 0.8}
		got, err := table.Slack(counts, []queueing.Objective{busy})
		if m.Work.Steps > made {
			t.Errorf("%v: took %g steps", counts, m.Work.Steps-made)
		}
		f, want := table.varying(counts).At(0)
		if (err == nil) != (want == nil) || err == nil && !(math.Abs(got-busy.Slack(f)) <= 1e-12) {
			t.Errorf("%v under %.4g erl: slack %v and %v, want %v and %v", counts, load, got, err, busy.Slack(f), want)
		}
	}
}

// Slack is that of the figures of every mix by itself, which knows neither the
// nodes nor the rules of the table.
func TestMixSlack(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	few := 0
	for trial := range longtest.Of(24, 80) {
		m := Queue{
			ArrivalRate: math.Exp(6*rng.Float64()-1) / 30,
			ServiceTime: 30,
			WhenFull:    Queued,
			Patience:    30 * math.Exp(4*rng.Float64()-2),
		}
		if trial%2 == 0 {
			m.WhenFull = Impatient
		} else if rng.IntN(4) == 0 {
			m.ArrivalSCV, m.ServiceSCV = 0.7, 1.4
		}
		load := m.ArrivalRate * m.ServiceTime
		kinds := []Coming{
			independent(0, 1, 1, 1),
			independent(0, 1, math.Exp(2*rng.Float64()-1), 1),
			independent(0, 1-math.Exp(-5*rng.Float64()-0.7), math.Exp(rng.Float64()-1), float64(1+rng.IntN(3))),
			independent(0, 1, 1, 1),
		}
		if rng.IntN(4) == 0 {
			kinds = append(kinds, independent(0, 0.9, 0.8, 0.5))
		}
		limit := math.Exp(-2 - 9*rng.Float64())
		objectives := []queueing.Objective{
			{Metric: queueing.WaitTail, Limit: limit, Wait: m.ServiceTime * 4 * rng.Float64() * rng.Float64()},
			{Metric: queueing.WaitProbability, Limit: limit},
			{Metric: queueing.Utilization, Limit: 0.8},
		}
		if m.WhenFull == Impatient {
			late := queueing.Objective{
				Metric: queueing.LateShare,
				Limit:  limit,
				Wait:   m.ServiceTime * 4 * rng.Float64() * rng.Float64(),
				Of:     queueing.ServiceLevelOf(rng.IntN(4)),
			}
			objectives = append(objectives, queueing.Objective{Metric: queueing.Abandonment, Limit: limit}, late)
		}
		table, err := NewMixTable(m, kinds, limit/1000)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			counts := make([]float64, len(kinds))
			for j, k := range kinds {
				counts[j] = math.Floor((0.6 + 1.2*rng.Float64()) * load / float64(len(kinds)) * k.PerJob / k.Speed / k.Up)
			}
			if rng.IntN(3) == 0 {
				counts[rng.IntN(len(counts))] = 0
			}
			if rng.IntN(3) == 0 {
				counts[0] += rng.Float64()
			}
			f, e := table.varying(counts).At(0)
			for i, o := range objectives {
				for range 2 * i { // so that some are by Gauss rules
					if _, err := table.Slack(counts, []queueing.Objective{o}); (err != nil) != (e != nil) {
						t.Fatal(err, e)
					}
				}
				got, err := table.Slack(counts, []queueing.Objective{o})
				if (err != nil) != (e != nil) {
					t.Fatalf("%v: %v, want %v", counts, err, e)
				}
				if e != nil {
					continue
				}
				want := o.Slack(f)
				// Chances below the floor are told to be below it.
				if want > math.Log(1000) && got > math.Log(1000) {
					continue
				}
				if !(math.Abs(got-want) <= 2e-9) && got != want {
					t.Errorf("%d: %+v of %v %+v: %v: %.12g, want %.12g (%.1e)", trial, m, counts, kinds, o, got, want, got-want)
				}
			}
			for j := range table.few {
				for _, r := range table.few[j] {
					if r.rule != nil && r.rule.few {
						few++
					}
				}
			}
		}
	}
	if few < longtest.Of(12, 40) {
		t.Errorf("Gauss rules of %d counts, want them to be tested", few)
	}
}

// Far beyond what the load asks for machines are as busy as in the mix by itself.
func TestMixBusyFarBeyond(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 2))
	for trial := range longtest.Of(3, 9) {
		m := Queue{ArrivalRate: math.Exp(3 * rng.Float64()), ServiceTime: 1, WhenFull: WhenFull(trial % 3), Patience: 2}
		kinds := []Coming{
			independent(0, 1, 1, 1),
			independent(0, 0.5+0.5*rng.Float64(), math.Exp(2*rng.Float64()-1), 2),
			independent(0, 0.97, 0.8, 1),
		}
		table, err := NewMixTable(m, kinds, 1e-5)
		if err != nil {
			t.Fatal(err)
		}
		counts := make([]float64, len(kinds))
		for j := range counts {
			counts[j] = math.Floor(m.ArrivalRate * math.Exp(4+6*rng.Float64()*float64(1-min(j, 1))))
		}
		counts[rng.IntN(2)] *= float64(rng.IntN(2))
		if counts[0] == 0 && rng.IntN(2) == 0 {
			counts[2] = 0
		}
		beside, coming, err := table.varying(counts).Busy()
		if err != nil {
			t.Fatal(err)
		}
		busy, err := table.Busy(counts)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "always there", busy[0], beside[0], 1e-9)
		for j := 1; j < len(kinds); j++ {
			if counts[j] > 0 {
				numtest.Close(t, "coming", busy[j], coming[0], 1e-9)
				coming = coming[1:]
			}
		}
	}
}

// Each mix is another, as in a search.
func BenchmarkMixSlack(b *testing.B) {
	kinds := []Coming{independent(0, 1, 1, 1), independent(0, 1, 2.2, 1), independent(0, 0.968, 0.8, 2)}
	for name, when := range map[string]WhenFull{"queued": Queued, "impatient": Impatient} {
		model := Queue{ArrivalRate: 1.2, ServiceTime: 100, WhenFull: when, Patience: 120}
		m, err := NewMixTable(model, kinds, 1e-6)
		if err != nil {
			b.Fatal(err)
		}
		late := []queueing.Objective{{Metric: queueing.WaitTail, Limit: 0.05, Wait: 20}}
		b.Run(name, func(b *testing.B) {
			n := 0.
			for b.Loop() {
				n++
				if _, err := m.Slack([]float64{60 + math.Mod(n, 7), 3, 180 + math.Mod(n, 5)}, late); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Numbers up of so many kinds that their product is beyond whole numbers are not gone
// through one by one.
func TestMixSlackOfManyKinds(t *testing.T) {
	var kinds []Coming
	counts := make([]float64, 40)
	for j := range counts {
		kinds, counts[j] = append(kinds, independent(0, 0.99, 1+float64(j)/100, 1)), 3 // four numbers up
	}
	table, err := NewMixTable(Queue{ArrivalRate: 130, ServiceTime: 1, WhenFull: Queued}, kinds, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	for range gaussPays {
		if _, ok, err := table.rule(counts, true); ok || err != nil {
			t.Fatalf("4⁴⁰ numbers up are taken from the table, %v", err)
		}
	}
}
