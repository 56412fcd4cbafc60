package varying

import (
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/measured"
	"math"
	"sort"
)

// A Cycle is an arrival rate that is constant on intervals and repeats, such
// as a day in hours.
type Cycle struct {
	Start []float64 // s, increasing; interval i is [Start[i], Start[i+1])
	End   float64   // s, end of the last interval; the cycle then starts anew
	Rate  []float64 // λ on each interval, per s, ≥ 0
}

// A Method turns a load that changes with time into one load per interval.
type Method int

// The methods, all of which then size each interval as if in steady state.
const (
	// SIPP, stationary independent period by period, takes the mean rate of
	// the interval itself. It staffs too late: the load follows the arrivals
	// with a delay of about a service time.
	SIPP Method = iota
	// LaggedSIPP takes the mean rate over the interval shifted back by the
	// mean age E[S_e] = E[S](1 + c_s²)/2 of a service in progress. Source:
	// Green, Kolesar, Soares 2001; Eick, Massey, Whitt 1993, eq. 15.
	LaggedSIPP
	// MOL, modified offered load, takes the greatest mean number of busy
	// servers that infinitely many servers would have within the interval,
	// m(t) = ∫₀^∞ λ(t−u) P(S > u) du. After a step down that is what is left
	// of the interval before, be it for a second: [LoadCourses] says for how
	// long. Source: Jennings, Mandelbaum, Massey, Whitt, Management Science
	// 42, 1996; Eick, Massey, Whitt 1993, eq. 6.
	MOL
)

func (m Method) String() string {
	switch m {
	case SIPP:
		return "SIPP"
	case LaggedSIPP:
		return "lagged SIPP"
	case MOL:
		return "MOL"
	}
	return "unknown method"
}

// Approximation returns how far off the chance to wait was found where days were
// staffed by the method, nil for one that is none.
func (m Method) Approximation() *queueing.Approximation {
	found := map[Method]*measured.Measurement{SIPP: &measured.StaffingSIPP, LaggedSIPP: &measured.StaffingLagged,
		MOL: &measured.StaffingMOL}[m]
	if found == nil {
		return nil
	}
	return &queueing.Approximation{
		Method:          m.String() + ", each interval in steady state",
		WaitProbability: queueing.ErrorRange(found.Range),
		Regime:          found.Regime,
		Source:          found.Source,
	}
}

// Agreed is Approximation for intervals that need the same servers by all three
// methods, where MOL was found closer: a curve that changes little while services
// last. There is one figure, as the servers are the same.
func Agreed() *queueing.Approximation {
	a := MOL.Approximation()
	a.WaitProbability, a.Regime = queueing.ErrorRange(measured.StaffingAgreed.Range), measured.StaffingAgreed.Regime
	a.Method = "SIPP, lagged SIPP and MOL alike, each interval in steady state"
	return a
}

// IntervalLoads returns the offered load in erlangs that the method assigns to
// each interval of the cycle, for services with the given mean (s) and SCV.
// MOL uses the service law by its first two moments: exponential for SCV 1,
// deterministic for 0, a mixture of the two below 1 and a hyperexponential law
// of two phases with balanced means above 1. Time O(intervals·log intervals).
func IntervalLoads(c Cycle, service, scv float64, method Method) ([]float64, error) {
	k := queueing.Domain{Func: "IntervalLoads"}
	checkCycle(&k, c, service, scv)
	if k.Err != nil {
		return nil, k.Err
	}
	w := newCycleWork(c)
	load := make([]float64, len(c.Rate))
	for i := range load {
		from, to := w.edge[i], w.edge[i+1]
		switch method {
		case SIPP:
			load[i] = c.Rate[i] * service
		case LaggedSIPP:
			lag := service * (1 + scv) / 2
			load[i] = (w.arrivals(to-lag) - w.arrivals(from-lag)) / (to - from) * service
		case MOL:
			continue
		default:
			return nil, &queueing.DomainError{Func: "IntervalLoads", Arg: "method", Value: float64(method), Want: "SIPP, LaggedSIPP or MOL"}
		}
	}
	if method == MOL {
		b := w.busy(service, scv)
		for i := range load {
			load[i] = b.course(i).Peak()
		}
	}
	for _, a := range load {
		k.AtLeastZero("load", a)
		k.Magnitude("load", a)
	}
	return load, k.Err
}

// checkCycle checks a cycle and the service of those who arrive in it.
func checkCycle(k *queueing.Domain, c Cycle, service, scv float64) {
	if len(c.Start) == 0 || len(c.Start) != len(c.Rate) {
		k.Fail("intervals", float64(len(c.Start)), "one rate for each of at least one start")
		return
	}
	for i, r := range c.Rate {
		k.AtLeastZero("rate", r)
		if i > 0 && !(c.Start[i] > c.Start[i-1]) {
			k.Fail("start", c.Start[i], "increasing starts")
		}
	}
	if !(c.End > c.Start[len(c.Start)-1]) || math.IsInf(c.End-c.Start[0], 0) {
		k.Fail("end", c.End, "a finite end after the last start")
	}
	k.Positive("service time", service)
	k.AtLeastZero("service SCV", scv)
}

// cycleWork has the cycle with time from 0 and the arrivals up to each edge.
type cycleWork struct {
	edge, count, rate []float64
	period            float64
}

func newCycleWork(c Cycle) *cycleWork {
	n := len(c.Rate)
	w := &cycleWork{edge: make([]float64, n+1), count: make([]float64, n+1), rate: c.Rate}
	for i := range n {
		w.edge[i] = c.Start[i] - c.Start[0]
	}
	w.edge[n] = c.End - c.Start[0]
	for i := range n {
		w.count[i+1] = w.count[i] + w.rate[i]*(w.edge[i+1]-w.edge[i])
	}
	w.period = w.edge[n]
	return w
}

// arrivals returns the mean number of arrivals from 0 to t (negative for
// t < 0), the cycle repeated both ways.
func (w *cycleWork) arrivals(t float64) float64 {
	at := 0
	return w.arrivalsNear(t, &at)
}

// arrivalsNear is arrivals, which begins to look for the interval of t at the one that it is given
// and returns where it was.
func (w *cycleWork) arrivalsNear(t float64, at *int) float64 {
	turns := math.Floor(t / w.period)
	t -= turns * w.period
	n, i := len(w.rate), *at
	if t < w.edge[i] || t >= w.edge[i+1] {
		if i = sort.Search(n, func(i int) bool { return w.edge[i+1] > t }); i == n {
			i = n - 1
		}
		*at = i
	}
	return turns*w.count[n] + w.count[i] + w.rate[i]*(t-w.edge[i])
}

// A phase is one part of a service law: exponential, or fixed at its mean.
type phase struct {
	share, mean float64
	fixed       bool
}

// servicePhases returns a law with the given mean and SCV: for SCV < 1 a mix
// of an exponential and a fixed time of the same mean, for SCV > 1 two
// exponentials with balanced means.
func servicePhases(mean, scv float64) []phase {
	switch {
	case scv == 1:
		return []phase{{1, mean, false}}
	case scv == 0:
		return []phase{{1, mean, true}}
	case scv < 1:
		// Both parts have the mean; E[S²] = (2s + 1 − s)·mean² gives s = scv.
		return []phase{{scv, mean, false}, {1 - scv, mean, true}}
	default:
		d := math.Sqrt((scv - 1) / (scv + 1))
		p := (1 + d) / 2
		return []phase{{p, mean / (2 * p), false}, {1 - p, mean / (2 * (1 - p)), false}}
	}
}
