package report

import (
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// Queue says what one queueing model gives. It leads with the figure that the queue is asked for:
// blocking where requests are lost, response where servers share or classes pass each other, else
// the chance to wait. A figure that the model does not have has no line.
func Queue(a *queues.QueueAnswer) *page.Section {
	s := page.New("queue", "What does the queue do?", a.Warnings, a.Explanation)
	// The kind chooses which lines a fleet has.
	kind := sizing.Wait
	servers := say.Many(a.Servers, "server")
	switch a.Queue {
	case queues.ErlangB, queues.Engset, queues.Hayward, queues.Classes:
		kind = sizing.Loss
		s.Say("blocking probability %s (%s, %s, %s)", blocking(a), a.Queue, servers, say.Erlangs(a.OfferedLoad))
	case queues.Priority, queues.PS:
		s.Say("mean response %s (%s, %s, %s)",
			say.Maybe(a.MeanResponse, say.Duration, 3), a.Queue, say.Plural(int64(a.Servers), "server"),
			say.Erlangs(a.OfferedLoad))
	// The chain of dedicated and public machines has figures of its own, and none of the usual ones.
	case queues.Backed:
		addElastic(s, a)
		addSimulation(s, a.Simulation)
		return s
	case queues.ErlangA:
		kind = sizing.Abandon
		fallthrough
	default:
		s.Say("wait probability %s (%s, %s, %s)",
			say.Maybe(a.WaitProbability, say.Fraction, 3), a.Queue, servers, say.Erlangs(a.OfferedLoad))
	}
	// No objectives are held against the figures, since none were asked for.
	addFleet(s, kind, &a.Figures, nil, "")
	// The percentile of responses has the default of questions about fleets.
	at := ask.Or(a.Percentile, sizing.DefaultPercentile)
	s.Fact("response, "+percentile(at), say.Maybe(a.ResponsePercentile, say.Duration, 3))
	// With finitely many sources the two differ: who comes sees the system without itself.
	s.Fact("time congestion", say.Maybe(a.TimeCongestion, say.Fraction, 3), "share of time that all servers are busy")
	s.Fact("call congestion", say.Maybe(a.CallCongestion, say.Fraction, 3), "share of requests that are lost")
	// Two approximations of peaked traffic stand side by side, and where they differ neither is
	// sure.
	s.Fact("by equivalent random", say.Maybe(a.EquivalentRandom, say.Fraction, 3), "Wilkinson's theory")
	s.Fact("by Hayward", say.Maybe(a.Hayward, say.Fraction, 3))
	// Where some give up, the level of those who were served is another than that of all.
	s.Fact("served within max-wait", say.Maybe(a.ServedLevel, say.Fraction, 3))
	s.Fact("log10 of blocking", say.Maybe(a.Log10Blocking, say.Number, 4))
	s.Fact("carried load", say.Sized("", say.Maybe(a.CarriedLoad, say.Number, 4), " erl"))
	s.Fact("lost load", say.Sized("", say.Maybe(a.LostLoad, say.Number, 4), " erl"))
	// The improvement is how a trunk was bought: the load that the next server carries.
	s.Fact("load that one more server carries", say.Sized("", say.Maybe(a.Improvement, say.Number, 4), " erl"))
	addClasses(s, a.Classes, kind == sizing.Loss)
	// The same work in other orders: what a queue gains by its order is in this table.
	disciplines := s.Table("discipline", "mean response")
	for _, d := range a.Disciplines {
		disciplines.Row(d.Discipline, say.Maybe(d.MeanResponse, say.TimeCell, 3))
	}
	addSimulation(s, a.Simulation)
	s.Plots(a)
	return s
}

// addClasses adds the classes of customers of a queue. Classes of a loss system have no waits.
func addClasses(s *page.Section, all []queues.ClassAnswer, loss bool) {
	t := s.Table("class", "offered load", "mean wait", "mean response", "mean queue", "utilization")
	if loss {
		t.Head = []string{"class", "offered load", "blocking", "utilization"}
	}
	for _, c := range all {
		row := []any{c.Name, say.Erlangs(c.OfferedLoad)}
		if loss {
			row = append(row, say.Maybe(c.Blocking, say.Fraction, 3))
		} else {
			row = append(row, say.Maybe(c.MeanWait, say.TimeCell, 3), say.Maybe(c.MeanResponse, say.TimeCell, 3),
				say.Maybe(c.MeanQueueLength, say.Number, 3))
		}
		t.Row(append(row, say.Maybe(c.Utilization, say.Fraction, 3))...)
	}
}

// addElastic shows dedicated servers backed by public machines. It leads with the number of servers
// where --max-elongation asked for it.
func addElastic(s *page.Section, a *queues.QueueAnswer) {
	servers := say.Many(a.Servers, "dedicated server")
	if a.ServersReal != nil {
		s.Say("%s (elongation %s, %s)", servers, say.Fraction(*a.Elongation, 4), say.Erlangs(a.OfferedLoad))
		s.Fact("with a fractional server", say.Number(*a.ServersReal, 4))
	} else {
		s.Say("elongation %s (%s, %s)", say.Fraction(*a.Elongation, 4), servers, say.Erlangs(a.OfferedLoad))
	}
	// The mean field takes the number of jobs as constant: what lies between is its variability.
	s.Fact("by the mean field", say.Fraction(*a.MeanFieldElongation, 4), "as if the number of jobs were constant")
	s.Fact("mean response", say.Maybe(a.MeanResponse, say.Duration, 3))
	s.Fact("utilization", say.Maybe(a.Utilization, say.Fraction, 3), "of the dedicated servers")
	s.Fact("work on public machines", say.Maybe(a.PublicShare, say.Fraction, 3))
	s.Fact("jobs on average", say.Maybe(a.MeanJobs, say.Number, 4))
	s.Fact("public machines on average", say.Maybe(a.MeanPublic, say.Number, 4))
	if a.Percentile != nil {
		s.Fact("jobs, "+percentile(*a.Percentile), say.Maybe(a.JobsPercentile, say.Number, 7))
		s.Fact("public machines, "+percentile(*a.Percentile), say.Maybe(a.PublicPercentile, say.Number, 7))
	}
}

// percentile names a percentile as people say it: 95th percentile.
func percentile(p float64) string { return units.FormatOrdinal(p) + " percentile" }

// blocking writes the probability, or its power of ten where it is too small
// for a float64. Below 1e-308 the probability is 0 as a float64, and its logarithm is not.
func blocking(a *queues.QueueAnswer) string {
	if *a.Blocking == 0 && a.Log10Blocking != nil {
		return "10^" + say.Number(*a.Log10Blocking, 6)
	}
	return say.Fraction(*a.Blocking, 3)
}
