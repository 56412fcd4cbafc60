package sizing

import (
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
)

// checkSharing refuses what has no answer under processor sharing: limits on waits, of which there
// are none, and on responses to services that are not exponential, whose law is not computed.
func (o *Objectives) checkSharing(t *Traffic, pool *Pool) error {
	const instead = "all present are served at once: give {max_response} or {max_mean_response}"
	switch {
	case o.MaxBlocking != nil:
		return ask.Inputf("max_blocking", "in the model ps nobody finds all servers taken, "+instead)
	case o.MaxWait != nil:
		return ask.Inputf("max_wait", "in the model ps nobody waits, "+instead)
	case o.MaxMeanWait != nil:
		return ask.Inputf("max_mean_wait", "in the model ps nobody waits, "+instead)
	case t.Log != nil:
		return ask.Inputf("model", "the wide jobs of a log do not share processors: use model wait or loss")
	case pool != nil && pool.Machines > 0:
		return ask.Inputf("model", "a public pool whose machines share jobs is not modelled: use model wait or loss")
	case t.ArrivalSCV != nil && *t.ArrivalSCV != 1:
		return ask.Inputf("arrival_scv", "the model ps takes Poisson arrivals: leave {arrival_scv} out")
	case t.ServiceSCV != nil && *t.ServiceSCV != 1 && len(o.responseLimits()) > 0:
		return ask.Inputf("service_scv",
			"under sharing the mean response does not depend on it, and percentiles are known for exponential "+
				"services only: leave {service_scv} out, or limit {max_mean_response}")
	}
	return nil
}

// explainSharing shows the mean and the percentiles of responses under sharing.
// One chain gives both: the number present has the law of M/M/c, whatever the
// order of service, and Little's law the mean.
func (f *Fleet) explainSharing(e *ask.Explanation, g queueing.Figures) {
	e.Model = "M/M/c under processor sharing, for means M/G/c"
	e.Step("mean response", "E[T] = E[S]·(1 + C(c, a)/(c − a))",
		f.clocked(ask.Sprintf("c = %v, a = %v: %v", g.Servers, g.OfferedLoad, g.MeanResponse)),
		"Cohen 1979; one server Kleinrock 1976, chapter 4")
	f.explainResponses(e, g,
		"P(T > t) = Σ pₙfₙ(t), fₙ' = λ(fₙ₊₁ − fₙ) + μnkₙ(fₙ₋₁ − fₙ) − μkₙfₙ, kₙ = min(1, c/(n + 1))",
		"exact; one server: Coffman, Muntz, Trotter 1970")
	e.Assume(
		"arrivals are Poisson; all present share the servers, none gets more than one; " +
			"percentiles are those of exponential services, the mean holds for any")
}
