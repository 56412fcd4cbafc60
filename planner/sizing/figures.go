package sizing

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
)

// Figures are what a fleet does under a load. A figure that the model does not
// have, or that needs a service time which is not known, is null. Null and 0
// differ: 0 is known, as the wait of those who are lost, and null is not.
type Figures struct {
	// OfferedLoad is rate times service time: the servers that would be busy if
	// there were always one free.
	OfferedLoad float64  `json:"offered_load_erl"`
	ArrivalRate *float64 `json:"arrival_rate_per_s"`
	// Utilization is the busy share of a server.
	Utilization *float64 `json:"utilization"`
	// Blocking is the chance to be lost on arrival.
	Blocking *float64 `json:"blocking_probability"`
	// WaitProbability is the chance to find all servers busy and wait.
	WaitProbability *float64 `json:"wait_probability"`
	// MeanWait is over all who are let in, those who do not wait too.
	MeanWait *float64 `json:"mean_wait_s"`
	// MeanResponse is wait and service of those who are served.
	MeanResponse *float64 `json:"mean_response_s"`
	// WaitPercentile is null where no wait is long enough: of those offered, who
	// gave up are never served.
	WaitPercentile *float64 `json:"wait_percentile_s"`
	Percentile     *float64 `json:"percentile"` // of wait_percentile_s
	// WaitPercentileOf says among whom the percentile counts, where some give up.
	WaitPercentileOf *ServiceLevelOf `json:"wait_percentile_of,omitempty"`
	ServiceLevel     *float64        `json:"service_level"` // chance to wait no longer than max-wait
	// ServiceLevelOf says whom the service level counts, where some give up.
	ServiceLevelOf *ServiceLevelOf `json:"service_level_of"`
	// ResponsePercentile and ResponseLevel are those of the first limit on
	// responses; Responses has them all.
	ResponsePercentile *float64         `json:"response_percentile_s,omitempty"`
	ResponseLevel      *float64         `json:"response_level,omitempty"`
	Responses          []ResponseFigure `json:"responses,omitempty"`
	// Abandonment is the chance to give up before service.
	Abandonment *float64 `json:"abandon_probability"`
	// MeanQueueLength counts who waits, not who is served.
	MeanQueueLength *float64 `json:"mean_queue_length"`
	// Throughput is the rate of those who are served.
	Throughput *float64 `json:"throughput_per_s"`
	ask.Approximation
}

// approximationDecides warns that an approximate figure decides the size, and says how far off it
// was found; it is empty where the figure that binds is exact. A size is surest where an exact
// figure binds, such as the utilization, which no approximation enters.
func approximationDecides(binding string, a ask.Approximation) string {
	if !a.Approximate || binding == "max_utilization" || binding == "" {
		return ""
	}
	var of *ask.ErrorSpan
	figure := "this figure"
	if r := a.ErrorRange; r != nil {
		switch {
		// Each objective is held against another figure of the model, and errors were measured
		// figure by figure.
		case binding == "max_response", strings.HasPrefix(binding, "response_p"):
			of, figure = r.Response, "percentiles of responses"
		case binding == "max_wait":
			of, figure = r.WaitPercentile, "percentiles"
		case binding == "max_mean_wait", binding == "max_mean_response":
			of, figure = r.MeanWait, "mean waits"
		}
	}
	if of == nil {
		return fmt.Sprintf("the approximation decides the size: %s binds, and the error of %s was not measured",
			binding, figure)
	}
	return fmt.Sprintf("the approximation decides the size: %s binds, and its %s differed by %+.0f to %+.0f%% from "+
		"the simulations; simulate before relying on it",
		binding, figure, 100*of.Low, 100*of.High)
}

// FiguresOf chooses what of a model's figures is meaningful. It is the one place
// that decides between a number and null, so that size, check and capacity agree.
func FiguresOf(f queueing.Figures, kind ModelKind, clock bool, o *Objectives) Figures {
	o = cmp.Or(o, new(Objectives))
	if f.ArrivalRate == 0 { // nobody arrives, so nobody is lost
		f.Blocking = 0
	}
	p := Figures{OfferedLoad: f.OfferedLoad, Utilization: ask.Figure(f.Utilization),
		Approximation: ask.ApproximationOf(f.Approximation())}
	// The share of no servers that is busy is 0 over 0.
	if f.Servers == 0 {
		p.Utilization = nil
	}
	if clock {
		p.ArrivalRate, p.Throughput = ask.Figure(f.ArrivalRate), ask.Figure(f.Throughput)
		p.MeanResponse = ask.Figure(f.MeanResponse)
	}
	// In a loss system nobody waits, and that is known without a unit of time.
	p.MeanWait = ask.Figure(0)
	if kind == Loss {
		p.Blocking = ask.Figure(f.Blocking)
		p.WaitPercentile, p.Percentile = ask.Figure(0), ask.Figure(o.PercentileOrDefault())
		return p
	}
	p.WaitProbability, p.MeanQueueLength = ask.Figure(f.WaitProbability), ask.Figure(f.MeanQueueLength)
	p.Percentile = ask.Figure(o.PercentileOrDefault())
	if o.MaxWait != nil {
		p.ServiceLevel = ask.Figure(o.serviceLevel(f))
	}
	// Some give up in this model, and each share says among whom it counts; the
	// default is the strictest, of all that arrive.
	if kind == Abandon {
		of := cmp.Or(o.ServiceLevelOf, OfOffered)
		if p.WaitPercentileOf = &of; o.MaxWait != nil {
			p.ServiceLevelOf = &of
		}
		p.Abandonment = ask.Figure(f.Abandonment)
		if f.Servers == 0 && f.ArrivalRate > 0 {
			p.MeanResponse = nil // nobody is served
		}
	}
	if p.Responses = o.responses(f); len(p.Responses) > 0 {
		p.ResponsePercentile, p.ResponseLevel = p.Responses[0].Value, ask.Figure(p.Responses[0].Level)
	}
	p.MeanWait = nil
	if kind == Sharing { // the law of the delay is not that of a wait
		p.Percentile, p.MeanQueueLength = nil, nil
		// A wait of 0 is one in every unit.
	} else if wait := o.waitPercentile(f, kind); clock || wait == 0 {
		p.WaitPercentile = ask.Figure(wait)
	}
	if clock {
		p.MeanWait = ask.Figure(f.MeanWait)
	}
	return p
}
