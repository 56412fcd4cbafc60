package queues

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// QueueModel names one queue of a QueueQuestion.
type QueueModel string

// The queues.
const (
	ErlangB  QueueModel = "erlang-b" // M/G/n/n, loss
	ErlangC  QueueModel = "erlang-c" // M/M/c
	ErlangA  QueueModel = "erlang-a" // M/M/n+M, patience
	GGC      QueueModel = "ggc"      // GI/G/c, approximations
	Engset   QueueModel = "engset"   // loss, finitely many sources
	MMCK     QueueModel = "mmck"     // M/M/c/K, finite waiting room
	Finite   QueueModel = "finite"   // M/M/c//N, finitely many customers that wait
	Hayward  QueueModel = "hayward"  // loss of peaked traffic
	MG1      QueueModel = "mg1"      // M/G/1
	GIM1     QueueModel = "gim1"     // GI/M/1
	MDC      QueueModel = "mdc"      // M/D/c
	PS       QueueModel = "ps"       // M/G/1 and M/M/c, processor sharing
	Priority QueueModel = "priority" // classes with priorities
	Classes  QueueModel = "classes"  // loss, classes that need several servers each
	Backed   QueueModel = "pool"     // dedicated servers backed by slower public machines
)

// A QueueQuestion asks for the figures of one queue. Which fields a queue
// takes is said at its name in the command line's help.
type QueueQuestion struct {
	Queue   QueueModel `json:"queue"`
	Servers float64    `json:"servers"` // may be fractional for erlang-b, -c, -a, ggc, engset, mmck, hayward and pool
	sizing.Traffic
	// mmck: customers in all, waiting and served; classes: servers
	Capacity      *units.Count    `json:"capacity,omitempty"`
	Sources       *units.Count    `json:"sources,omitempty"`             // engset, finite
	LoadPerSource *units.Erlang   `json:"load_per_source_erl,omitempty"` // engset: of an idle source
	ThinkTime     *units.Duration `json:"think_time_s,omitempty"`        // finite
	Peakedness    *units.Number   `json:"peakedness,omitempty"`          // hayward
	ServiceLaw    string          `json:"service_law,omitempty"`         // mg1; empty: exponential
	ArrivalLaw    string          `json:"arrival_law,omitempty"`         // gim1
	// ggc: see [GGCMethods]; hayward: see [PeakedMethods]
	Method         string       `json:"method,omitempty"`
	Preemptive     bool         `json:"preemptive,omitempty"`  // priority
	JobClasses     []QueueClass `json:"job_classes,omitempty"` // priority (highest first), classes
	PublicMachines              // pool
	// Percentile of the wait, of pool of the jobs; nil: 0.95. MaxWait asks for the service level.
	Percentile *units.Percentile `json:"percentile,omitempty"`
	MaxWait    *units.Duration   `json:"max_wait_s,omitempty"`
	// ServiceLevelOf is for erlang-a; see [sizing.Objectives].
	ServiceLevelOf sizing.ServiceLevelOf `json:"service_level_of,omitempty"`
	Explain        bool                  `json:"explain,omitempty"`
	// Simulate asks for the same figures by simulation.
	Simulate *simulate.Question `json:"simulate,omitempty"`
}

// A QueueAnswer holds the figures.
type QueueAnswer struct {
	Queue   QueueModel `json:"queue"`
	Servers float64    `json:"servers"`
	sizing.Figures
	// For erlang-b only.
	Log10Blocking *float64 `json:"log10_blocking,omitempty"` // also where the probability prints as 0
	CarriedLoad   *float64 `json:"carried_load_erl,omitempty"`
	LostLoad      *float64 `json:"lost_load_erl,omitempty"`
	// Improvement is the load that one more server would carry.
	Improvement *float64 `json:"improvement_erl,omitempty"`
	ServedLevel *float64 `json:"served_within_max_wait,omitempty"` // erlang-a: served, and after no longer wait

	TimeCongestion *float64 `json:"time_congestion,omitempty"` // engset: share of time that all are busy
	CallCongestion *float64 `json:"call_congestion,omitempty"` // engset: share of requests lost
	// For hayward: the loss by either formula.
	EquivalentRandom *float64 `json:"equivalent_random_blocking,omitempty"` // Wilkinson, for a peakedness above 1
	Hayward          *float64 `json:"hayward_blocking,omitempty"`

	Disciplines []DisciplineAnswer `json:"disciplines,omitempty"` // mg1
	Classes     []ClassAnswer      `json:"classes,omitempty"`     // priority, classes

	ElasticAnswer // pool

	Simulation  *simulate.Simulation `json:"simulation,omitempty"`
	Warnings    []string             `json:"warnings,omitempty"`
	Explanation *ask.Explanation     `json:"explanation,omitempty"`

	asked *QueueQuestion // for the plots; nil where there are none
}

// Queue answers a QueueQuestion. A queue without a steady state is an
// *ask.InfeasibleError.
func Queue(ctx context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if q.Uncertain() || q.Traffic.Curve != nil || q.Log != nil {
		return nil, ask.Inputf("load", "a queue takes one load: values, not ranges")
	}
	answer, ok := map[QueueModel]func(context.Context, *QueueQuestion) (*QueueAnswer, error){
		ErlangB: erlangQueue, ErlangC: erlangQueue, ErlangA: erlangQueue, GGC: erlangQueue,
		Engset: engsetQueue, MMCK: mmckQueue, Finite: finiteQueue, Hayward: haywardQueue,
		MG1: mg1Queue, GIM1: gim1Queue, MDC: mdcQueue, PS: psQueue,
		Priority: priorityQueue, Classes: classesQueue, Backed: poolQueue,
	}[q.Queue]
	if !ok {
		return nil, ask.Inputf("queue", "%q is no queue", string(q.Queue))
	}
	a, err := parallel.Await(ctx, func() (*QueueAnswer, error) { return answer(ctx, q) })
	if err == nil && q.Simulate != nil {
		err = q.simulated(ctx, a)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// kind returns what becomes of an arrival that finds all servers busy.
func (q *QueueQuestion) kind() sizing.ModelKind {
	switch q.Queue {
	case ErlangB, Engset, Hayward, Classes:
		return sizing.Loss
	case ErlangA:
		return sizing.Abandon
	}
	return sizing.Wait
}

// erlangQueue answers for the queues that [sizing.Size] knows too.
func erlangQueue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	if err := q.Complete(); err != nil {
		return nil, err
	}
	kind := q.kind()
	switch {
	case q.Queue == GGC && (q.ArrivalSCV == nil || q.ServiceSCV == nil):
		return nil, ask.Inputf("arrival_scv", "ggc wants arrival-scv and service-scv, such as 1 and 0.5")
	case q.Queue != GGC && (q.ArrivalSCV != nil || q.ServiceSCV != nil):
		return nil, ask.Inputf("arrival_scv", "%s has no such parameter: use ggc", q.Queue)
	case kind == sizing.Loss && q.MaxWait != nil:
		return nil, ask.Inputf("max_wait", "in erlang-b nobody waits")
	}
	s := q.Nominal()
	f, err := sizing.NewFleet(&q.Traffic, &sizing.Objectives{}, kind, nil, s)
	if err != nil {
		return nil, err
	}
	if f.Objectives, err = q.waits(s.Clock); err != nil {
		return nil, err
	}
	if f.Model, err = q.refine(f.Model); err != nil {
		return nil, err
	}
	g, err := f.Model.At(q.Servers)
	if err != nil {
		return nil, ask.FromQueueing("servers", err)
	}
	asked := *q
	a := &QueueAnswer{
		Queue:    q.Queue,
		Servers:  q.Servers,
		Figures:  sizing.FiguresOf(g, kind, s.Clock, f.Objectives),
		Warnings: f.Warnings(g),
		asked:    &asked,
	}
	switch q.Queue {
	case ErlangB:
		if err := a.loss(q.Servers, g.OfferedLoad); err != nil {
			return nil, ask.FromQueueing("servers", err)
		}
	case ErlangA:
		if q.MaxWait != nil {
			a.ServedLevel = ask.Figure(1 - g.Late(queueing.Offered, float64(*q.MaxWait)))
		}
	}
	if q.Explain {
		a.Explanation = f.Explain(g)
	}
	return a, nil
}

// waits returns what is asked of the wait. clock tells whether times have a
// unit.
func (q *QueueQuestion) waits(clock bool) (*sizing.Objectives, error) {
	if q.MaxWait != nil && *q.MaxWait > 0 && !clock {
		return nil, ask.Inputf("service_time",
			"max-wait is in seconds and the load has no time in it: give service-time beside load")
	}
	o := &sizing.Objectives{Percentile: q.Percentile, MaxWait: q.MaxWait, ServiceLevelOf: q.ServiceLevelOf}
	return o, o.CheckServiceLevel(q.kind())
}

// GGCMethods are the approximations that ggc offers; the first is the default,
// the one whose errors were the least against simulation.
var GGCMethods = []string{"fitted", "whitt", "allen-cunneen", "kraemer-langenbach-belz", "kingman"}

// refine replaces the fitted laws by another method where one is asked for.
func (q *QueueQuestion) refine(m queueing.Model) (queueing.Model, error) {
	if counted, ok := m.(queueing.InUnits); ok {
		inner, err := q.refine(counted.Model)
		return queueing.InUnits{Model: inner, Unit: counted.Unit}, err
	}
	fitted, ok := m.(queueing.GIGC)
	if q.Queue != GGC || !ok || q.Method == "" || q.Method == GGCMethods[0] {
		return m, nil
	}
	if q.Method == "allen-cunneen" {
		return fitted.GGC, nil
	}
	method, ok := map[string]queueing.GGCMethod{
		"whitt":                   queueing.Whitt1993,
		"kraemer-langenbach-belz": queueing.KraemerLangenbachBelz,
		"kingman":                 queueing.KingmanBound,
	}[q.Method]
	if !ok {
		return nil, ask.Inputf("method", "%q is no method, want one of %v", q.Method, GGCMethods)
	}
	return queueing.GGCBy{GGC: fitted.GGC, Method: method}, nil
}

// loss fills in what only a loss system has.
func (a *QueueAnswer) loss(servers, load float64) error {
	log, err := queueing.LogErlangB(servers, load)
	if err != nil {
		return err
	}
	a.Log10Blocking = ask.Figure(log / math.Ln10)
	carried, err := queueing.CarriedLoad(servers, load)
	if err != nil {
		return err
	}
	lost, err := queueing.LostLoad(servers, load)
	if err != nil {
		return err
	}
	improvement, err := queueing.Improvement(servers, load)
	if err != nil {
		return err
	}
	a.CarriedLoad, a.LostLoad, a.Improvement = ask.Figure(carried), ask.Figure(lost), ask.Figure(improvement)
	return nil
}
