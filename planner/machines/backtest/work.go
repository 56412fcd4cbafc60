package backtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp/baseline"
)

// What the work of an evaluation is foreseen by, in nanoseconds of one processor, as measured on random
// walks of an hour, five minutes and a minute a step.
const (
	cellWork = 3000 // a start and length of window of a machine
	dayWork  = 200  // and of each of its days
	stayWork = 60   // and of each stay on it
	byteWork = 70   // of a record that waits for the end of a draw, so that those that do fit into memory
)

// fewestForecasts is the number of test days that time-series models forecast whatever they take.
const fewestForecasts = 15

// knownDays returns on about how many days something of a record is known, and how many stays a step has.
func knownDays(l *machines.Labelled) (days, stays float64) {
	h := l.History
	last, steps := math.Inf(-1), 0.0
	for _, r := range h.Runs {
		from, to := math.Floor(float64(r.First)*h.Period/86400), math.Floor(float64(r.End()-1)*h.Period/86400)
		days += to - math.Max(from, last+1) + 1
		last = to
		steps += float64(r.Steps)
	}
	return days, float64(len(h.Runs)) / math.Max(steps, 1)
}

// forecastWork is that of all time-series models on one test day, whose window has n steps.
func (e *evaluation) forecastWork(n float64) float64 {
	order := float64(cmp.Or(e.q.Order, 3))
	small := order <= 3 && !e.q.AIC // see baseline.EvaluateForecaster
	total := 0.0
	for _, m := range e.models {
		total += 100
		switch m := m.(type) {
		case baseline.BestMean:
			total += 3 * order * n
		case baseline.AR:
			total += 300 + 10*order*n
		case baseline.ARMA:
			kinds, fits := 2.0, (order+1)*(order+1)/3
			if m.AR == 0 {
				kinds, fits = 1, order/2
			}
			switch {
			case small:
				total += 800*kinds + 200*kinds*n // of smooth loads; half of that of walks
			case !e.q.AIC:
				fits = 1
				fallthrough
			default:
				total += 1e4*fits + 35*fits*kinds*kinds*order*order*n
			}
		}
	}
	if total > 0 {
		total += 200 + 5*n
	}
	return total
}

// eachWindow calls f with the steps of each window, or as many as a record has.
func (e *evaluation) eachWindow(period, most float64, f func(n float64)) {
	for _, length := range e.windows {
		f(math.Max(1, math.Min(most, math.Round(length/period))))
	}
}

// mostForecasts is on how many test days of a machine, at each start and length of window, time-series
// models forecast: 0 for all.
func (e *evaluation) mostForecasts(period float64) int {
	if e.q.Whole || e.q.SameClock || len(e.models) == 0 {
		return 0
	}
	day := 0.0
	e.eachWindow(period, math.Inf(1), func(n float64) { day += e.forecastWork(n) })
	day *= float64(len(e.kinds) * len(e.starts))
	return int(max(fewestForecasts, mostWork/fewestDrawn/day))
}

// machineWork is about what it takes to judge a machine whose record takes so many bytes, and how much of
// that is for noise.
func (e *evaluation) machineWork(l *machines.Labelled, loads *baseline.Loads, bytes float64) (total, noise float64) {
	h := l.History
	forecast := e.forecastWork
	if !slices.ContainsFunc(loads.Spans, func(s baseline.LoadSpan) bool { return s.Values != nil }) {
		// Loads that do not vary are fitted at once.
		forecast = func(n float64) float64 { return float64(len(e.models)) * (100 + 10*n) }
	}
	if len(h.Runs) == 0 {
		return 0, 0
	}
	days, stays := knownDays(l)
	period := h.Period
	share := map[string]float64{"both": 0.5, "weekday": 5. / 7, "weekend": 2. / 7}[e.q.Day] // of a kind
	days *= share
	forecasts := (1 - e.train) * days
	if most := e.mostForecasts(period); most > 0 {
		forecasts = math.Min(forecasts, float64(most))
	}
	cells, noisy := 0.0, 0.0
	e.eachWindow(period, float64(h.Runs[len(h.Runs)-1].End()-h.Runs[0].First), func(n float64) {
		process := cellWork + days*(dayWork+stayWork*(1+stays*n))
		if e.q.Ages { // by a kernel
			process *= 4
		}
		cells += process * float64(1+len(e.q.Ratios))
		noisy += process
		if e.q.SameClock { // one fit, which looks at the latest values first
			cells += forecast(math.Min(n*days, 1000)) + 30*n*days
		} else {
			cells += forecasts * forecast(n)
		}
	})
	if q := e.q.Noise; q != nil {
		draws := float64(len(e.kinds)*len(q.Instances)) * float64(cmp.Or(q.Repetitions, 20))
		noise = draws * (noisy + stayWork*float64(len(h.Runs)))
	}
	return math.Max(cells*float64(len(e.kinds)*len(e.starts))+noise, byteWork*bytes), noise
}

// checkWork refuses a machine that would take far too long by itself, and says what to ask less of.
func (e *evaluation) checkWork(name string, work, noise float64) error {
	if work <= 2*mostWork || e.q.Whole {
		return nil
	}
	field, less := "starts", fault.Count(len(e.starts), "start")+" and "+fault.Count(len(e.windows), "window")
	switch order := cmp.Or(e.q.Order, 3); {
	case noise > work/2:
		field, less = "repetitions", fault.Count(cmp.Or(e.q.Noise.Repetitions, 20), "draw")+" of noise"
	case order > 3 || e.q.AIC:
		field, less = "order", fmt.Sprintf("models of orders up to %d for ", order)+less
	}
	return ask.Inputf(field, "%s of machine %s would take some %s of computing, want at most %s: take fewer, or ask "+
		"for the whole (%s)", less, name, ask.Time(math.Round(work/1e9)), ask.Time(2*mostWork/1e9),
		ask.FieldName("whole"))
}
