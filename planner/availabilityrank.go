package planner

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// order puts the machines in order.
func (a *RankAnswer) order(q *RankQuestion, hosts []RankedHost, candidates []smp.Candidate) error {
	// Those without a prediction stand last.
	var last []RankedHost
	for i := 0; i < len(hosts); {
		if hosts[i].TemporalReliability != nil {
			i++
			continue
		}
		last = append(last, hosts[i])
		hosts, candidates = slices.Delete(hosts, i, i+1), slices.Delete(candidates, i, i+1)
	}
	if len(hosts) == 0 {
		return ask.Inputf("trace", "no machine is free at %s on any of its days: nothing says how long one would stay so, want another start or window", clock(q.Start))
	}
	if q.Task == nil {
		slices.SortStableFunc(hosts, func(x, y RankedHost) int { return cmp.Compare(*y.Chance(), *x.Chance()) })
		a.Hosts = hosts
	} else {
		ranked, rule, err := smp.RankProactive(candidates, *q.Task)
		if err != nil {
			return smpError(err)
		}
		a.Rule = rule.String()
		beyond := 0
		for _, r := range ranked {
			h := hosts[r.Index]
			h.JCT, h.JCTF, h.ETL = ask.Figure(r.JCT), ask.Figure(r.JCTF), ask.Figure(r.ETL)
			if h.JCTF == nil {
				beyond++
			}
			a.Hosts = append(a.Hosts, h)
		}
		if beyond > 0 {
			a.Warnings = append(a.Warnings, fmt.Sprintf("on %d of %d machines the task is not expected to end within the window of %s s: take a longer window", beyond, len(hosts), ask.Digits(q.Window)))
		}
	}
	a.Hosts = append(a.Hosts, last...)
	for i := range a.Hosts {
		a.Hosts[i].Rank = i + 1
	}
	return nil
}

func (a *RankAnswer) explain(q *RankQuestion) {
	best := a.Hosts[0]
	e := &ask.Explanation{Model: "choice of a machine by its predicted availability"}
	e.Step("temporal reliability", "R_i(k) = S_i(k) + Σ_j Σ_{l≤k} q_ij(l) R_j(k−l)", fmt.Sprintf("%s from %s: %s", best.Name, best.InitialState, ask.Digits(*best.TemporalReliability)), "iShare eq. 3 and 4")
	if best.Free != nil {
		e.Step("free throughout", "Σ_i (share of the days that begin in i) · R_i(k), i = S1, S2", fmt.Sprintf("%s of the days begin free: %s", ask.Digits(best.AtStart), ask.Digits(*best.Free)), "")
	}
	if q.Task != nil {
		show := func(v *float64) string {
			if v == nil {
				return "infinite, or beyond the window"
			}
			return ask.Digits(*v) + " s"
		}
		e.Step("completion time with failures", "TL = CR·(1 − L)·∫₀ˣ TR(t) dt, solved for x", fmt.Sprintf("TL = %s s, CR = %s, L = %s: x = %s", ask.Digits(*q.Task), ask.Digits(best.Rate), ask.Digits(best.MeanLoad), show(best.JCTF)), "iShare eq. 7")
		e.Step("effective task length", "ETL = MTTF·CR·(1 − L)", "ETL = "+show(best.ETL), "iShare eq. 6")
		e.Assumptions = append(e.Assumptions, "by ETL if on every machine the job is expected to take longer than the machine lasts, else by completion time (iShare 8.4)")
	}
	e.Assumptions = append(e.Assumptions, "the load of a machine's own processes is the mean of the window on the days used")
	a.Explanation = e
}
