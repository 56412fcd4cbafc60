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

// The queues. What stands beside each is the system in Kendall's notation: M for
// Poisson arrivals or exponential times, D for constant ones, G and GI for any
// law, +M for exponential patience, //N for N customers in all.
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
	// Queue decides which of the fields below are read. A field that the queue
	// has no use for is refused.
	Queue   QueueModel `json:"queue"`
	Servers float64    `json:"servers"` // may be fractional for erlang-b, -c, -a, ggc, engset, mmck, hayward and pool
	// Traffic is the load, or the rate and the mean service time. It holds one
	// certain load here: ranges, curves and logs are questions for package
	// sizing.
	sizing.Traffic
	// mmck: customers in all, waiting and served; classes: servers
	Capacity *units.Count `json:"capacity,omitempty"`
	Sources  *units.Count `json:"sources,omitempty"` // engset, finite
	// LoadPerSource is the rate of requests of an idle source times the mean
	// service time. An idle source, not any: the load that all sources offer
	// together is less, since busy ones ask for nothing.
	LoadPerSource *units.Erlang   `json:"load_per_source_erl,omitempty"` // engset: of an idle source
	ThinkTime     *units.Duration `json:"think_time_s,omitempty"`        // finite
	// Peakedness is the variance over the mean of the busy servers that the
	// traffic would hold in a group without end; it is 1 for Poisson arrivals.
	Peakedness *units.Number `json:"peakedness,omitempty"`  // hayward
	ServiceLaw string        `json:"service_law,omitempty"` // mg1; empty: exponential
	ArrivalLaw string        `json:"arrival_law,omitempty"` // gim1
	// ggc: see [GGCMethods]; hayward: see [PeakedMethods]
	Method         string     `json:"method,omitempty"`
	Preemptive     bool       `json:"preemptive,omitempty"`  // priority
	JobClasses     []JobClass `json:"job_classes,omitempty"` // priority (highest first), classes
	PublicMachines            // pool
	// Percentile of the wait, of pool of the jobs; nil: 0.95. MaxWait asks for the service level.
	Percentile *units.Percentile `json:"percentile,omitempty"`
	MaxWait    *units.Duration   `json:"max_wait_s,omitempty"`
	// ServiceLevelOf is for erlang-a; see [sizing.Objectives]. It says among whom
	// the share that MaxWait holds for is counted, since with patience some give
	// up.
	ServiceLevelOf sizing.ServiceLevelOf `json:"service_level_of,omitempty"`
	// Explain asks for the formulas of the answer with the numbers put in.
	Explain bool `json:"explain,omitempty"`
	// Simulate asks for the same figures by simulation.
	Simulate *simulate.Question `json:"simulate,omitempty"`
}

// A QueueAnswer holds the figures.
type QueueAnswer struct {
	// Queue is the one that was asked about.
	Queue QueueModel `json:"queue"`
	// Servers is the number that was asked about. For pool with max_elongation it
	// is the number that was found, and for a queue of one server it is 1.
	Servers float64 `json:"servers"`
	sizing.Figures
	// Loss systems say what is carried and what is lost. Log10Blocking is found by
	// a recursion of its own and keeps its digits where the probability itself is
	// below the least float64.
	Log10Blocking *float64 `json:"log10_blocking,omitempty"` // also where the probability prints as 0
	// CarriedLoad and LostLoad add up to what is offered.
	CarriedLoad *float64 `json:"carried_load_erl,omitempty"`
	LostLoad    *float64 `json:"lost_load_erl,omitempty"`
	// Improvement is the load that one more server would carry.
	Improvement *float64 `json:"improvement_erl,omitempty"`
	ServedLevel *float64 `json:"served_within_max_wait,omitempty"` // erlang-a: served, and after no longer wait

	// Time and call congestion differ with finitely many sources: whoever asks is
	// not busy, and so sees the state of one source fewer.
	TimeCongestion *float64 `json:"time_congestion,omitempty"` // engset: share of time that all are busy
	CallCongestion *float64 `json:"call_congestion,omitempty"` // engset: share of requests lost
	// For hayward: the loss by either formula.
	EquivalentRandom *float64 `json:"equivalent_random_blocking,omitempty"` // Wilkinson, for a peakedness above 1
	// Hayward's formula takes any peakedness above 0.
	Hayward *float64 `json:"hayward_blocking,omitempty"`

	// Disciplines compares the order of arrival with others at the same load.
	Disciplines []DisciplineAnswer `json:"disciplines,omitempty"` // mg1
	// Classes are in the order in which they were asked.
	Classes []ClassAnswer `json:"classes,omitempty"` // priority, classes

	ElasticAnswer // pool

	Simulation  *simulate.Simulation `json:"simulation,omitempty"`
	Warnings    []string             `json:"warnings,omitempty"`
	Explanation *ask.Explanation     `json:"explanation,omitempty"`

	// asked is a copy of the question, so that a curve can be computed when it is
	// drawn and not for every answer.
	asked *QueueQuestion // for the plots; nil where there are none
}

// Queue answers a QueueQuestion. A queue without a steady state is an
// *ask.InfeasibleError.
func Queue(ctx context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	// The formulas take one number. Of a range they would take the most likely
	// one in silence, of a curve none.
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
		return nil, ask.Inputf("queue", "%q is not a queue", string(q.Queue))
	}
	// The formulas do not look at the context. Await lets the caller go when the
	// context ends.
	a, err := parallel.Await(ctx, func() (*QueueAnswer, error) { return answer(ctx, q) })
	// What is wrong with a field that is read is said before what is not.
	if err == nil {
		err = q.inVain()
	}
	// The simulation comes last: its length is chosen by figures of the answer,
	// and it is compared with them.
	if err == nil && q.Simulate != nil {
		err = q.simulated(ctx, a)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// kind returns what becomes of an arrival that finds all servers busy. It names
// which objectives make sense: nobody waits in a loss system, and only where
// customers abandon does it matter of whom a service level counts.
func (q *QueueQuestion) kind() sizing.ModelKind {
	switch q.Queue {
	case ErlangB, Engset, Hayward, Classes:
		return sizing.Loss
	case ErlangA:
		return sizing.Abandon
	}
	return sizing.Wait
}

// erlangQueue answers for the queues that [sizing.Size] knows too. Those queues
// share the check of the traffic and the wording of warnings and explanations
// with sizing, so that asking for a given number of servers and asking for the
// least number agree.
func erlangQueue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	if err := q.Complete(); err != nil {
		return nil, err
	}
	kind := q.kind()
	switch {
	// Without both SCVs ggc would be M/M/c by default and look as if the
	// variation had been taken into account.
	case q.Queue == GGC && (q.ArrivalSCV == nil || q.ServiceSCV == nil):
		return nil, ask.Inputf("arrival_scv", "ggc wants {arrival_scv} and {service_scv}, such as 1 and 0.5")
	case q.Queue != GGC && (q.ArrivalSCV != nil || q.ServiceSCV != nil):
		return nil, ask.Inputf("arrival_scv", "%s has no such parameter: use ggc", q.Queue)
	case kind == sizing.Loss && q.MaxWait != nil:
		return nil, ask.Inputf("max_wait", "in erlang-b nobody waits")
	}
	s := q.Nominal()
	// The fleet is made without objectives, since there is nothing to size. They
	// are put in below, once it is known whether times have a unit.
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
	// The copy keeps the plots from following changes that the caller makes to
	// the question later.
	a := &QueueAnswer{
		Queue:    q.Queue,
		Servers:  q.Servers,
		Figures:  sizing.FiguresOf(g, kind, s.Clock, f.Objectives),
		Warnings: f.Warnings(g),
		asked:    new(*q),
	}
	switch q.Queue {
	case ErlangB:
		if err := a.loss(q.Servers, g.OfferedLoad); err != nil {
			return nil, ask.FromQueueing("servers", err)
		}
	case ErlangA:
		if q.MaxWait != nil {
			// Late of the offered counts who leaves and who waits too long
			// together, so that the rest was served in time. The service level
			// may be asked of the served only, and this figure stands beside it.
			a.ServedLevel = ask.Figure(1 - g.Late(queueing.Offered, float64(*q.MaxWait)))
		}
	}
	if q.Explain {
		a.Explanation = f.Explain(g)
	}
	return a, nil
}

// waits returns the objectives on the wait. clock says whether times have a unit. A limit of 0 asks
// for an immediate start and needs no unit.
func (q *QueueQuestion) waits(clock bool) (*sizing.Objectives, error) {
	if q.MaxWait != nil && *q.MaxWait > 0 && !clock {
		return nil, ask.Inputf("service_time",
			"{max_wait} is in seconds and the load contains no time: give {service_time}")
	}
	o := &sizing.Objectives{Percentile: q.Percentile, MaxWait: q.MaxWait, ServiceLevelOf: q.ServiceLevelOf}
	return o, o.CheckServiceLevel(q.kind())
}

// GGCMethods are the approximations that ggc offers; the first is the default,
// the one whose errors were the least against simulation. The order is that in
// which help and errors list them. Kingman is no estimate but an upper bound, and
// stands last.
var GGCMethods = []string{"fitted", "whitt", "allen-cunneen", "kraemer-langenbach-belz", "kingman"}

// refine replaces the fitted laws by another method where one is asked for. Only
// ggc has a choice of formulas. A model that counts time in its own unit is
// opened and closed again around the one inside.
func (q *QueueQuestion) refine(m queueing.Model) (queueing.Model, error) {
	if counted, ok := m.(queueing.InUnits); ok {
		inner, err := q.refine(counted.Model)
		return queueing.InUnits{Model: inner, Unit: counted.Unit}, err
	}
	fitted, ok := m.(queueing.GIGC)
	if q.Queue != GGC || !ok || q.Method == "" || q.Method == GGCMethods[0] {
		return m, nil
	}
	// GIGC fits laws to two moments and embeds the formula of Allen and Cunneen,
	// which needs no fit.
	if q.Method == "allen-cunneen" {
		return fitted.GGC, nil
	}
	method, ok := map[string]queueing.GGCMethod{
		"whitt":                   queueing.Whitt1993,
		"kraemer-langenbach-belz": queueing.KraemerLangenbachBelz,
		"kingman":                 queueing.KingmanBound,
	}[q.Method]
	if !ok {
		return nil, ask.Inputf("method", "%q is not a method, want one of %v", q.Method, GGCMethods)
	}
	return queueing.GGCBy{GGC: fitted.GGC, Method: method}, nil
}

// loss fills in what only a loss system has. The logarithm, the carried and the
// lost load each have their own formula: 1 − B loses all digits where B is near
// 1, and a·B underflows where only its logarithm can be said.
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
