package machines

import (
	"cmp"
	"sort"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp/ranking"
)

// order puts the machines in order. Without a task they stand by their chance,
// weighed by their days; with one by the rules of iShare section 8.4.
func (a *RankAnswer) order(q *RankQuestion, hosts []RankedHost, candidates []ranking.Candidate) error {
	// Those without a prediction stand last.
	var last []RankedHost
	n := 0
	for i := range hosts {
		if hosts[i].TemporalReliability == nil {
			last = append(last, hosts[i])
			continue
		}
		hosts[n], candidates[n] = hosts[i], candidates[i]
		n++
	}
	hosts, candidates = hosts[:n], candidates[:n]
	if len(hosts) == 0 {
		return ask.Inputf("trace",
			"no machine is free at %s on any of its days: nothing says how long one would stay free, want another "+
				"start or window",
			ask.Clock(q.Start))
	}
	if q.Task == nil {
		weigh(hosts)
		// Of equals the machine that was seen for longer comes first, whatever the order of the
		// files. A generic sort of structs as large as these would be 20 kB of program.
		sort.Slice(hosts, func(i, j int) bool {
			x, y := &hosts[i], &hosts[j]
			return cmp.Or(cmp.Compare(*y.Weighed, *x.Weighed), cmp.Compare(y.Days, x.Days), cmp.Compare(x.Name, y.Name)) < 0
		})
		a.Hosts = hosts
	} else {
		ranked, rule, err := ranking.RankProactive(candidates, *q.Task)
		if err != nil {
			return InputError(err)
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
			ask.Warn(&a.Warnings,
				"on %d of %d machines the task is not expected to end within the window of %s: take a longer window",
				beyond, len(hosts), ask.Time(q.Window))
		}
	}
	a.Hosts = append(a.Hosts, last...)
	for i := range a.Hosts {
		a.Hosts[i].Rank = i + 1
	}
	return nil
}

// weigh shrinks the chance of each machine to the mean of all, which is worth a day:
//
//	(n p + p̄)/(n + 1)
//
// where n are its days and p̄ is the mean over the days of all machines. Without it
// one lucky day takes the first place.
func weigh(hosts []RankedHost) {
	total, days := 0.0, 0.0
	for _, h := range hosts {
		total, days = total+float64(h.Days)**h.Chance(), days+float64(h.Days)
	}
	for i := range hosts {
		n := float64(hosts[i].Days)
		hosts[i].Weighed = ask.Figure((n**hosts[i].Chance() + total/days) / (n + 1))
	}
}

// explain shows the figures of the machine that stands first.
func (a *RankAnswer) explain(q *RankQuestion) {
	best := a.Hosts[0]
	e := &ask.Explanation{Model: "choice of a machine by its predicted availability"}
	e.Step("temporal reliability", "R_i(k) = S_i(k) + Σ_j Σ_{l≤k} q_ij(l) R_j(k−l)",
		ask.Sprintf("%s from %s: %v", best.Name, best.InitialState, *best.TemporalReliability), "iShare eq. 3 and 4")
	if best.Free != nil {
		e.Step("free throughout", "Σ_i (share of the days that begin in i) · R_i(k), i = S1, S2",
			ask.Sprintf("%v of the days begin free: %v", best.AtStart, *best.Free), "")
	}
	if best.Weighed != nil {
		e.Step("order", "(n p + p̄)/(n + 1), p̄ the mean over the days of all machines",
			ask.Sprintf("%s: n = %d, p = %v: %v", best.Name, best.Days, *best.Chance(), *best.Weighed),
			"shrunk by one day, so that a single lucky day does not come first")
	}
	if q.Task != nil {
		show := func(v *float64) string {
			if v == nil {
				return "infinite, or beyond the window"
			}
			return ask.Digits(*v) + " s"
		}
		e.Step("completion time with failures", "TL = CR·(1 − L)·∫₀ˣ TR(t) dt, solved for x",
			ask.Sprintf("TL = %v s, CR = %v, L = %v: x = %s", *q.Task, best.Rate, best.MeanLoad, show(best.JCTF)),
			"iShare eq. 7")
		e.Step("effective task length", "ETL = MTTF·CR·(1 − L)", "ETL = "+show(best.ETL), "iShare eq. 6")
		e.Assume(
			"by ETL if the job is expected to take longer than the machine lasts on every machine, else by " +
				"completion time (iShare 8.4)")
	}
	e.Assume("the load of a machine's own processes is the mean of the window over the days used")
	a.Explanation = e
}
