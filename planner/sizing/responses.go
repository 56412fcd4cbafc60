package sizing

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// A ResponseLimit asks that a share of arrivals is served to the end, wait and
// service together, within a time.
type ResponseLimit struct {
	// Percentile is the share that has to be served in time.
	Percentile units.Percentile `json:"percentile"`
	Within     units.Duration   `json:"within_s"`
}

func (l ResponseLimit) String() string {
	return fmt.Sprintf("p%s<%s", units.FormatNumber(100*float64(l.Percentile), 15), l.Within)
}

// ResponseLimits are several of them, as they are written: p50<80ms,p99<300ms.
// The text form is one for the command line, for scenarios and for JSON, so that
// an answer's text can be pasted as a question.
type ResponseLimits []ResponseLimit

const responseForm = "percentiles of responses with their limits such as p50<80ms,p99<300ms"

// Want describes the form that Set reads.
func (*ResponseLimits) Want() string { return responseForm }

// String returns a text that Set reads.
func (l *ResponseLimits) String() string {
	var all []string
	for _, r := range *l {
		all = append(all, r.String())
	}
	return strings.Join(all, ",")
}

// Set reads limits apart by commas.
func (l *ResponseLimits) Set(s string) error {
	fail := func(reason string) error {
		return &units.ParseError{Input: s, Want: responseForm, Reason: reason}
	}
	var all ResponseLimits
	for part := range strings.SplitSeq(s, ",") {
		percentile, within, ok := strings.Cut(part, "<")
		if !ok {
			return fail(fmt.Sprintf("%q has no <", strings.TrimSpace(part)))
		}
		var r ResponseLimit
		if err := r.Percentile.Set(strings.TrimSpace(percentile)); err != nil {
			return fail(fmt.Sprintf("%q is not a percentile", strings.TrimSpace(percentile)))
		}
		// The sign may be < or <=: both are meant by people who write either.
		if err := r.Within.Set(strings.TrimSpace(strings.TrimPrefix(within, "="))); err != nil {
			return fail(fmt.Sprintf("%q is not a duration", strings.TrimSpace(within)))
		}
		// Two limits of the same percentile are no contradiction, but one of them
		// is mostly a slip of the pen for another percentile.
		for _, other := range all {
			if other.Percentile == r.Percentile {
				return fail(fmt.Sprintf("%q is given twice", strings.TrimSpace(percentile)))
			}
		}
		all = append(all, r)
	}
	*l = all
	return nil
}

// MarshalText returns String.
func (l ResponseLimits) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText is Set.
func (l *ResponseLimits) UnmarshalText(b []byte) error { return l.Set(string(b)) }

// A ResponseFigure is how responses stand to one limit on them.
type ResponseFigure struct {
	Percentile float64 `json:"percentile"`
	Within     float64 `json:"within_s"` // the limit
	// Value is the time within which the share asked for is served; null where
	// some give up and that share never is.
	Value *float64 `json:"response_percentile_s"`
	Level float64  `json:"response_level"` // share served within the limit
}

// responseLimits returns the limits on responses, that of max-response first.
// Max-response has the percentile of the question, and the others bring theirs.
func (o *Objectives) responseLimits() []ResponseLimit {
	var all []ResponseLimit
	if o.MaxResponse != nil {
		all = append(all, ResponseLimit{units.Percentile(o.PercentileOrDefault()), *o.MaxResponse})
	}
	return append(all, o.Responses...)
}

// responseField is the field of the first limit on responses.
func (o *Objectives) responseField() string {
	if o.MaxResponse != nil {
		return "max_response"
	}
	return "objective"
}

// addResponses adds the objectives on responses, or says why there is none. The
// law of responses is known for fewer systems than that of waits, and each case
// that is left out has a reason of its own.
func (o *Objectives) addResponses(all []Limit, kind ModelKind, t *Traffic, clock bool, pool *Pool) ([]Limit, error) {
	limits := o.responseLimits()
	if len(limits) == 0 {
		return all, nil
	}
	field := o.responseField()
	switch {
	case kind == Loss:
		return nil, ask.Inputf(field,
			"in the model loss nobody waits, and no fleet shortens the service: use {model} wait, "+
				"or give {max_blocking}")
	case pool != nil:
		if err := pool.responds(field, kind, t); err != nil {
			return nil, err
		}
	}
	if !clock {
		return nil, ask.Inputf("service_time",
			"%s is in seconds and the load contains no time: give {service_time}", ask.FieldName(field))
	}
	of, err := o.ServiceLevelOf.Meaning()
	if err != nil {
		return nil, err
	}
	// Stayed and waits count by the wait of those who give up, who have no
	// response.
	if of != queueing.Offered && of != queueing.Served {
		return nil, ask.Inputf("service_level_of",
			"%q covers waits only: with a limit on responses want offered or served", string(o.ServiceLevelOf))
	}
	for i, l := range limits {
		if !(l.Within > 0) {
			return nil, ask.Inputf(field, "%s is not a possible response time, want one above 0 such as 300ms",
				l.Within)
		}
		// Each has its own name, by which the one that binds is reported.
		name := "max_response"
		if i > 0 || o.MaxResponse == nil {
			name = "response_p" + units.FormatNumber(100*float64(l.Percentile), 15)
		}
		all = append(all, Limit{name, queueing.Objective{
			Metric: queueing.ResponseShare,
			Limit:  1 - float64(l.Percentile),
			Wait:   float64(l.Within),
			Of:     of,
		}})
	}
	return all, nil
}

// responds says why the law of responses is not known where jobs are served by
// the machines of the pool or by the servers beside them. A nil error says that
// it is known.
func (p *Pool) responds(field string, kind ModelKind, t *Traffic) error {
	const instead = "give {max_wait} or {max_mean_response}"
	switch {
	case p.Machines == 0:
	case p.Count == CountMean:
		return ask.Inputf(field,
			"public machines by their mean number up count as servers of speed 1, whose responses differ: want "+
				"{public_count} averaged, or "+instead)
	case kind == Abandon:
		return ask.Inputf(field,
			"beside public machines the response is not computed if some give up: "+instead)
	case !t.markov():
		return ask.Inputf(field,
			"beside public machines a response is computed for Poisson arrivals and exponential services only: "+
				"leave {arrival_scv} and {service_scv} out, or "+instead)
	case p.Speed > 1:
		return ask.Inputf(field,
			"if public machines are faster than the servers, one more server may lengthen a response, and the "+
				"fewest servers are not searched for: "+instead)
	}
	return nil
}

// scvGiven is the field of the SCV that was given, that of arrivals where both
// were. The error of a pair names one flag, and the first given is the one that
// the reader wrote first.
func (t *Traffic) scvGiven() string {
	if t.ArrivalSCV == nil {
		return "service_scv"
	}
	return "arrival_scv"
}

// markov reports whether arrivals are Poisson and services exponential.
func (t *Traffic) markov() bool {
	one := func(scv *units.Number) bool { return scv == nil || *scv == 1 }
	return one(t.ArrivalSCV) && one(t.ServiceSCV)
}

// CheckUnlike says why the law of responses is not known where machines are of
// several types; nil where it is, or none is limited. Of machines that are alike, all of
// speed 1 and always there, it is that of as many servers. Fields of the error are those
// of a question about a fleet.
func (o *Objectives) CheckUnlike(kind ModelKind, t *Traffic, alike bool) error {
	if o == nil || t == nil {
		return nil
	}
	if kind == Sharing {
		return ask.Inputf("model",
			"machines of several types and speeds that share their jobs are not modelled: want model wait, "+
				"or no machines")
	}
	if len(o.responseLimits()) == 0 {
		return nil
	}
	field := o.responseField()
	switch {
	case t.Log != nil:
		return ask.Inputf(field,
			"for machines that serve a log of wide jobs responses are not known: want a limit on the wait")
	case alike:
		return nil
	case o.choose(kind, t) == Abandon:
		return ask.Inputf(field,
			"for machines that come and go, or have a speed, responses are not known if some give up: want a limit "+
				"on the wait")
	case !t.markov():
		return ask.Inputf(field,
			"for machines that come and go, or have a speed, responses are known for Poisson arrivals and "+
				"exponential services only: want no arrival_scv and scv, nor the SCV of a file of durations, or a "+
				"limit on the wait")
	}
	return nil
}

// responses are the figures of the limits on responses; a throughput has no
// objectives, and nil. A percentile that is never reached is null, while the
// share within the limit is still a number.
func (o *Objectives) responses(g queueing.Figures) []ResponseFigure {
	if o == nil {
		return nil
	}
	of, _ := o.ServiceLevelOf.Meaning() // checked by limits
	var all []ResponseFigure
	for _, l := range o.responseLimits() {
		late, ok := g.ResponseLate(of, float64(l.Within))
		if !ok {
			continue
		}
		t, _ := g.ResponsePercentile(of, float64(l.Percentile))
		all = append(all, ResponseFigure{
			Percentile: float64(l.Percentile),
			Within:     float64(l.Within),
			Value:      ask.Figure(t),
			Level:      1 - late,
		})
	}
	return all
}
