package unlike

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// The table agrees with the model of each mix: all figures, tails and busy
// servers, for mixes too small for their load, about right and far too large.
func TestMixTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	for trial := range longtest.Of(45, 90) {
		m := Queue{
			ArrivalRate: math.Exp(6*rng.Float64()-1) / 30,
			ServiceTime: 30,
			WhenFull:    WhenFull(trial % 3),
			Patience:    30 * math.Exp(4*rng.Float64()-2),
		}
		if rng.IntN(4) == 0 {
			m.ArrivalSCV, m.ServiceSCV = 0.7, 1.4
		}
		load := m.ArrivalRate * m.ServiceTime
		kinds := []Coming{
			independent(0, 1, 1, 1),
			independent(0, 1, math.Exp(2*rng.Float64()-1), 1),
			independent(0, 0.5+0.5*rng.Float64(), math.Exp(rng.Float64()-1), float64(1+rng.IntN(2))),
		}
		if rng.IntN(3) == 0 {
			kinds = append(kinds, independent(0, 0.9, 0.8, 1))
		}
		table, err := NewMixTable(m, kinds, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			counts := make([]float64, len(kinds))
			for j, k := range kinds {
				counts[j] = math.Floor(2 * rng.Float64() * load / float64(len(kinds)) * k.PerJob / k.Speed / k.Up)
			}
			v := table.varying(counts)
			want, e := v.At(0)
			got, err := table.At(counts)
			if (err != nil) != (e != nil) || errors.Is(err, queueing.ErrUnstable) != errors.Is(e, queueing.ErrUnstable) {
				t.Fatalf("%+v: %v, want %v", v, err, e)
			}
			if err == nil {
				sameFigures(t, got, want, m.ServiceTime)
			}
			busy, err := table.Busy(counts)
			if err != nil {
				t.Fatal(err)
			}
			beside, coming, err := v.Busy()
			if err != nil {
				t.Fatal(err)
			}
			for j, k := range kinds {
				var b float64
				switch {
				case k.Up == 1:
					b, beside = beside[0], beside[1:]
				case counts[j] > 0:
					b, coming = coming[0], coming[1:]
				}
				numtest.Close(t, "busy", 1+busy[j], 1+b, 1e-9)
			}
		}
	}
}

// sameFigures compares what objectives are made of.
func sameFigures(t *testing.T, got, want queueing.Figures, service float64) {
	t.Helper()
	for name, x := range map[string][2]float64{
		"servers":     {got.Servers, want.Servers},
		"blocking":    {got.Blocking, want.Blocking},
		"wait":        {got.WaitProbability, want.WaitProbability},
		"abandonment": {got.Abandonment, want.Abandonment},
		"mean wait":   {got.MeanWait, want.MeanWait},
		"response":    {got.MeanResponse, want.MeanResponse},
		"utilization": {got.Utilization, want.Utilization},
		"tail":        {got.WaitTail(service / 5), want.WaitTail(service / 5)},
		"late":        {got.WaitTail(service), want.WaitTail(service)},
	} {
		if math.IsInf(x[1], 1) && math.IsInf(x[0], 1) || x[1] < 1e-9 && x[0] < 2e-9 {
			continue
		}
		numtest.Close(t, name, x[0], x[1], 2e-8)
	}
}

// Counts that the table has no domain for are refused.
func TestMixTableDomain(t *testing.T) {
	kinds := []Coming{independent(0, 1, 1, 1)}
	for _, m := range []Queue{{}, {ArrivalRate: 1, ServiceTime: math.NaN()}, {ArrivalRate: 1e13, ServiceTime: 1}} {
		if _, err := NewMixTable(m, kinds, 1e-6); !errors.As(err, new(*queueing.DomainError)) {
			t.Errorf("%+v: %v", m, err)
		}
	}
	m, err := NewMixTable(Queue{ArrivalRate: 1, ServiceTime: 1}, kinds, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	for _, counts := range [][]float64{nil, {1, 2}, {-1}, {math.NaN()}, {1e13}} {
		if _, err := m.At(counts); !errors.As(err, new(*queueing.DomainError)) {
			t.Errorf("%v: %v", counts, err)
		}
		if _, err := m.Busy(counts); !errors.As(err, new(*queueing.DomainError)) {
			t.Errorf("busy %v: %v", counts, err)
		}
	}
	if _, err := new(MixTable).At(nil); err == nil {
		t.Error("an empty table answers")
	}
}

func BenchmarkMixTable(b *testing.B) {
	kinds := []Coming{independent(0, 1, 1, 1), independent(0, 1, 2.2, 1), independent(0, 0.968, 0.8, 2)}
	for when, name := range []string{"lossy", "queued", "impatient"} {
		m, err := NewMixTable(Queue{ArrivalRate: 1.2, ServiceTime: 100, WhenFull: WhenFull(when), Patience: 120}, kinds, 1e-6)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			n := 0.
			for b.Loop() {
				n++
				if _, err := m.At([]float64{60 + math.Mod(n, 7), 3, 180 + math.Mod(n, 5)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A table that has forgotten holds no numbers up, nor wider tables, and answers as before.
func TestMixTableForgets(t *testing.T) {
	kinds := []Coming{independent(0, 0.9, 1, 1), independent(0, 0.95, 1.3, 1)}
	table, err := NewMixTable(Queue{ArrivalRate: 40, ServiceTime: 1, WhenFull: Queued}, kinds, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	tight := []queueing.Objective{{Metric: queueing.WaitTail, Wait: 0.1, Limit: 0.05}}
	for _, counts := range [][]float64{{25, 25}, {70, 60}} {
		before, err := table.Slack(counts, tight)
		if err != nil {
			t.Fatal(err)
		}
		table.Forget()
		held := table.kept
		for j := range kinds {
			if held += len(table.ups[j]); table.used[j] != nil {
				held++
			}
		}
		if held > 0 || table.wide != nil {
			t.Errorf("%d kept, wider table %v", held, table.wide != nil)
		}
		again, err := table.Slack(counts, tight)
		if err != nil || again != before {
			t.Errorf("slack %v, %v, before %v", again, err, before)
		}
	}
}
