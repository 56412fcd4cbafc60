package serve

import (
	"github.com/capplan/capplan/planner/leases"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/report"
)

// networkQuestions are those of networks and of leases. Their answers share the schemas of the
// commands, whose names differ from those of the questions.
func networkQuestions() []question {
	closed := of("queue-mva", "closed networks, by mean value analysis",
		`{"network": {"stations": [{"name": "cpu", "servers": 2}, {"name": "disk"}],
  "classes": [{"name": "user", "customers": 20, "think_time": "5s", "demands": ["30ms", "40ms"]}]}}`,
		queues.ClosedQuestion{}, queues.ClosedNetwork, report.Network,
		func(q *queues.ClosedQuestion, told func(done, of int)) { q.Simulate = heard(q.Simulate, told) })
	open := of("queue-jackson", "open networks of M/M/c stations",
		`{"network": {"stations": [{"name": "web", "rate": "5/s", "service": "100ms", "next": [{"station": "db", "share": "40%"}]},
  {"name": "db", "service": "200ms"}]}}`,
		queues.OpenQuestion{}, queues.OpenNetwork, report.Network,
		func(q *queues.OpenQuestion, told func(done, of int)) { q.Simulate = heard(q.Simulate, told) })
	closed.answer, open.answer = "network", "network"
	links := of("queue-links", "a network of links that lose requests, by the Erlang fixed point",
		`{"network": {"links": [{"name": "a-b", "servers": 30}, {"name": "b-c", "servers": 30}],
  "routes": [{"name": "a to c", "load": 10, "links": ["a-b", "b-c"]}, {"name": "a to b", "load": 12, "links": ["a-b"]}]}}`,
		queues.LinksQuestion{}, queues.LinkNetwork, report.Links,
		func(q *queues.LinksQuestion, told func(done, of int)) { q.Simulate = heard(q.Simulate, told) })
	links.answer = "links"
	return []question{closed, open, links,
		of("simulate-leases", "leases on clusters whose own users preempt",
			`{"replications": 2, "horizon": "1h", "file": {"external": {"gap": {"scale": "30s"}, "duration": {"mean": "5min"}},
  "clusters": [{"name": "a", "nodes": 16}, {"name": "b", "nodes": 32, "speed": 1.5}]}}`,
			// A seed of 1 is the default of the command too, so that both give the same bytes.
			leases.Question{Seed: 1}, leases.Ask, report.Leases,
			func(q *leases.Question, told func(done, of int)) { q.Progress = told }),
	}
}
