package sizing

import (
	"math"

	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/growth"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// Traffic is the load that comes in, in one of four forms: offered load in
// erlangs, rate and service time, a curve over the day with a service time, or
// a job log. Each figure of the first two may be an uncertain range. A nil
// field is not given.
type Traffic struct {
	// OfferedLoad is instead of rate and service time, where only their product
	// is known.
	OfferedLoad *units.Range[units.Erlang]   `json:"offered_load_erl,omitempty" as:"load"`
	Rate        *units.Range[units.Rate]     `json:"arrival_rate_per_s,omitempty" as:"rate"`
	ServiceTime *units.Range[units.Duration] `json:"service_time_s,omitempty"`
	// Curve is the rate through a period, which then repeats.
	Curve *traffic.Curve  `json:"load_curve,omitempty"`
	Log   *joblog.Summary `json:"log,omitempty"`
	// SCVs count in models that wait only.
	ArrivalSCV *units.Number `json:"arrival_scv,omitempty"` // nil: 1, Poisson
	ServiceSCV *units.Number `json:"service_scv,omitempty"` // nil: 1, exponential
	// Patience is the mean time after which who waits gives up; nil: nobody does.
	Patience *units.Duration `json:"patience_s,omitempty"`
	// SCVMeasured says that ServiceSCV was measured with the mean, not asked for: a
	// model whose answer does not depend on it does not refuse it.
	SCVMeasured bool `json:"-"`
	// Growth, if set, makes more of the load.
	Growth *growth.Growth `json:"growth,omitempty"`
	// Notes say where figures come from that were read from files; answers warn
	// with them.
	Notes []string `json:"-"`
}

// Complete checks that the load is given once and completely. Each message says
// what is missing and how it is written. Ranges may begin at a load of 0, but no
// service takes none.
func (t *Traffic) Complete() error {
	given := 0
	for _, g := range []bool{t.OfferedLoad != nil || t.Rate != nil, t.Curve != nil, t.Log != nil} {
		if g {
			given++
		}
	}
	switch {
	case given == 0 && t.ServiceTime != nil:
		return ask.Inputf("load", "a service time alone is not a load: give {rate} or {load} as well")
	case given == 0:
		return ask.Inputf("load",
			"no load given: want {load}, or {rate} and {service_time}, or {load_curve} and {service_time}, or {swf}")
	case given > 1:
		return ask.Inputf("load", "the load is given more than once: want only one of {load} or {rate}, "+
			"{load_curve} and {swf}")
	case t.OfferedLoad != nil && t.Rate != nil && t.ServiceTime != nil:
		return ask.Inputf("load", "{load}, {rate} and {service_time} contradict each other: any two give the third")
	case t.Rate != nil && t.ServiceTime == nil && t.OfferedLoad == nil:
		return ask.Inputf("service_time", "a rate needs a service time, such as {service_time} 3min")
	case t.Curve != nil && t.ServiceTime == nil:
		return ask.Inputf("service_time", "a load curve needs a service time, such as {service_time} 3min")
	case t.Curve != nil && !t.ServiceTime.IsPoint():
		return ask.Inputf("service_time", "a load curve takes one value, not a range")
	case t.Log != nil && t.ServiceTime != nil:
		return ask.Inputf("service_time", "a log has its own run times: leave {service_time} out")
	case t.Log != nil && (t.ArrivalSCV != nil || t.ServiceSCV != nil):
		return ask.Inputf("scv", "a log has its own variability: leave {arrival_scv} and {service_scv} out")
	case t.Log != nil && t.Patience != nil:
		return ask.Inputf("patience", "a log says nothing about patience: want {rate} and {service_time} with it")
	}
	const noTime = "%gs is not a time to serve or wait, want a duration above 0 such as 90s"
	if t.ServiceTime != nil && !(t.ServiceTime.Low > 0) {
		return ask.Inputf("service_time", noTime, float64(t.ServiceTime.Low))
	}
	if t.Patience != nil && !(*t.Patience > 0) {
		return ask.Inputf("patience", noTime, float64(*t.Patience))
	}
	return nil
}

// A Load is one certain load. A log holds its own, and
// its Load says no more than that times have a unit.
type Load struct {
	Rate, Service float64 // per s, s
	Clock         bool    // false: the service time is unknown and service is 1 by convention
	Erlangs       float64 // as it was given, erlang; 0: only the rate was
}

// LoadOf is a load in erlangs that was given, with its service time: it stays
// what it is, however the rate is rounded.
func LoadOf(load, service float64) Load {
	return Load{Rate: quotient(load, service), Service: service, Clock: true, Erlangs: load}
}

// Offered returns the load in erlangs.
func (s Load) Offered() float64 {
	if s.Erlangs > 0 {
		return s.Erlangs
	}
	return s.Rate * s.Service
}

// Counted returns the rate and the service time in a unit of time in which
// their product is the load, to the last digit, and the unit in seconds.
func (s Load) Counted() (rate, service, unit float64) {
	if s.Erlangs > 0 {
		return s.Erlangs, 1, s.Service
	}
	return s.Rate, s.Service, 1
}

// Uncertain reports whether any figure is a range.
func (t *Traffic) Uncertain() bool { return len(t.ranges()) > 0 }

// ranges are the fields of the figures that are more than one value.
func (t *Traffic) ranges() (fields []string) {
	if t.OfferedLoad != nil && !t.OfferedLoad.IsPoint() {
		fields = append(fields, "load")
	}
	if t.Rate != nil && !t.Rate.IsPoint() {
		fields = append(fields, "rate")
	}
	if t.ServiceTime != nil && !t.ServiceTime.IsPoint() {
		fields = append(fields, "service_time")
	}
	return fields
}

// Nominal returns the load of the most likely figures.
func (t *Traffic) Nominal() Load {
	return t.LoadAt(ask.Likely(t.OfferedLoad, 0), ask.Likely(t.Rate, 0), ask.Likely(t.ServiceTime, 0))
}

// Quantile returns the load for which load, rate and service time stand at
// the given quantiles of their ranges. The quantiles are of the figures and not
// of the load: each range is drawn on its own.
func (t *Traffic) Quantile(load, rate, service float64) Load {
	return t.loadOf(t.quantiles(load, rate, service))
}

func (t *Traffic) quantiles(load, rate, service float64) [2]float64 {
	return t.figures(quantile(t.OfferedLoad, load), quantile(t.Rate, rate), quantile(t.ServiceTime, service))
}

// LoadAt returns the load at one value of each figure; those of figures that are not given do not count.
func (t *Traffic) LoadAt(load, rate, service float64) Load {
	return t.loadOf(t.figures(load, rate, service))
}

// figures are the two that a load is made of by loadOf.
func (t *Traffic) figures(load, rate, service float64) [2]float64 {
	switch {
	case t.OfferedLoad != nil && t.Rate != nil:
		if rate == 0 {
			load = 0
		}
		return [2]float64{load, rate}
	case t.OfferedLoad != nil && t.ServiceTime != nil:
		return [2]float64{load, service}
	case t.OfferedLoad != nil:
		return [2]float64{load, 1}
	default:
		return [2]float64{rate, service}
	}
}

// loadOf returns the load of two figures.
func (t *Traffic) loadOf(f [2]float64) Load {
	switch {
	// Load and rate without a service time give one, their quotient.
	case t.OfferedLoad != nil && t.Rate != nil:
		if f[1] == 0 {
			return Load{Service: 1}
		}
		return Load{Rate: f[1], Service: quotient(f[0], f[1]), Clock: true, Erlangs: f[0]}
	case t.OfferedLoad != nil && t.ServiceTime != nil:
		return LoadOf(f[0], f[1])
	// Without a service time the mean service is the unit, and rate and load are
	// one number.
	case t.OfferedLoad != nil:
		return Load{Rate: f[0], Service: 1}
	default:
		return Load{Rate: wholeRate(f[0], f[1]), Service: f[1], Clock: true}
	}
}

// wholeRate returns the rate, moved by its last digits where they alone keep rate times service
// below a whole number: 2.8/min of 5 min are 14 erl, in float64 the 13.999999999999998 for which 14
// servers have a mean wait of 5e9 years. Parsing and the product round five times at most.
func wholeRate(rate, service float64) float64 {
	load := rate * service
	if whole := math.Round(load); load < whole && whole-load <= 6e-16*whole {
		return quotient(whole, service)
	}
	return rate
}

// quantile is that of a range, 0 where it is not given.
func quantile[T units.Quantity](r *units.Range[T], p float64) float64 {
	if r == nil {
		return 0
	}
	v, _ := r.Quantile(p)
	return float64(v)
}

// quotient returns x with x·by = product, or as little above as there is. The rounded quotient may
// give a load one digit below that asked for, and the mean of a queue that grows for ever would be
// told. Of the neighbours of the rounded quotient one mostly gives the product back to the last
// digit.
func quotient(product, by float64) float64 {
	x := product / by
	for _, near := range []float64{x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1))} {
		if near*by == product {
			return near
		}
	}
	if x*by < product {
		return math.Nextafter(x, math.Inf(1))
	}
	return x
}

// A ModelKind says what happens to an arrival that finds all servers busy.
type ModelKind string

// The kinds of model. The empty one is chosen from the objectives: loss if
// only a blocking objective is given, abandon if patience is, else wait.
const (
	Loss    ModelKind = "loss"    // it is lost: Erlang B
	Wait    ModelKind = "wait"    // it waits: Erlang C, or with SCVs the laws fitted to them
	Abandon ModelKind = "abandon" // it waits and may give up: Erlang A
	Sharing ModelKind = "ps"      // all present share the servers: processor sharing
)

// Words says what the model does with an arrival that finds all busy.
func (k ModelKind) Words() string {
	switch k {
	case Loss:
		return "arrivals that find all busy are lost"
	case Abandon:
		return "arrivals wait and may give up"
	case Sharing:
		return "all present share the servers"
	}
	return "arrivals wait"
}

// ModelOf returns the queue of a load by the number of servers. It counts time in
// services where the load was given, which keeps its last digit near saturation.
func (t *Traffic) ModelOf(kind ModelKind, s Load) queueing.Model {
	rate, service, unit := s.Counted()
	m := t.modelCounted(kind, rate, service, unit)
	if unit == 1 {
		return m
	}
	return queueing.InUnits{Model: m, Unit: unit}
}

// modelCounted returns the queue in the given unit of time. All times of the
// traffic are in seconds and divided by it.
func (t *Traffic) modelCounted(kind ModelKind, rate, mean, unit float64) queueing.Model {
	switch kind {
	case Loss:
		return queueing.Loss{ArrivalRate: rate, ServiceTime: mean}
	case Sharing:
		return queueing.MMCPS{ArrivalRate: rate, ServiceTime: mean}
	case Abandon:
		return queueing.ErlangA{ArrivalRate: rate, ServiceTime: mean, Patience: float64(*t.Patience) / unit}
	}
	// Nothing said of the variation is Poisson arrivals and exponential service,
	// for which the fitted laws are exact.
	return queueing.GIGC{GGC: queueing.GGC{
		ArrivalRate: rate,
		ServiceTime: mean,
		ArrivalSCV:  ask.Or(t.ArrivalSCV, 1.0),
		ServiceSCV:  ask.Or(t.ServiceSCV, 1.0),
	}}
}
