package report

import (
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// Queue says what one queueing model gives.
func Queue(a *queues.QueueAnswer) *Section {
	s := newSection("queue", "What does the queue do?", a.Warnings, a.Explanation)
	kind := sizing.Wait
	servers := many(a.Servers, "server")
	switch a.Queue {
	case queues.ErlangB, queues.Engset, queues.Hayward, queues.Classes:
		kind = sizing.Loss
		s.Say("blocking probability %s (%s, %s, %s)", blocking(a), a.Queue, servers, erlangs(a.OfferedLoad))
	case queues.Priority, queues.PS:
		s.Say("mean response %s (%s, %s, %s)",
			Maybe(a.MeanResponse, duration, 3), a.Queue, Plural(int64(a.Servers), "server"), erlangs(a.OfferedLoad))
	case queues.Backed:
		addElastic(s, a)
		addSimulation(s, a.Simulation)
		return s
	case queues.ErlangA:
		kind = sizing.Abandon
		fallthrough
	default:
		s.Say("wait probability %s (%s, %s, %s)",
			Maybe(a.WaitProbability, fraction, 3), a.Queue, servers, erlangs(a.OfferedLoad))
	}
	addFleet(s, kind, &a.Figures, nil, "")
	at := sizing.DefaultPercentile
	if a.Percentile != nil {
		at = *a.Percentile
	}
	s.Fact("response, "+percentile(at), Maybe(a.ResponsePercentile, duration, 3))
	s.Fact("time congestion", Maybe(a.TimeCongestion, fraction, 3), "share of time that all servers are busy")
	s.Fact("call congestion", Maybe(a.CallCongestion, fraction, 3), "share of requests that are lost")
	s.Fact("by equivalent random", Maybe(a.EquivalentRandom, fraction, 3), "Wilkinson's theory")
	s.Fact("by Hayward", Maybe(a.Hayward, fraction, 3))
	s.Fact("served within max-wait", Maybe(a.ServedLevel, fraction, 3))
	s.Fact("log10 of blocking", Maybe(a.Log10Blocking, number, 4))
	s.Fact("carried load", sized("", Maybe(a.CarriedLoad, number, 4), " erl"))
	s.Fact("lost load", sized("", Maybe(a.LostLoad, number, 4), " erl"))
	s.Fact("one more server carries", sized("", Maybe(a.Improvement, number, 4), " erl"))
	addClasses(s, a.Classes, kind == sizing.Loss)
	disciplines := s.Table("discipline", "mean response")
	for _, d := range a.Disciplines {
		disciplines.Row(d.Discipline, Maybe(d.MeanResponse, TimeCell, 3))
	}
	addSimulation(s, a.Simulation)
	s.Plots(a)
	return s
}

// addClasses adds the classes of customers of a queue.
func addClasses(s *Section, all []queues.ClassAnswer, loss bool) {
	t := s.Table("class", "offered load", "mean wait", "mean response", "mean queue", "utilization")
	if loss {
		t.Head = []string{"class", "offered load", "blocking", "utilization"}
	}
	for _, c := range all {
		row := []any{c.Name, erlangs(c.OfferedLoad)}
		if loss {
			row = append(row, Maybe(c.Blocking, fraction, 3))
		} else {
			row = append(row, Maybe(c.MeanWait, TimeCell, 3), Maybe(c.MeanResponse, TimeCell, 3),
				Maybe(c.MeanQueueLength, number, 3))
		}
		t.Row(append(row, Maybe(c.Utilization, fraction, 3))...)
	}
}

// addElastic shows dedicated servers backed by public machines.
func addElastic(s *Section, a *queues.QueueAnswer) {
	servers := many(a.Servers, "dedicated server")
	if a.ServersReal != nil {
		s.Say("%s (elongation %s, %s)", servers, fraction(*a.Elongation, 4), erlangs(a.OfferedLoad))
		s.Fact("with a fractional server", number(*a.ServersReal, 4))
	} else {
		s.Say("elongation %s (%s, %s)", fraction(*a.Elongation, 4), servers, erlangs(a.OfferedLoad))
	}
	s.Fact("by the mean field", fraction(*a.MeanFieldElongation, 4), "as if the number of jobs did not vary")
	s.Fact("mean response", Maybe(a.MeanResponse, duration, 3))
	s.Fact("utilization", Maybe(a.Utilization, fraction, 3), "of the dedicated servers")
	s.Fact("work on public machines", Maybe(a.PublicShare, fraction, 3))
	s.Fact("jobs on average", Maybe(a.MeanJobs, number, 4))
	s.Fact("public machines on average", Maybe(a.MeanPublic, number, 4))
	if a.Percentile != nil {
		s.Fact("jobs, "+percentile(*a.Percentile), Maybe(a.JobsPercentile, number, 7))
		s.Fact("public machines, "+percentile(*a.Percentile), Maybe(a.PublicPercentile, number, 7))
	}
}

func percentile(p float64) string { return units.FormatOrdinal(p) + " percentile" }

// blocking writes the probability, or its power of ten where it is too small
// for a float64.
func blocking(a *queues.QueueAnswer) string {
	if *a.Blocking == 0 && a.Log10Blocking != nil {
		return "10^" + number(*a.Log10Blocking, 6)
	}
	return fraction(*a.Blocking, 3)
}
