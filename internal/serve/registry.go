package serve

import (
	"sync"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/leases"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/pools"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
)

// questions reads the structs of all questions. What a command leaves out stands
// in its flags, here in the structs before they are read. Defaults are structs as their fields
// stand where nothing is given; types under Without are no part of a body.
var questions = &document.QuestionReader{
	Defaults: []any{sizing.Pool{Speed: 1, Replicas: 1}, simulate.Question{Seed: 1}},
	Without:  typesOf(joblog.Summary{}, tally.Fleet{}, []joblog.Job{}),
	Files: typesOf(allocation.BatchFile{}, queues.ClosedNetworkFile{}, queues.OpenNetworkFile{},
		queues.LinkNetworkFile{}, leases.File{}, pools.File{}),
}

// registry lists what can be asked, in the order of the help of the program. It is
// made once: the structs of questions hold pointers into it otherwise. A new question is a line
// here, and a run of go generate for its schema.
var registry = sync.OnceValue(func() []question {
	return append([]question{
		planQuestion(),
		// Each line has the name, a sentence, an example that a test asks, the question with its
		// defaults, what answers it, what shows the answer, and how its progress is heard; nil
		// where it is done at once.
		of("size", "how many servers for this load and these objectives?",
			`{"load": 120, "max_blocking": "1%"}`,
			sizing.SizeQuestion{Seed: 1}, size, report.Size,
			func(q *sizing.SizeQuestion, told func(done, of int)) { q.Simulate = heard(q.Simulate, told) }),
		of("capacity", "how much load can this fleet take?",
			`{"servers": 138, "max_blocking": "1%"}`,
			sizing.CapacityQuestion{}, sizing.Capacity, report.Capacity, nil),
		of("check", "does this fleet meet the objectives?",
			`{"servers": 138, "load": 120, "max_blocking": "1%"}`,
			sizing.CheckQuestion{SizeQuestion: sizing.SizeQuestion{Seed: 1}}, check, report.Check,
			func(q *sizing.CheckQuestion, told func(done, of int)) { q.Simulate = heard(q.Simulate, told) }),
		of("throughput", "what does a given fleet deliver?",
			`{"dedicated": 100, "rate": "5.4/s", "service_time": "20s"}`,
			sizing.ThroughputQuestion{}, sizing.Throughput, report.Throughput, nil),
		of("queue", "the figures of one queue",
			`{"queue": "erlang-c", "servers": 14, "rate": "2/min", "service_time": "5min", "max_wait": "20s"}`,
			queues.QueueQuestion{}, queues.Queue, report.Queue,
			func(q *queues.QueueQuestion, told func(done, of int)) { q.Simulate = heard(q.Simulate, told) }),
		of("route", "how to split a stream over clusters?",
			`{"rate": "1/s", "clusters": [
  {"name": "north", "local": {"rate": "0.3/s", "service_time": "0.8s"}, "external": {"service_time": "1s"}},
  {"name": "south", "external": {"service_time": "0.5s"}}]}`,
			routeQuestion{Question: routes.Question{Seed: 1}}, route,
			func(a *routes.Answer) *page.Section { return report.Route(a, "") }, nil),
		of("replicas", "how many replicas?",
			`{"mttf": "5min", "mttr": "2min", "target": "95%"}`,
			survival.ReplicasQuestion{}, survival.Replicas, report.Replicas, nil),
		of("epoch", "how often to reschedule?",
			`{"migrations": 1, "migration_time": "100s", "failure_rate": "0.005/s"}`,
			survival.EpochQuestion{}, survival.Epoch, report.Epoch, nil),
		of("link", "what does the bottleneck link allow?",
			`{"uplink": "100Mbps", "downlink": "100Mbps", "footprint": "1MB", "replicas": 2, "dedicated": 100, "epoch": "2min"}`,
			survival.LinkQuestion{}, survival.Link, report.Link, nil),
		of("checkpoint", "when to checkpoint?",
			`{"mtbf": "5h", "cost": "2min", "restart": "5min", "work": "1d"}`,
			survival.CheckpointQuestion{}, survival.Checkpoint, report.Checkpoint, nil),
		of("lifetime", "which law do these lifetimes follow?",
			`{"durations": ["6d", "7d", "10d", "13d", "16d", "22d", "23d"]}`,
			survival.LifetimeQuestion{}, survival.Lifetime,
			func(a *survival.LifetimeAnswer) *page.Section { return report.Lifetime(a, "") }, nil),
		of("availability-solve", "what does a kernel say about a window?",
			`{"window": "30s", "kernel": {"step_s": 6, "states": ["S1", "S2", "S3"], "failure": ["S3"], "initial": "S1",
  "kernel": {"S1": {"S2": [0.1, 0.2], "S3": [0.05]}, "S2": {"S1": [0.5], "S3": [0, 0.5]}}}}`,
			machines.SolveQuestion{}, machines.Solve, report.Solve, nil),
		// Solvers that are executables cannot be asked for here, see lpQuestion.
		of("allocate", "which job at which level on which resource?",
			`{"batch": {"dependencies": ["cpu"], "resources": [{"id": "r1", "dependency": "cpu", "primary_capacity": 100}],
  "jobs": [{"id": "a", "levels": {"cpu": [{"demand": 50, "revenue": 250}, {"demand": 100, "revenue": 500}]}}]}}`,
			allocation.Question{Seed: 1}, allocation.Allocate, report.Allocation, nil),
		of("finish", "when is a bag of tasks done, and what does help buy?",
			`{"bag": "big", "hosts": "nd", "by": "70min", "with": 0.95}`,
			finishQuestion{FinishQuestion: bags.FinishQuestion{Seed: 1}}, finish, report.Finish,
			func(q *finishQuestion, told func(done, of int)) { q.Progress = told }),
		of("simulate-station", "a station of servers by simulation",
			`{"servers": 14, "rate": "2/min", "service_time": "5min", "simulate": {"replications": 5, "seed": 1}}`,
			queues.StationQuestion{}, queues.Station, report.Station,
			func(q *queues.StationQuestion, told func(done, of int)) { q.Simulate.Progress = told }),
		of("simulate-bot", "how long does a bag take, by simulation?",
			`{"bag": "small", "hosts": "nd", "replications": 2}`,
			bagQuestion{SimulateQuestion: bags.SimulateQuestion{Seed: 1}}, simulateBag, report.Bag,
			func(q *bagQuestion, told func(done, of int)) { q.Progress = told }),
		of("simulate-hosts", "how many of these machines are there, over time?",
			`{"hosts": "g5klyo", "horizon": "1d", "replications": 2}`,
			hostsQuestion{HostsQuestion: bags.HostsQuestion{Seed: 1}}, simulateHosts, report.Hosts,
			func(q *hostsQuestion, told func(done, of int)) { q.Progress = told }),
	}, append(networkQuestions(), textQuestions()...)...)
})

// heard lets a simulation, if there is one, say how far it is. The question of a request is copied,
// since fresh is shared. A question that simulates nothing has nothing to tell.
func heard(q *simulate.Question, told func(done, of int)) *simulate.Question {
	if q == nil {
		return nil
	}
	own := *q
	own.Progress = told
	return &own
}
