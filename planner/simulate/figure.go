package simulate

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
)

// A Figure is one by simulation. What is not known is null.
type Figure struct {
	Mean *float64 `json:"mean"`
	Low  *float64 `json:"low"` // of the 95 % interval
	High *float64 `json:"high"`
	// ClosedForm is the figure by the model that is checked; Agrees says whether it lies within the
	// interval, widened for the number of figures, and is null where the runs had not settled.
	ClosedForm *float64 `json:"closed_form"`
	Agrees     *bool    `json:"agrees"`
	// Difference is closed form over mean, less 1.
	Difference *float64 `json:"difference"`
	// TooRare says that too few events were met to tell whether the figure agrees.
	TooRare bool `json:"too_rare,omitempty"`
}

// never is beyond any wait that is one.
const never = 1e290

// compare puts the figures of the simulation beside those of the closed form, in
// seconds.
func (a *Simulation) compare(got sim.Result, s System, unit float64) {
	for _, e := range got.Figures {
		closed, known := s.Closed[e.Name]
		if !known && !(s.All && s.has(e.Name)) || e.Samples == 0 {
			continue
		}
		// Only times and rates have a unit of time to convert.
		scale := 1.0
		switch e.Unit {
		case "s":
			scale = unit
		case "1/s":
			scale = 1 / unit
		}
		f := Figure{ClosedForm: closed}
		// A wait that never ends is a huge number in the simulation and null
		// here.
		if e.Mean < never {
			f.Mean = ask.Figure(e.Mean * scale)
			if len(s.Station.Jobs) == 0 {
				f.Low, f.High = ask.Figure(e.Low*scale), ask.Figure(e.High*scale)
			}
			if f.High != nil && *f.High >= never {
				f.High = nil
			}
		}
		switch {
		case closed == nil || f.Mean == nil:
		case *closed > 0 && e.Mean == 0 && e.High == 0:
			// Nobody waited, which is rare and not never: runs that are all 0 have no spread
			// to tell an upper end by. The share of those who wait has one.
			f.High = nil
		case *closed < 1 && e.Mean == 1 && e.Low == 1: // nor any moment that is always
			f.Low = nil
		default:
			one := 0.0
			if counted := a.Horizon - a.WarmUp; e.Unit == "1/s" && counted > 0 {
				one = 1 / counted
			}
			f.judge(e.Name, got.Replications-e.Undefined, *closed, one)
		}
		if a.Unsettled {
			f.Agrees = nil
		}
		f.Low, f.High = within(e.Name, f.Low, f.High)
		a.Figures[e.Name] = f
	}
	for name, f := range a.Figures {
		if part, is := strings.CutSuffix(name, "mean_response_s"); is {
			f.followsWait(a.Figures[part+"mean_wait_s"])
			a.Figures[name] = f
		}
		if f.Agrees != nil {
			a.Agrees = new(*f.Agrees && (a.Agrees == nil || *a.Agrees))
		}
	}
}

// beyond is the chance that a figure differs from a closed form that holds. An answer compares many figures, and by
// 95 % intervals one in twenty would differ by chance alone.
const beyond = 6e-4

// widened is how many times as wide as the 95 % interval of some runs that is of which a figure lies outside with
// the chance beyond: 1.75 for many runs, 2.3 for ten and 9.5 for three, whose spread tells little.
func widened(runs int) float64 {
	t := distuv.StudentsT{Sigma: 1, Nu: float64(max(1, runs-1))}
	return t.Quantile(1-beyond/2) / t.Quantile(0.975)
}

// judge compares the figure of a name, of some runs, with a closed form. Rounding alone is no disagreement, nor is one
// customer more or less in a run, which changes the figure by one.
//
// Runs that met few of a rare event differ little too, since the variance of a count is in proportion to its
// mean: the interval is widened to what it would be if the closed form held. Where they met fewer than some ten, as
// half an interval of [tooWide] of what was seen tells, it is not judged: rare waits come in bursts, of which one small
// one tells nothing of the others.
func (f *Figure) judge(name string, runs int, closed, one float64) {
	mean := *f.Mean
	if mean != 0 {
		f.Difference = ask.Figure(closed/mean - 1)
	}
	if f.Low == nil && f.High == nil {
		return // one replay has no interval to lie in
	}
	off := closed - mean
	agrees := math.Abs(off) <= 1e-9*math.Abs(closed)+one
	switch {
	case off < 0:
		rare := 1.0
		_, most := possible(name)
		if most == 1 && mean < 1 {
			rare = math.Sqrt((1 - closed) / (1 - mean))
		}
		agrees = agrees || f.Low == nil || -off <= widened(runs)*rare*(mean-*f.Low)
		if most == 1 && !agrees {
			f.TooRare = few(1-mean, mean-*f.Low, -off)
		}
	case off > 0:
		rare := 1.0
		if mean > 0 {
			rare = math.Sqrt(closed / mean)
		}
		agrees = agrees || f.High == nil || off <= widened(runs)*rare*(*f.High-mean)
		f.TooRare = !agrees && few(mean, *f.High-mean, off)
	}
	if !f.TooRare {
		f.Agrees = &agrees
	}
}

const (
	tooWide = 0.7 // half of an interval over its middle, beyond which fewer than ten events make the figure
	tooFar  = 1e4 // half intervals, of which no rare event is off
)

// few reports whether a figure, of half an interval, rests on so few events that being off proves nothing.
func few(seen, half, off float64) bool { return half >= tooWide*seen && off <= tooFar*half }

// followsWait judges a response whose interval is that of the wait, as it is where all services are alike, by the
// wait: of its own size a rare wait does not show.
func (f *Figure) followsWait(wait Figure) {
	if f.Agrees == nil || *f.Agrees || f.High == nil || wait.Mean == nil || wait.ClosedForm == nil {
		return
	}
	switch half := *f.High - *f.Mean; {
	case wait.High == nil: // nobody waited
		if half <= 1e-9**f.Mean {
			f.Agrees, f.TooRare = nil, true
		}
	case half <= 1.1*(*wait.High-*wait.Mean):
		f.Agrees, f.TooRare = wait.Agrees, wait.TooRare
	}
}
