package report

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
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

func sizeSection(q *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	z := a.Size
	if z == nil {
		return nil, nil
	}
	s := &Section{ID: "size", Title: "How many servers?", Explanation: z.Explanation}
	peak := ""
	if z.Staffing != nil {
		peak = " at the peak"
	}
	s.Lead = fmt.Sprintf("%s of speed 1%s for %s erl.", plural(z.Servers, "server", "servers"), peak, number(z.OfferedLoad, 5))
	for i := range z.Objectives {
		o := &z.Objectives[i]
		remark := ""
		if o.Name == z.Binding {
			remark = "binds"
		}
		if o.Value != nil {
			s.row(objectiveWords(q, o), objectiveValue(o.Name, *o.Value), remark)
		}
	}
	if !bounds(z, "max_utilization") {
		s.row("utilization", optionalFraction(z.Utilization))
	}
	if z.Model != planner.Loss {
		s.row("mean wait", optionalTime(z.MeanWait))
		s.row("mean response", optionalTime(z.MeanResponse))
	}
	s.row("fractional need", optional(z.ServersReal, func(v float64) string { return number(v, 7) }))
	if l := z.Log; l != nil {
		s.row("jobs in the log", count(int64(l.Jobs)))
		s.row("processors of a job", number(l.WidthMean, 3), "up to "+count(int64(l.WidthMax)))
	}
	s.Tables = append(s.Tables, alternatives(z))
	if st := z.Staffing; st != nil {
		return s, staffing(s, st)
	}
	if z.Log != nil {
		return s, nil
	}
	sized := &planner.SizeQuestion{Traffic: q.Traffic, Objectives: q.Objectives, Model: q.Model}
	curves, err := planner.ObjectiveCurves(context.Background(), sized, z)
	if err != nil {
		return nil, err
	}
	for _, v := range curves {
		if v.Name != z.Binding || len(v.Servers) < 2 {
			continue
		}
		scale, unit := 100.0, " (%)"
		if v.Name == "max_mean_wait" || v.Name == "max_mean_response" {
			scale, unit = 1, " (s)"
		}
		zero := 0.0
		c := chart.Chart{Title: plural(z.Servers, "server", "servers") + " for " + number(z.OfferedLoad, 5) + " erl", Subtitle: objectiveFigure(v.Name) + " against the number of servers",
			XLabel: "servers of speed 1", YLabel: objectiveFigure(v.Name) + unit, YMin: &zero,
			HLines: []chart.Rule{{Value: scale * v.Limit, Label: "limit"}}}
		line := chart.Series{Name: objectiveFigure(v.Name), Style: chart.Line}
		for i := range v.Servers {
			if y := scale * v.Value[i]; y <= 8*scale*v.Limit+1e-9 || v.Limit == 0 {
				line.X, line.Y = append(line.X, v.Servers[i]), append(line.Y, y)
			}
			if v.Servers[i] == float64(z.Servers) {
				c.Marks = []chart.Mark{{X: v.Servers[i], Y: scale * v.Value[i], Label: count(z.Servers)}}
			}
		}
		if len(line.X) > 1 {
			c.Series = []chart.Series{line}
			s.figure("size", "The figure that binds, for fleets around the answer.", c)
		}
	}
	return s, nil
}

// staffing adds the day.
func staffing(s *Section, st *planner.Staffing) error {
	t := Table{ID: "staffing", Caption: "Servers over the day, by method (" + string(st.Method) + " is the answer)", Head: []string{"from", "arrivals", "SIPP", "lagged SIPP", "MOL"}, Words: 1, Long: true}
	var hours, arrivals, servers []float64
	for _, v := range st.Intervals {
		t.Rows = append(t.Rows, []string{clock(v.Start), rate(v.Rate), count(v.ServersSIPP), count(v.ServersLaggedSIPP), count(v.ServersMOL)})
		hours, arrivals, servers = append(hours, v.Start/3600), append(arrivals, v.Rate*3600), append(servers, float64(v.Servers))
	}
	t.Rows = append(t.Rows, []string{"server hours", "", number(st.HoursSIPP, 6), number(st.HoursLaggedSIPP, 6), number(st.HoursMOL, 6)})
	s.Tables = append(s.Tables, t)
	if len(hours) < 2 {
		return nil
	}
	zero := 0.0
	top := chart.Chart{Title: "Servers over the day", Subtitle: "arrivals, and the servers that they need (" + string(st.Method) + ")", XLabel: "time (h)", YLabel: "arrivals per hour", YMin: &zero,
		Series: []chart.Series{{Name: "arrivals", X: hours, Y: arrivals, Style: chart.Step}}}
	bottom := chart.Chart{XLabel: "time (h)", YLabel: "servers", YMin: &zero, Series: []chart.Series{{Name: "servers", X: hours, Y: servers, Style: chart.Step}}}
	if hours[len(hours)-1]-hours[0] <= 48 {
		bottom.XStep = 3
	}
	s.Figures = append(s.Figures, Figure{ID: "staffing", Caption: "The load over the day and the servers for it.", Top: &top, Chart: bottom})
	return nil
}

// clock writes seconds of a day as hours and minutes.
func clock(seconds float64) string {
	if minutes := seconds / 60; minutes == math.Trunc(minutes) && minutes >= 0 && minutes < 100*60 {
		return fmt.Sprintf("%02d:%02d", int(minutes)/60, int(minutes)%60)
	}
	return duration(seconds)
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

var policyWords = map[planner.RoutePolicy]string{
	planner.PAP: "least mean response (pap)", planner.RR: "the same rate everywhere (rr)",
	planner.LRF: "more where the local rate is low (lrf)", planner.BCF: "in proportion to power (bcf)",
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

func linkSection(q *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	l := a.Link
	if l == nil {
		return nil, nil
	}
	s := &Section{ID: "link", Title: "What does the link allow?", Explanation: l.Explanation, Notes: append([]string{}, l.Warnings...)}
	switch {
	case l.MaxArrivalRate != nil:
		s.Lead = fmt.Sprintf("Fewer than %s arriving, with %s.", rate(*l.MaxArrivalRate), plural(*l.Dedicated, "dedicated machine", "dedicated machines"))
	case l.MaxDedicated != nil:
		s.Lead = fmt.Sprintf("At most %s (%s binds).", plural(*l.MaxDedicated, "dedicated machine", "dedicated machines"), *l.Binding)
	default:
		s.Lead = fmt.Sprintf("It takes more than %s up and %s down.", units.FormatBandwidth(*l.MinUplink, 4), units.FormatBandwidth(*l.MinDownlink, 4))
	}
	s.row("dedicated, by the uplink", optional(l.MaxDedicatedUplink, func(v float64) string { return "fewer than " + number(v, 6) }))
	s.row("dedicated, by the downlink", optional(l.MaxDedicatedDownlink, func(v float64) string { return "fewer than " + number(v, 6) }))
	s.row("uplink used", optionalFraction(l.UplinkUtilization), "in the worst case")
	s.row("downlink used", optionalFraction(l.DownlinkUtilization))
	if l.MinEpoch != nil {
		s.row("epoch", "longer than "+duration(*l.MinEpoch))
	}
	s.row("replicas of a job", count(l.Replicas))
	if l.Uplink == nil {
		return s, nil
	}
	drawn := &planner.LinkQuestion{Uplink: l.Uplink, Downlink: l.Downlink, Footprint: &l.Footprint, Replicas: &l.Replicas, Epoch: &l.Epoch}
	v, err := drawn.Drawn()
	if err != nil {
		return nil, err
	}
	zero := 0.0
	c := chart.Chart{Title: "What the link takes", Subtitle: units.FormatBandwidth(*l.Uplink, 4) + " up, " + units.FormatBandwidth(*l.Downlink, 4) + " down, " + units.FormatSize(l.Footprint, 4) + " a job, " + plural(l.Replicas, "replica", "replicas") + ", epoch " + duration(l.Epoch),
		XLabel: "dedicated machines", YLabel: "greatest arrival rate (per s)", YMin: &zero, Series: []chart.Series{{Name: "greatest arrival rate", X: v.Dedicated, Y: v.Rate, Style: chart.Line}}}
	if l.Rate > 0 {
		c.HLines = []chart.Rule{{Value: l.Rate, Label: "arrival rate"}}
	}
	if l.MaxArrivalRate != nil && *l.MaxArrivalRate > 0 {
		c.Marks = []chart.Mark{{X: float64(*l.Dedicated), Y: *l.MaxArrivalRate, Label: rate(*l.MaxArrivalRate)}}
	}
	s.figure("link", "Below the line the uplink carries every arriving job and every swap.", c)
	return s, nil
}

func checkpointSection(q *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
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
	v, err := q.Checkpoint.Drawn(k)
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

func availabilitySection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	v := a.Predict
	if v == nil {
		return nil, nil
	}
	s := &Section{ID: "availability", Title: "Is the machine free?", Explanation: v.Explanation}
	s.Lead = fmt.Sprintf("%s is free from %s for %s with probability %s.", v.Host, v.Start, duration(v.Window), fraction(v.TemporalReliability))
	if v.Low != nil && v.High != nil {
		s.row("band", fraction(*v.Low)+" to "+fraction(*v.High), fraction(v.Level)+" over days")
	}
	s.row("observed", optionalFraction(v.Observed), "of "+plural(int64(v.ObservedDays), "day", "days"))
	s.row("mean time to failure", optionalTime(v.MTTF))
	s.row("days learnt from", count(int64(v.Days)), v.Day)
	curve := v.Drawn(v.Down)
	hours := func(x []float64) []float64 {
		out := make([]float64, len(x))
		for i := range x {
			out[i] = x[i] / 3600
		}
		return out
	}
	percent := func(x []float64) []float64 {
		out := make([]float64, len(x))
		for i := range x {
			out[i] = 100 * x[i]
		}
		return out
	}
	high := 100.0
	c := chart.Chart{Title: "Chance that the machine stays free", Subtitle: v.Host + " from " + v.Start + ", " + v.Day + "s", XLabel: "length of the window (h)", YLabel: "chance (%)", YMax: &high}
	if b := v.Band(); b != nil {
		c.Series = append(c.Series, chart.Series{Name: fraction(v.Level) + " band", X: hours(b.Window), YLow: percent(b.Low), YHigh: percent(b.High), Style: chart.Band})
	}
	c.Series = append(c.Series, chart.Series{Name: "temporal reliability", X: hours(curve.Window), Y: percent(curve.Reliability), Style: chart.Line})
	if len(curve.Window) > 1 {
		s.figure("availability", "By the semi-Markov process of the machine's record.", c)
	}
	return s, nil
}

func rankingSection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	v := a.Rank
	if v == nil || len(v.Hosts) == 0 {
		return nil, nil
	}
	s := &Section{ID: "ranking", Title: "Which machine?", Lead: fmt.Sprintf("%s: free throughout with probability %s.", v.Hosts[0].Name, fraction(v.Hosts[0].TemporalReliability)), Explanation: v.Explanation}
	t := Table{ID: "ranking", Caption: "Machines, the best first", Head: []string{"machine", "free throughout", "mean load", "days"}, Words: 1}
	c := chart.Chart{Title: "Chance that each machine stays free", XLabel: "chance (%)"}
	bars := chart.Series{Style: chart.Rows}
	for i, h := range v.Hosts {
		if i >= shownHosts {
			t.Caption += fmt.Sprintf(" (the first %d of %d)", shownHosts, len(v.Hosts))
			break
		}
		t.Rows = append(t.Rows, []string{h.Name, fraction(h.TemporalReliability), fraction(h.MeanLoad), count(int64(h.Days))})
		c.YNames = append(c.YNames, h.Name)
		bars.X, bars.Y, bars.Labels = append(bars.X, 100*h.TemporalReliability), append(bars.Y, float64(i)), append(bars.Labels, fraction(h.TemporalReliability))
	}
	zero := 0.0
	c.XMin, c.Series = &zero, []chart.Series{bars}
	s.Tables = []Table{t}
	s.figure("ranking", "By each machine's own record.", c)
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
	t := Table{ID: "allocation", Caption: "By dependency", Head: []string{"dependency", "revenue", "bound", "one more unit", "capacity", "used"}, Words: 1}
	for _, d := range v.Dependencies {
		t.Rows = append(t.Rows, []string{d.Dependency, dash(optional(d.Revenue, count)), number(d.LP, 7), number(d.ShadowPrice, 4), count(d.Capacity), count(d.Used)})
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

// alternatives is the table of one server fewer and one more, with the figure
// that each objective bounds.
func alternatives(z *planner.SizeAnswer) Table {
	t := Table{ID: "alternatives-size", Caption: "One server fewer, one more", Head: []string{"servers", "meets the objectives"}, Words: 1}
	for _, o := range z.Objectives {
		t.Head = append(t.Head, objectiveMeasured(o.Name))
	}
	beside := !bounds(z, "max_utilization")
	if beside {
		t.Head = append(t.Head, "utilization")
	}
	for i := range z.Alternatives {
		c := &z.Alternatives[i]
		met := "no"
		if c.Met {
			met = "yes"
		}
		row := []string{count(c.Servers), met}
		for _, o := range z.Objectives {
			value := map[string]*float64{
				"max_blocking": c.Blocking, "max_wait": c.ServiceLevel, "max_mean_wait": c.MeanWait,
				"max_mean_response": c.MeanResponse, "max_utilization": c.Utilization, "max_abandon": c.Abandonment,
			}[o.Name]
			if o.Name == "max_blocking" && value == nil {
				value = c.WaitProbability // blocked calls wait
			}
			row = append(row, dash(optional(value, func(v float64) string { return objectiveValue(o.Name, v) })))
		}
		if beside {
			row = append(row, dash(optionalFraction(c.Utilization)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// bounds reports whether an objective is among those asked for.
func bounds(z *planner.SizeAnswer, name string) bool {
	return slices.ContainsFunc(z.Objectives, func(o planner.ObjectiveResult) bool { return o.Name == name })
}
