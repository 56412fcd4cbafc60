package lease

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
)

// counts are what a replication adds up.
type counts struct {
	arrived     [types]int
	ended       [types][states]int
	preempted   [types]int // nodes, each time
	preemptions int        // of leases
	migrated    int        // Migratable leases preempted at least once
	displaced   int        // reservations that gave way to a local lease
	response    []weighted // of best-effort leases, by cluster
	externals   weighted   // response of all external leases that were completed
}

// weighted is a sum of values by weight.
type weighted struct{ sum, weight float64 }

func (w *weighted) add(v, weight float64) {
	w.sum += v * weight
	w.weight += weight
}

// complete counts the response of a lease that had its time.
func (n *counts) complete(l *lease, pace, now float64) {
	if l.typ == Local {
		return
	}
	n.externals.add(now-l.ready, 1)
	if l.typ.bestEffort() {
		n.response[l.cluster].add(now-l.ready, float64(l.nodes)*l.whole/pace)
	}
}

// Names of figures; those of outcomes are [OutcomeFigure].
const (
	VMsPreempted       = "vms_preempted"        // nodes taken from running leases
	LeasesPreempted    = "leases_preempted"     // running leases preempted
	Displaced          = "reservations_moved"   // waiting leases whose reservation a local one took
	UtilizationPrinted = "utilization_printed"  // 1 - overhead/computation, InterGrid eq. 21
	Utilization        = "utilization"          // busy node-seconds over all
	Overhead           = "overhead"             // node-seconds of overhead over all
	AWRT               = "awrt_s"               // average weighted response time of best-effort leases, eq. 23 and 24
	Response           = "response_s"           // mean response of external leases completed
	MigrationRate      = "migration_rate"       // Migratable leases preempted over those taken
	RejectionRate      = "rejection_rate"       // of NonPreemptable leases
	LocalRejection     = "local_rejection_rate" // of local leases
	MigratableFailure  = "migratable_failure"   // Migratable leases not taken or whose deadline was missed
	firstOutcome       = 12                     // index of the first OutcomeFigure
)

// Outcomes are the ways in which leases end.
func Outcomes() []string { return stateNames[completed:] }

// OutcomeFigure names the number of leases of a type with an outcome.
func OutcomeFigure(t Type, outcome string) string { return t.String() + "_" + outcome }

// PreemptedFigure names the number of nodes preempted of a type.
func PreemptedFigure(t Type) string { return VMsPreempted + "_" + t.String() }

// Figures implements [sim.Model].
func (s *System) Figures() []sim.Figure {
	all := []sim.Figure{
		{Name: VMsPreempted, Kind: sim.Total},
		{Name: LeasesPreempted, Kind: sim.Total, Free: true},
		{Name: Displaced, Kind: sim.Total, Free: true},
		{Name: UtilizationPrinted, Kind: sim.Tally},
		{Name: Utilization, Kind: sim.Ratio},
		{Name: Overhead, Kind: sim.Ratio, Scale: 0.01, Free: true},
		{Name: AWRT, Unit: "s", Kind: sim.Tally},
		{Name: Response, Unit: "s", Kind: sim.Tally, Free: true},
		{Name: MigrationRate, Kind: sim.Ratio, Scale: 0.01, Free: true},
		{Name: RejectionRate, Kind: sim.Ratio, Scale: 0.01, Free: true},
		{Name: LocalRejection, Kind: sim.Ratio, Scale: 0.01, Free: true},
		{Name: MigratableFailure, Kind: sim.Ratio, Scale: 0.01, Free: true},
	}
	for t := range Type(types) {
		for _, o := range Outcomes() {
			all = append(all, sim.Figure{Name: OutcomeFigure(t, o), Kind: sim.Total, Free: true})
		}
	}
	for t := range Type(external) {
		if t.preemptable() {
			all = append(all, sim.Figure{Name: PreemptedFigure(t), Kind: sim.Total, Free: true})
		}
	}
	return all
}

// Replicate implements [sim.Model].
func (s *System) Replicate(r *sim.Replication) error {
	o, err := s.resolved("System.Replicate")
	if err != nil {
		return err
	}
	if r == nil {
		return &sim.DomainError{Func: "System", Arg: "replication", Value: math.NaN(), Want: "one of sim.Run"}
	}
	if r.WarmUp != 0 {
		return &sim.DomainError{
			Func:  "System.Replicate",
			Arg:   "WarmUp",
			Value: r.WarmUp,
			Want:  "0: clusters begin empty, as in the paper",
		}
	}
	if !least(r.Horizon) {
		return &sim.DomainError{Func: "System.Replicate", Arg: "Horizon", Value: r.Horizon, Want: "a finite Horizon"}
	}
	split, err := s.split()
	if err != nil {
		return err
	}
	g, err := s.newGrid(r, o, split)
	if err != nil {
		return err
	}
	if err := g.run(r); err != nil {
		return err
	}
	if err := g.audit(r.Horizon); err != nil {
		return err
	}
	g.report(r)
	return nil
}

// report hands the counts over, in the order of Figures.
func (g *grid) report(r *sim.Replication) {
	n := &g.counts
	vms := 0
	for _, v := range n.preempted {
		vms += v
	}
	r.Add(0, float64(vms), 0)
	r.Add(1, float64(n.preemptions), 0)
	r.Add(2, float64(n.displaced), 0)
	var a account
	awrt := weighted{}
	for j, c := range g.clusters {
		a.used += c.tally.used
		a.overhead += c.tally.overhead
		a.idle += c.tally.idle
		if w := n.response[j]; w.weight > 0 {
			awrt.add(w.sum/w.weight, float64(c.nodes))
		}
	}
	if a.used > 0 {
		r.Observe(3, 1-a.overhead/a.used)
	}
	all := a.used + a.overhead + a.idle
	r.Add(4, a.used+a.overhead, all)
	r.Add(5, a.overhead, all)
	if awrt.weight > 0 {
		r.Observe(6, awrt.sum/awrt.weight)
	}
	if n.externals.weight > 0 {
		r.Observe(7, n.externals.sum/n.externals.weight)
	}
	share := func(figure int, part int, of int) { r.Add(figure, float64(part), float64(of)) }
	lost := n.ended[Migratable][rejected]
	share(8, n.migrated, n.arrived[Migratable]-lost)
	share(9, n.ended[NonPreemptable][rejected], n.arrived[NonPreemptable])
	share(10, n.ended[Local][rejected], n.arrived[Local])
	share(11, lost+n.ended[Migratable][failed], n.arrived[Migratable])
	i := firstOutcome
	for t := range Type(types) {
		for s := completed; s < states; s++ {
			r.Add(i, float64(n.ended[t][s]), 0)
			i++
		}
	}
	for t := range Type(external) {
		if t.preemptable() {
			r.Add(i, float64(n.preempted[t]), 0)
			i++
		}
	}
}

// Memory implements [sim.Sized]: that of the leases that may wait or run at once, 310 to 350 bytes each and more while
// what holds them grows. Those wait for which a cluster has no room by its share of the requests, and a twentieth at
// least, for requests come in bursts; of those that have a deadline only the ones before it.
func (s *System) Memory(horizon float64) float64 {
	const each, least = 400, 0.05 // bytes; a share
	o, err := s.resolved("System.Memory")
	if err != nil {
		return 0
	}
	external := s.Workload.External
	coming := horizon / external.Gap.Mean()
	may := o.share[Cancelable] + o.share[Suspendable] +
		o.share[Migratable]*min(1, o.slack*external.Duration.Mean()/horizon)
	sites := s.Workload.Sites
	nodes, requests, all := 0.0, coming, 0.0
	room := make([]float64, len(sites)) // at the reference speed
	for j, site := range sites {
		nodes += site.Elements
		requests += o.kept * horizon / site.Local.Gap.Mean()
		room[j] = max(0, site.Elements*o.pace[j]-o.kept*work(site.Local))
		all += room[j]
	}
	split, err := s.Split()
	waiting := 0.0
	for j := range sites {
		share := 1 / float64(len(sites))
		switch {
		case err == nil && split != nil:
			share = split[j]
		case all > 0: // to where there is room
			share = room[j] / all
		}
		if share > 0 {
			waiting += share * min(may, max(least, 1-room[j]/(share*work(external))))
		}
	}
	return each * (coming*waiting + min(nodes, requests))
}

// work is how many nodes a stream keeps busy at the reference speed.
func work(s routing.Stream) float64 {
	size, err := s.Size.Mean(routing.Exact)
	if err != nil {
		return math.Inf(1)
	}
	return size * s.Duration.Mean() / s.Gap.Mean()
}

// Simulate runs a system over the horizon in o; see [sim.Run].
func Simulate(ctx context.Context, s *System, o sim.Options) (sim.Result, error) {
	if s == nil {
		return sim.Result{}, errors.New("lease: Simulate: no system is given")
	}
	if _, err := s.resolved("Simulate"); err != nil {
		return sim.Result{}, err
	}
	return sim.Run(ctx, s, o)
}
