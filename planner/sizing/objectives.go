package sizing

import (
	"reflect"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// Objectives are the limits that a fleet has to keep, all at once. A nil field
// is no limit.
type Objectives struct {
	MaxBlocking *units.Fraction   `json:"max_blocking,omitempty"`
	MaxWait     *units.Duration   `json:"max_wait_s,omitempty"`
	Percentile  *units.Percentile `json:"percentile,omitempty"` // of MaxWait and MaxResponse; nil: 0.95
	// ServiceLevelOf says, where some give up, among whom the share is counted
	// that MaxWait holds for; empty: of all offered.
	ServiceLevelOf  ServiceLevelOf  `json:"service_level_of,omitempty"`
	MaxMeanWait     *units.Duration `json:"max_mean_wait_s,omitempty"`
	MaxMeanResponse *units.Duration `json:"max_mean_response_s,omitempty"`
	// MaxResponse is the limit on wait plus service for the share Percentile; Responses are further
	// such limits, each with a percentile of its own.
	MaxResponse    *units.Duration `json:"max_response_s,omitempty"`
	Responses      ResponseLimits  `json:"responses,omitempty" as:"objective"`
	MaxUtilization *units.Fraction `json:"max_utilization,omitempty"`
	MaxAbandon     *units.Fraction `json:"max_abandon,omitempty"`
}

// ServiceLevelOf names a meaning of the service level; see
// [queueing.ServiceLevelOf].
type ServiceLevelOf string

// The meanings of "served within t".
const (
	OfOffered ServiceLevelOf = "offered" // over all arrivals: who gives up was not served
	OfServed  ServiceLevelOf = "served"  // over those who are served at last
	OfStayed  ServiceLevelOf = "stayed"  // over all but those who give up within t
	OfWaits   ServiceLevelOf = "waits"   // who gives up within t counts as in time
)

// Meaning returns the meaning for the model. Where nobody gives up all four are
// one, and the empty name stands for the first.
func (s ServiceLevelOf) Meaning() (queueing.ServiceLevelOf, error) {
	switch s {
	case "", OfOffered:
		return queueing.Offered, nil
	case OfServed:
		return queueing.Served, nil
	case OfStayed:
		return queueing.Stayed, nil
	case OfWaits:
		return queueing.Waits, nil
	}
	return 0, ask.Inputf("service_level_of", "%q is not a service level, want offered, served, stayed or waits",
		string(s))
}

// serviceLevel returns the share that waits no longer than MaxWait, which is
// given.
func (o *Objectives) serviceLevel(g queueing.Figures) float64 {
	of, _ := o.ServiceLevelOf.Meaning() // checked by limits
	return 1 - g.Late(of, float64(*o.MaxWait))
}

// waitPercentile returns the wait within which the share asked for is served,
// +Inf where it never is.
func (o *Objectives) waitPercentile(g queueing.Figures, kind ModelKind) float64 {
	if kind != Abandon {
		return g.WaitPercentile(o.PercentileOrDefault())
	}
	of, _ := o.ServiceLevelOf.Meaning() // checked by limits
	return g.LevelPercentile(of, o.PercentileOrDefault())
}

// DefaultAbandon is the share that may give up where only means or the
// utilization are limited: as many as [DefaultPercentile] leaves over.
const DefaultAbandon = 1 - DefaultPercentile

// mayDriveAway reports whether all objectives are kept the better the more callers give up, so that
// the cheapest fleet would serve hardly anybody: the mean wait of all who come is never above their
// patience, and servers are idle once the callers are gone. A limit on the wait of a share of all
// offered, or on how many may wait at all, bounds the abandonment itself; a service level of
// another meaning was asked for by name.
func (o *Objectives) mayDriveAway(kind ModelKind) bool {
	return kind == Abandon && o.MaxAbandon == nil && o.MaxWait == nil && o.MaxBlocking == nil &&
		len(o.responseLimits()) == 0 &&
		(o.MaxMeanWait != nil || o.MaxMeanResponse != nil || o.MaxUtilization != nil)
}

// DefaultPercentile is the share of arrivals that MaxWait has to hold for
// where Percentile is not given.
const DefaultPercentile = 0.95

// PercentileOrDefault returns that share.
func (o *Objectives) PercentileOrDefault() float64 {
	if o != nil && o.Percentile != nil {
		return float64(*o.Percentile)
	}
	return DefaultPercentile
}

// A Limit is one objective with its name.
type Limit struct {
	Name      string
	Objective queueing.Objective
}

// choose resolves the model kind. The kind that was asked for stands. Without one
// a patience says that some give up; a limit on blocking alone says that whoever
// finds all busy is lost, since any other limit needs somebody who waits.
func (o *Objectives) choose(kind ModelKind, t *Traffic) ModelKind {
	switch {
	case kind != "":
		return kind
	case t.Patience != nil:
		return Abandon
	case o.MaxBlocking != nil && o.MaxWait == nil && o.MaxMeanWait == nil && o.MaxMeanResponse == nil &&
		o.MaxUtilization == nil && o.MaxAbandon == nil &&
		len(o.responseLimits()) == 0:
		return Loss
	}
	return Wait
}

// fits checks the model and whether the traffic is one that it takes. Errors: *ask.InputError.
func (o *Objectives) fits(kind ModelKind, t *Traffic, clock bool, pool *Pool) error {
	switch kind {
	case Loss, Wait, Abandon:
	case Sharing:
		if err := o.checkSharing(t, pool); err != nil {
			return err
		}
	default:
		return ask.Inputf("model", "%q is not a model, want loss, wait, abandon or ps", string(kind))
	}
	if kind == Abandon && t.Patience == nil {
		return ask.Inputf("patience", "the model abandon needs a patience, such as {patience} 2min")
	}
	if kind != Abandon && t.Patience != nil {
		return ask.Inputf("patience", "in the model %s nobody gives up: use {model} abandon or leave {patience} out",
			kind)
	}
	// An SCV that was measured with the mean, as from a trace, is no wish: a loss
	// system may leave it aside, which does not depend on it.
	if kind == Loss && (t.ArrivalSCV != nil || t.ServiceSCV != nil && !t.SCVMeasured) {
		return ask.Inputf(t.scvGiven(),
			"the model loss takes Poisson arrivals, and its answer does not depend on the service SCV: "+
				"leave {arrival_scv} and {service_scv} out, or use {model} wait")
	}
	if kind == Abandon && (t.ArrivalSCV != nil || t.ServiceSCV != nil) {
		return ask.Inputf(t.scvGiven(),
			"the model abandon takes Poisson arrivals and exponential service: leave {arrival_scv} and "+
				"{service_scv} out")
	}
	if t.Patience != nil && !clock {
		return ask.Inputf("service_time",
			"{patience} is in seconds and the load contains no time: give {service_time}")
	}
	return nil
}

// timed checks the limits on waits and responses: all need somebody who waits and, above 0, a unit of
// time. Errors: *ask.InputError.
func (o *Objectives) timed(kind ModelKind, clock bool) error {
	for _, w := range []struct {
		name  string
		words string
		value *units.Duration
	}{
		{"max_wait", "the wait", o.MaxWait},
		{"max_mean_wait", "the mean wait", o.MaxMeanWait},
		{"max_mean_response", "the mean response", o.MaxMeanResponse},
	} {
		if w.value == nil {
			continue
		}
		if kind == Loss {
			return ask.Inputf(w.name, "in the model loss nobody waits: use {model} wait, or give {max_blocking}")
		}
		if !clock && *w.value > 0 {
			return ask.Inputf("service_time",
				"a limit on %s is in seconds and the load contains no time: give {service_time}",
				w.words)
		}
	}
	if o.MaxAbandon != nil && kind != Abandon {
		return ask.Inputf("max_abandon", "needs a patience, such as {patience} 2min, and {model} abandon")
	}
	return nil
}

// limits returns the objectives for the model, in a fixed order, or an error for one that makes no
// sense there. clock says whether times have a unit. An objective that does not fit the model is
// refused, never ignored: it would pass for one that is kept.
func (o *Objectives) limits(kind ModelKind, t *Traffic, clock bool, pool *Pool) ([]Limit, error) {
	if err := o.fits(kind, t, clock, pool); err != nil {
		return nil, err
	}
	if err := o.timed(kind, clock); err != nil {
		return nil, err
	}
	var all []Limit
	add := func(name string, m queueing.Metric, v, wait float64) {
		all = append(all, Limit{name, queueing.Objective{Metric: m, Limit: v, Wait: wait}})
	}
	if o.MaxBlocking != nil {
		// An arrival that finds all servers busy is lost in one model and has
		// to wait in the others (blocked calls cleared, blocked calls delayed).
		metric := queueing.WaitProbability
		if kind == Loss {
			metric = queueing.Blocking
		}
		add("max_blocking", metric, float64(*o.MaxBlocking), 0)
	}
	if err := o.CheckServiceLevel(kind); err != nil {
		return nil, err
	}
	if o.MaxWait != nil {
		// The model limits the share that is late, one less the percentile, which
		// keeps its digits near a percentile of 1.
		add("max_wait", queueing.LateShare, 1-o.PercentileOrDefault(), float64(*o.MaxWait))
		all[len(all)-1].Objective.Of, _ = o.ServiceLevelOf.Meaning()
	}
	if o.MaxMeanWait != nil {
		add("max_mean_wait", queueing.MeanWait, float64(*o.MaxMeanWait), 0)
	}
	if o.MaxMeanResponse != nil {
		add("max_mean_response", queueing.MeanResponse, float64(*o.MaxMeanResponse), 0)
	}
	var err error
	if all, err = o.addResponses(all, kind, t, clock, pool); err != nil {
		return nil, err
	}
	if o.MaxUtilization != nil {
		add("max_utilization", queueing.Utilization, float64(*o.MaxUtilization), 0)
	}
	// Where only means or the utilization are limited the fewest servers would
	// drive nearly everybody away, and a default limit on that stands in.
	switch {
	case o.MaxAbandon != nil:
		add("max_abandon", queueing.Abandonment, float64(*o.MaxAbandon), 0)
	case o.mayDriveAway(kind):
		add("max_abandon", queueing.Abandonment, DefaultAbandon, 0)
	}
	return all, nil
}

// CheckServiceLevel refuses a meaning that is none, or that nothing reads.
func (o *Objectives) CheckServiceLevel(kind ModelKind) error {
	if _, err := o.ServiceLevelOf.Meaning(); err != nil || o.ServiceLevelOf == "" {
		return err
	}
	switch {
	case kind != Abandon:
		return ask.Inputf("service_level_of",
			"in the model %s nobody gives up and all service levels are the same: leave it out, or give a patience",
			kind)
	case o.MaxWait == nil && len(o.responseLimits()) == 0:
		return ask.Inputf("service_level_of", "a service level is only used with {max_wait}, such as {max_wait} 20s")
	}
	return nil
}

// None reports whether nothing is asked for.
func (o *Objectives) None() bool { return reflect.ValueOf(*o).IsZero() }

// given checks that there is an objective to meet. A part of an objective, such as a percentile
// without a limit, has an error of its own, since the remedy differs.
func (o *Objectives) given() error {
	switch {
	case o.ServiceLevelOf != "" && o.MaxWait == nil && len(o.responseLimits()) == 0:
		return ask.Inputf("service_level_of", "a service level is only used with {max_wait}, such as {max_wait} 20s")
	case o.Percentile != nil && o.MaxWait == nil && o.MaxResponse == nil:
		return ask.Inputf("percentile",
			"a percentile is only used with {max_wait} or {max_response}: want both, such as a {max_wait} of 20s with a "+
				"percentile of 95%%")
	case o.None():
		return ask.Inputf("objective",
			"no objective given: want one or more of {max_blocking}, {max_wait}, {max_response}, {max_mean_wait}, "+
				"{max_mean_response}, {max_utilization}, {max_abandon}")
	}
	return nil
}
