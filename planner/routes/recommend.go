package routes

import "github.com/capplan/capplan/planner/ask"

// A Recommended is the split to take where rates are ranges and no hedge was asked
// for: the one of least mean response over the draws, which saturates no cluster
// in any of them. Where no split carries all draws it is that of the most likely
// rates.
type Recommended struct {
	Split string `json:"split"` // of Uncertainty.Splits
	// Reason is safe where a cluster saturates in 5 % of the draws at most.
	Reason ask.Reason `json:"reason"`
	// MeanResponse and Clusters are those at the most likely rates.
	MeanResponse float64         `json:"mean_response_s"`
	Clusters     []RoutedCluster `json:"clusters"`
}

// recommends reports whether a split is to be recommended: not where one was asked for, and where the
// least mean response is not what is minimised.
func (r *router) recommends() bool {
	return r.q.Hedge == "" && r.policy == PAP && r.kind == Response && !r.unlike && !r.q.ByType
}

// recommend presents the recommended split. Its explanation takes the place of that of the split for
// the most likely rates.
func (r *router) recommend(a *Answer, h *hedged) error {
	if h.recommended == nil {
		return nil
	}
	at := &Answer{Rate: a.Rate, Policy: a.Policy, Objective: a.Objective}
	if err := r.present(at, h.recommended); err != nil {
		return err
	}
	rec := &Recommended{Split: h.name, Reason: ask.Safest, MeanResponse: at.MeanResponse, Clusters: at.Clusters}
	if o := a.Uncertainty.Of(rec.Split); o != nil && ask.Value(o.Unstable) <= 1-ask.SafeChance {
		rec.Reason = ask.Safe
	}
	a.Recommended = rec
	if r.q.Explain {
		a.Explanation = r.explain(at, h.recommended)
		a.Explanation.Of = "the recommended split, " + rec.Split + ", at the most likely rates"
	}
	return nil
}

// Of returns how the split of that name fares, nil where there is none.
func (u *Uncertainty) Of(split string) *HedgeOutcome {
	if u == nil {
		return nil
	}
	for i := range u.Splits {
		if u.Splits[i].Split == split {
			return &u.Splits[i]
		}
	}
	return nil
}
