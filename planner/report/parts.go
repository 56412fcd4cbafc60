package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/units"
)

func rate(v float64) string { return units.FormatRate(v, 4) }

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

func article(s string) string {
	if strings.HasPrefix(s, "MTT") {
		return s
	}
	return "the " + s
}

func routingSection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	r := a.Routing
	if r == nil {
		return nil, nil
	}
	s := &Section{ID: "routing", Title: "Where to send requests?", Explanation: r.Explanation}
	s.Lead = fmt.Sprintf("Mean response %s for %s over %s: %s.", duration(r.MeanResponse), rate(r.Rate), plural(int64(len(r.Clusters)), "cluster", "clusters"), policyWords[r.Policy])
	s.row("greatest rate", rate(r.MaxRate), "any less can be routed")
	s.row("least mean response", duration(r.LeastMeanResponse))
	t := Table{ID: "routing", Caption: "Split over the clusters", Head: []string{"cluster", "share", "rate", "utilization", "response"}, Words: 1}
	share, busy := chart.Series{Name: "share of the requests", Style: chart.Rows}, chart.Series{Name: "utilization", Style: chart.Rows}
	c := chart.Chart{Title: "Split over the clusters", XLabel: "share, utilization (%)", Arrange: chart.Grouped}
	for i, x := range r.Clusters {
		if i < shownClusters {
			t.Rows = append(t.Rows, []string{x.Name, fraction(x.Probability), rate(x.ExternalRate), fraction(x.Utilization), duration(x.ExternalResponse)})
			at := float64(i)
			c.YNames = append(c.YNames, x.Name)
			share.X, share.Y = append(share.X, 100*x.Probability), append(share.Y, at)
			busy.X, busy.Y = append(busy.X, 100*x.Utilization), append(busy.Y, at)
		}
	}
	if n := len(r.Clusters); n > shownClusters {
		t.Caption += fmt.Sprintf(" (the first %d of %d; all are in routing.csv)", shownClusters, n)
	}
	s.Tables = append(s.Tables, t)
	p := Table{ID: "policies", Caption: "The same stream under simpler rules", Head: []string{"rule", "mean response"}, Words: 1}
	for _, o := range r.Policies {
		if o.Saturated != nil {
			p.Rows = append(p.Rows, []string{policyWords[o.Policy], "saturates " + *o.Saturated})
			continue
		}
		p.Rows = append(p.Rows, []string{policyWords[o.Policy], dash(optionalTime(o.MeanResponse))})
	}
	s.Tables = append(s.Tables, p)
	zero := 0.0
	c.XMin, c.Series = &zero, []chart.Series{share, busy}
	s.figure("routing", "Share of the external requests that each cluster gets, and how busy it is with local and external ones.", c)
	return s, nil
}

const shownClusters = 15

var policyWords = map[routes.Policy]string{
	routes.PAP: "least mean response (pap)", routes.RR: "the same rate everywhere (rr)",
	routes.LRF: "more where the local rate is low (lrf)", routes.BCF: "in proportion to power (bcf)",
}

func replicasSection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	if len(a.Replicas) == 0 {
		return nil, nil
	}
	s := &Section{ID: "replicas", Title: "How many replicas?"}
	var leads []string
	t := Table{ID: "replicas", Caption: "Replicas and what they come to", Head: []string{"of", "target", "one is up", "replicas", "exact", "enough are up"}, Words: 1}
	for i := range a.Replicas {
		r := &a.Replicas[i]
		name := r.Machine
		if name == "" {
			name = "jobs"
			if r.From != "" {
				name += " by " + r.From
			}
		}
		lead := plural(r.ReplicasAnswer.Replicas, "replica", "replicas")
		if r.Machine != "" {
			lead += " on " + r.Machine
		}
		leads = append(leads, lead)
		t.Rows = append(t.Rows, []string{name, fraction(r.Target), dash(optionalFraction(r.AvailabilityOne)), count(r.ReplicasAnswer.Replicas), dash(optional(r.ReplicasReal, four)), units.FormatFraction(r.AvailabilityAll, 5)})
		if r.Interval != nil {
			s.row("through "+optionalTime(r.Window), optionalFraction(r.Interval), "chance that enough are up throughout")
		}
		if r.WindowReplicas != nil {
			s.row("replicas for the window", count(*r.WindowReplicas), "to keep the target throughout")
		}
		if r.Explanation != nil {
			s.Explanation = r.Explanation
		}
		s.Notes = append(s.Notes, r.Warnings...)
	}
	s.Lead = and(leads) + "."
	s.Tables = []Table{t}
	return s, nil
}

func epochSection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	e := a.Epoch
	if e == nil {
		return nil, nil
	}
	s := &Section{ID: "epoch", Title: "How often to reschedule?", Lead: fmt.Sprintf("Every %s (model %s).", duration(e.Epoch), e.Model), Explanation: e.Explanation, Notes: append([]string{}, e.Warnings...)}
	s.row("jobs down", number(e.JobsDown, 4), number(e.JobsDownFailure, 4)+" for failures, "+number(e.JobsDownMigration, 4)+" for migrations")
	s.row("failures", rate(e.FailureRate), "jobs that lose all replicas")
	if e.StableMax != nil {
		s.row("stable epochs", duration(e.StableMin)+" to "+duration(*e.StableMax))
		s.row("overlapping", duration(e.ParallelEpoch), "where recoveries and migrations run in parallel")
	}
	v, err := e.Drawn()
	if err != nil {
		return nil, err
	}
	zero := 0.0
	c := chart.Chart{Title: "Jobs down against the scheduling epoch", Subtitle: "model " + string(e.Model) + ", failures " + rate(e.FailureRate), XLabel: "scheduling epoch (s)", YLabel: "jobs down", YMin: &zero,
		Marks: []chart.Mark{{X: e.Epoch, Y: e.JobsDown, Label: duration(e.Epoch)}}, XLog: e.StableMax == nil}
	for _, y := range []struct {
		name string
		y    []float64
	}{{"all", v.Down}, {"for failures", v.Failure}, {"for migrations", v.Migration}} {
		line := chart.Series{Name: y.name, Style: chart.Line}
		for i, x := range v.Epoch {
			if v.Down[i] <= 8*e.JobsDown {
				line.X, line.Y = append(line.X, x), append(line.Y, y.y[i])
			}
		}
		c.Series = append(c.Series, line)
	}
	s.figure("epoch", "Failures go unnoticed longer in a long epoch; migrations weigh more in a short one.", c)
	return s, nil
}

func checkpointSection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	k := a.Checkpoint
	if k == nil {
		return nil, nil
	}
	s := &Section{ID: "checkpoint", Title: "When to save?", Lead: fmt.Sprintf("A checkpoint after each %s of work.", duration(k.Interval)), Explanation: k.Explanation, Notes: append([]string{}, k.Warnings...)}
	s.row("run time", optionalTime(k.ExpectedRun), optional(k.Slowdown, func(v float64) string { return number(v, 4) + " times the work" }))
	s.row("without saving", optionalTime(k.WithoutSaving))
	s.row("Young", duration(k.Young))
	s.row("Daly", duration(k.DalyHigher))
	if len(k.Options) > 0 {
		t := Table{ID: "checkpoint", Caption: "Ways to run the job", Head: []string{"way", "run time", "machine time"}, Words: 1}
		for _, o := range k.Options {
			t.Rows = append(t.Rows, []string{o.Name, dash(optionalTime(o.ExpectedRun)), dash(optionalTime(o.MachineTime))})
		}
		s.Tables = append(s.Tables, t)
		s.row("fastest", k.Fastest)
		s.row("cheapest", k.Cheapest)
	}
	v, err := k.Drawn()
	if err != nil {
		return nil, err
	}
	if len(v.Interval) > 1 && k.ExpectedRun != nil {
		c := chart.Chart{Title: "Run time against the checkpoint interval", Subtitle: duration(k.Question.Work) + " of work, a failure each " + duration(k.Question.MTBF), XLabel: "work between checkpoints (min)", YLabel: "expected run time (h)", XLog: true,
			Marks: []chart.Mark{{X: k.Interval / 60, Y: *k.ExpectedRun / 3600, Label: duration(k.Interval)}}}
		line := chart.Series{Name: "expected run time", Style: chart.Line}
		for i := range v.Interval {
			if v.Run[i] <= 3**k.ExpectedRun {
				line.X, line.Y = append(line.X, v.Interval[i]/60), append(line.Y, v.Run[i]/3600)
			}
		}
		c.Series = []chart.Series{line}
		s.figure("checkpoint", "Saving too often costs time, saving too rarely loses work.", c)
	}
	return s, nil
}

const shownHosts = 20

func allocationSection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	v := a.Allocation
	if v == nil {
		return nil, nil
	}
	s := &Section{ID: "allocation", Title: "Which job where?", Explanation: v.Explanation, Notes: append([]string{}, v.Warnings...)}
	switch {
	case v.Revenue == nil:
		s.Lead = fmt.Sprintf("Revenue at most %s.", number(v.ProvenBound, 9))
	case *v.Optimal:
		s.Lead = fmt.Sprintf("Revenue %s, proven optimal, for %s on %s.", count(*v.Revenue), plural(int64(v.Jobs), "job", "jobs"), plural(int64(v.Resources), "resource", "resources"))
	default:
		s.Lead = fmt.Sprintf("Revenue %s, at most %s below the best, for %s on %s.", count(*v.Revenue), fraction(*v.ProvenGap), plural(int64(v.Jobs), "job", "jobs"), plural(int64(v.Resources), "resource", "resources"))
	}
	t := Table{ID: "allocation", Caption: "By dependency", Head: []string{"dependency", "revenue", "least bound", "one more unit", "capacity", "used"}, Words: 1}
	for _, d := range v.Dependencies {
		t.Rows = append(t.Rows, []string{d.Dependency, dash(optional(d.Revenue, count)), number(d.Best(), 7), number(d.ShadowPrice, 4), count(d.Capacity), count(d.Used)})
	}
	s.Tables = []Table{t}
	if b := v.Backup; b != nil {
		s.row("backup loss", count(b.Loss), "summed over all jobs, each failing once")
		s.row("unprotected", count(int64(b.Unprotected)))
		s.row("backup capacity shared", number(b.SharingFactor, 3)+" times")
	}
	if len(v.Assignments) > 0 && len(v.Assignments) <= 40 {
		as := Table{ID: "assignments", Caption: "Assignments", Head: []string{"job", "dependency", "resource", "level", "demand", "revenue"}, Words: 3, Long: true}
		for _, x := range v.Assignments {
			as.Rows = append(as.Rows, []string{x.Job, x.Dependency, dash(optional(x.Resource, func(s string) string { return s })), count(int64(x.Level)), count(x.Demand), count(x.Revenue)})
		}
		s.Tables = append(s.Tables, as)
	}
	if len(v.Failures) > 0 {
		f := Table{ID: "failures", Caption: "After each failure", Head: []string{"failed", "stopped", "unprotected", "loss so far"}, Words: 1}
		for _, x := range v.Failures {
			f.Rows = append(f.Rows, []string{fmt.Sprint(x.Failed), count(int64(x.Stopped)), count(int64(x.Unprotected)), count(x.Loss)})
		}
		s.Tables = append(s.Tables, f)
	}
	return s, nil
}
