package backtest_test

import (
	"context"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/smp"
)

// unsetClock is six weeks of a machine that believed it was 1970 in the first
// half of them, with a sample every 10 s: 170 million steps lie between, 1.4 GB if
// each of them took a number.
func unsetClock() machines.Trace {
	h := machines.Trace{Name: "m"}
	add := func(unix float64) {
		h.Samples = append(h.Samples, smp.Sample{Time: unix, Load: 0.1 + 0.3*math.Mod(unix/10, 2), FreeMemory: math.NaN()})
	}
	for i := range 21*8640 + 1 {
		add(float64(10 * i))
	}
	const monday = 1704067200 // 2024-01-01
	for i := range 21 * 8640 {
		add(monday + float64(10*i))
	}
	return h
}

// A gap takes no memory, however long, and is asked about.
func TestLongGapTakesNoMemory(t *testing.T) {
	hosts := []machines.Trace{unsetClock()}
	day := machines.DayWindow{Day: "weekday", Start: 9 * 3600, Window: 600, Days: 5}
	ctx := context.Background()
	for name, ask := range map[string]func() ([]string, error){
		"rank": func() ([]string, error) {
			a, err := machines.Rank(ctx, &machines.RankQuestion{Hosts: hosts, DayWindow: day})
			if err == nil && math.Abs(a.Hosts[0].MeanLoad-0.25) > 0.01 {
				t.Errorf("mean load %v, want 0.25", a.Hosts[0].MeanLoad)
			}
			return a.Warnings, err
		},
		"replay": func() ([]string, error) {
			a, err := backtest.Replay(ctx, &backtest.ReplayQuestion{
				Hosts:   hosts,
				Lengths: []float64{600},
				Times:   3,
				Train:   0.9995,
				Horizon: 3600,
			})
			return a.Warnings, err
		},
		"evaluate": func() ([]string, error) {
			a, err := backtest.Evaluate(ctx, &backtest.EvaluateQuestion{
				Hosts:   hosts,
				Day:     "weekday",
				Windows: []float64{600},
				Starts:  []float64{9 * 3600},
				Train:   0.999,
				Models:  []string{"last"},
			})
			return a.Warnings, err
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		warnings, err := ask()
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 400 {
			t.Errorf("%s: %d MiB were asked for, want less than 400", name, took)
		} else {
			t.Logf("%s: %d MiB", name, took)
		}
		const asked = "from 1970-01-22T00:00:10Z on: perhaps the clock of the machine was not set"
		if !strings.Contains(strings.Join(warnings, "\n"), asked) {
			t.Errorf("%s: no question about the clock in %q", name, warnings)
		}
	}
}
