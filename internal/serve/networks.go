package serve

import (
	"context"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/planner/leases"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/report"
)

// The questions of networks and leases hold what a command reads from a file.

// part is a document whose root is one of its fields; nil where it is not given. Faults keep the
// lines of the whole body.
func part(d *document.Document, field string) *document.Document {
	n := d.Root.Field(field)
	if n == nil {
		return nil
	}
	out := *d
	out.Root = n
	return &out
}

// closedQuestion is the body of a request for a closed network. The network is what the command
// reads from a file, with the same names.
type closedQuestion struct {
	Network  *queues.ClosedNetworkFile `json:"network"`
	Method   string                    `json:"method,omitempty"`
	Simulate *simulate.Question        `json:"simulate,omitempty"`
	Explain  bool                      `json:"explain,omitempty"`
}

// check reports what is wrong with the network by its line in the body.
func (q *closedQuestion) check(d *document.Document) error {
	return q.Network.CheckAt(part(d, "network"))
}

// closedNetwork answers by mean value analysis, and simulates beside it where that is asked.
func closedNetwork(ctx context.Context, q *closedQuestion) (*queues.NetworkAnswer, error) {
	a, err := queues.ClosedNetwork(ctx, q.Network, q.Method, q.Explain)
	if err == nil && q.Simulate != nil {
		err = queues.SimulateClosedNetwork(ctx, q.Network, q.Simulate, a)
	}
	return a, err
}

// openQuestion is the body of a request for an open network. A simulation is asked for by its field
// and not by a flag.
type openQuestion struct {
	Network  *queues.OpenNetworkFile `json:"network"`
	Simulate *simulate.Question      `json:"simulate,omitempty"`
	Explain  bool                    `json:"explain,omitempty"`
}

func (q *openQuestion) check(d *document.Document) error {
	return q.Network.CheckAt(part(d, "network"))
}

// openNetwork answers by Jackson's theorem; the simulation adds its figures to the same answer.
func openNetwork(ctx context.Context, q *openQuestion) (*queues.NetworkAnswer, error) {
	a, err := queues.OpenNetwork(ctx, q.Network, q.Explain)
	if err == nil && q.Simulate != nil {
		err = queues.SimulateOpenNetwork(ctx, q.Network, q.Simulate, a)
	}
	return a, err
}

// linksQuestion is the body of a request for a network that loses what finds a link full.
type linksQuestion struct {
	Network  *queues.LinkNetworkFile `json:"network"`
	Simulate *simulate.Question      `json:"simulate,omitempty"`
	Explain  bool                    `json:"explain,omitempty"`
}

func (q *linksQuestion) check(d *document.Document) error {
	return q.Network.CheckAt(part(d, "network"))
}

// linkNetwork answers by the fixed point of Erlang's formula, whose error the simulation shows.
func linkNetwork(ctx context.Context, q *linksQuestion) (*queues.LinksAnswer, error) {
	a, err := queues.LinkNetwork(ctx, q.Network, q.Explain)
	if err == nil && q.Simulate != nil {
		err = queues.SimulateLinkNetwork(ctx, q.Network, q.Simulate, a)
	}
	return a, err
}

// leasesQuestion is the body of a request to simulate leases; its clusters stand in the field file.
type leasesQuestion struct{ leases.Question }

func (q *leasesQuestion) check(d *document.Document) error { return q.File.CheckAt(part(d, "file")) }

func simulateLeases(ctx context.Context, q *leasesQuestion) (*leases.Answer, error) {
	return leases.Ask(ctx, &q.Question)
}

// networkQuestions are those of networks and of leases. Their answers share the schemas of the
// commands, whose names differ from those of the questions.
func networkQuestions() []question {
	closed := of("queue-mva", "closed networks, by mean value analysis",
		`{"network": {"stations": [{"name": "cpu", "servers": 2}, {"name": "disk"}],
  "classes": [{"name": "user", "customers": 20, "think_time": "5s", "demands": ["30ms", "40ms"]}]}}`,
		closedQuestion{}, closedNetwork, report.Network,
		func(q *closedQuestion, told func(done, of int)) { q.Simulate = heard(q.Simulate, told) })
	open := of("queue-jackson", "open networks of M/M/c stations",
		`{"network": {"stations": [{"name": "web", "rate": "5/s", "service": "100ms", "next": [{"station": "db", "share": "40%"}]},
  {"name": "db", "service": "200ms"}]}}`,
		openQuestion{}, openNetwork, report.Network,
		func(q *openQuestion, told func(done, of int)) { q.Simulate = heard(q.Simulate, told) })
	closed.answer, open.answer = "network", "network"
	links := of("queue-links", "a network of links that lose requests, by the Erlang fixed point",
		`{"network": {"links": [{"name": "a-b", "servers": 30}, {"name": "b-c", "servers": 30}],
  "routes": [{"name": "a to c", "load": 10, "links": ["a-b", "b-c"]}, {"name": "a to b", "load": 12, "links": ["a-b"]}]}}`,
		linksQuestion{}, linkNetwork, report.Links,
		func(q *linksQuestion, told func(done, of int)) { q.Simulate = heard(q.Simulate, told) })
	links.answer = "links"
	return []question{closed, open, links,
		of("simulate-leases", "leases on clusters whose own users preempt",
			`{"replications": 2, "horizon": "1h", "file": {"external": {"gap": {"scale": "30s"}, "duration": {"mean": "5min"}},
  "clusters": [{"name": "a", "nodes": 16}, {"name": "b", "nodes": 32, "speed": 1.5}]}}`,
			// A seed of 1 is the default of the command too, so that both give the same bytes.
			leasesQuestion{Question: leases.Question{Seed: 1}}, simulateLeases, report.Leases,
			func(q *leasesQuestion, told func(done, of int)) { q.Progress = told }),
	}
}
