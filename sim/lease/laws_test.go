package lease

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
)

// small is a system of three small clusters under much preemption.
func small(p Policy) *System {
	size := routing.SizeLaw{One: 0.3, Pow2: 0.4, Parallel: law.TwoStage{L: 0.5, M: 2, H: 3, Q: 0.7}}
	site := func(name string, nodes, speed, rate float64) routing.Site {
		return routing.Site{
			Local: routing.Stream{
				Name: name, Size: size, Duration: law.LogNormal{Mu: 4, Sigma: 1.2},
				Gap: law.Weibull{Scale: 1 / rate, Shape: 0.6}, CV: 0.1,
			},
			Elements: nodes, Speed: speed,
		}
	}
	return &System{
		Workload: routing.Workload{
			External: routing.Stream{
				Size: size, Duration: law.LogNormal{Mu: 3.5, Sigma: 1.5}, Gap: law.Weibull{Scale: 12, Shape: 0.7}, CV: 0.5,
			},
			Sites: []routing.Site{site("a", 8, 1, 1./90), site("b", 16, 2, 1./60), site("c", 24, 1.5, 1./50)},
		},
		ReferenceSpeed: 1,
		Overheads:      &Overheads{Suspend: 8, Resume: 5, Migrate: 20},
		Policy:         p,
	}
}

// An audit follows a run by what is seen of it after each event.
type audit struct {
	t       *testing.T
	g       *grid
	name    string
	nodes   []map[int]bool   // free nodes by cluster
	on      map[uint64][]int // nodes by lease, by order of arrival
	where   map[uint64]int32 // their cluster
	promise map[uint64]float64
	left    map[uint64]float64 // work to do, by what was seen of the runs
	runs    map[uint64]lease   // those of the event before
	seen    struct{ displaced, preemptions int }
	moves   int // reservations put back
	ahead   int // leases that began before their reservation
	full    int // events with no node free on some cluster
}

func (a *audit) begin(g *grid) {
	a.g, a.on, a.where, a.promise = g, map[uint64][]int{}, map[uint64]int32{}, map[uint64]float64{}
	a.left, a.runs = map[uint64]float64{}, map[uint64]lease{}
	for _, c := range g.clusters {
		free := map[int]bool{}
		for n := range int(c.nodes) {
			free[n] = true
		}
		a.nodes = append(a.nodes, free)
	}
	g.after = a.check
}

func (a *audit) errorf(format string, args ...any) {
	a.t.Helper()
	a.t.Fatalf("%s at %v: %s", a.name, a.g.now, fmt.Sprintf(format, args...))
}

// check holds the laws after an event.
func (a *audit) check() {
	g := a.g
	runs := map[uint64]*lease{}
	var waits []*lease
	for i := range g.leases.all {
		l := &g.leases.all[i]
		switch l.state {
		case running:
			runs[l.seq] = l
		case waiting:
			if l.long > 0 { // a number in use
				waits = append(waits, l)
			}
		}
	}
	a.checkWork(runs, waits)
	// Nodes are given to leases one by one: none holds two.
	for seq, nodes := range a.on {
		if l, ok := runs[seq]; ok && l.cluster == a.where[seq] {
			continue
		}
		for _, n := range nodes {
			a.nodes[a.where[seq]][n] = true
		}
		delete(a.on, seq)
	}
	for seq, l := range runs {
		if _, ok := a.on[seq]; ok {
			continue
		}
		var got []int
		for n := range a.nodes[l.cluster] {
			if len(got) == int(l.nodes) {
				break
			}
			got = append(got, n)
		}
		if len(got) < int(l.nodes) {
			a.errorf("%d nodes are given where %d are free", l.nodes, len(got))
		}
		for _, n := range got {
			delete(a.nodes[l.cluster], n)
		}
		a.on[seq], a.where[seq] = got, l.cluster
		if p, ok := a.promise[seq]; ok && g.now < p {
			a.ahead++
		}
	}
	for j, free := range a.nodes {
		if len(free) == 0 {
			a.full++
		}
		if busy := int(g.clusters[j].nodes) - len(free); busy != int(g.clusters[j].busy) {
			a.errorf("%d nodes of cluster %d are busy, counted %d", busy, j, g.clusters[j].busy)
		}
	}
	// A reservation is put back by a local lease only.
	pushed := g.counts.displaced > a.seen.displaced || g.counts.preemptions > a.seen.preemptions
	a.seen.displaced, a.seen.preemptions = g.counts.displaced, g.counts.preemptions
	next := map[uint64]float64{}
	for _, l := range waits {
		if before, ok := a.promise[l.seq]; ok && l.start > before {
			if a.moves++; !pushed {
				a.errorf("the reservation of a %s lease moves from %v to %v without a preemption", l.typ, before, l.start)
			}
		}
		next[l.seq] = l.start
		if l.end > l.deadline {
			a.errorf("a reservation until %v for a deadline of %v", l.end, l.deadline)
		}
	}
	a.promise = next
	for _, c := range g.clusters {
		a.checkCluster(c, runs, waits)
	}
}

// checkWork holds that a lease has left to do what it had less what it computed:
// overheads are no work.
func (a *audit) checkWork(runs map[uint64]*lease, waits []*lease) {
	for seq, l := range a.runs {
		if now, ok := runs[seq]; ok && now.start == l.start {
			continue
		}
		a.left[seq] -= max(0, a.g.now-l.start-l.setup) * a.g.clusters[l.cluster].speed
	}
	all := waits
	a.runs = map[uint64]lease{}
	for seq, l := range runs {
		a.runs[seq] = *l
		all = append(all, l)
	}
	for _, l := range all {
		if _, ok := a.left[l.seq]; !ok {
			a.left[l.seq] = l.whole
		}
		if math.Abs(l.work-a.left[l.seq]) > 1e-9*l.whole+1e-9 {
			a.errorf("a %s lease has %v s of work left, computed %v", l.typ, l.work, a.left[l.seq])
		}
		if long := l.setup + l.work/a.g.clusters[l.cluster].speed; math.Abs(l.long-long) > 1e-9*long {
			a.errorf("a %s lease is to last %v s, computed %v", l.typ, l.long, long)
		}
		if setup := map[Type]float64{Suspendable: a.g.overheads.Suspend + a.g.overheads.Resume, Migratable: a.g.overheads.Migrate}[l.typ]; l.moved && l.setup != setup || !l.moved && l.setup != 0 {
			a.errorf("a %s lease pays %v s of overhead", l.typ, l.setup)
		}
	}
}

// checkCluster adds the reservations up again.
func (a *audit) checkCluster(c *cluster, runs map[uint64]*lease, waits []*lease) {
	now := a.g.now
	var all []*lease
	for _, l := range runs {
		if l.cluster == c.number {
			all = append(all, l)
		}
	}
	var mine []*lease
	for _, l := range waits {
		if l.cluster == c.number {
			all, mine = append(all, l), append(mine, l)
		}
	}
	free := func(t float64) int32 {
		n := c.nodes
		for _, l := range all {
			if l.start <= t && t < l.end {
				n -= l.nodes
			}
		}
		return n
	}
	times := []float64{now}
	owed := 0.0
	for _, l := range all {
		times = append(times, max(now, l.start), l.end)
		owed += float64(l.nodes) * (l.end - max(now, l.start))
	}
	for _, t := range times {
		if n := free(t); n < 0 || n != c.free.FreeAt(t) {
			a.errorf("%d nodes of cluster %d are free at %v, the profile has %d", n, c.number, t, c.free.FreeAt(t))
		}
	}
	if left := c.left(now); math.Abs(left-owed) > 1e-6*(1+owed) {
		a.errorf("cluster %d has %v node-seconds left, counted %v", c.number, owed, left)
	}
	if a.g.agenda.Until() == now {
		return // more happens at this time
	}
	// No waiting lease could begin now.
	for _, l := range mine {
		end := min(now+l.long, l.start)
		fits := free(now) >= l.nodes
		for _, t := range times {
			fits = fits && (t < now || t >= end || free(t) >= l.nodes)
		}
		if fits {
			a.errorf("a %s lease of %d nodes for %v waits until %v and would fit now", l.typ, l.nodes, l.long, l.start)
		}
	}
}

// audited runs a model with an audit.
type audited struct {
	*System
	t    *testing.T
	name string
	last *audit
}

func (m *audited) Replicate(r *sim.Replication) error {
	o, err := m.resolved("audit")
	if err != nil {
		return err
	}
	split, err := m.Split()
	if err != nil {
		return err
	}
	g, err := m.newGrid(r, o, split)
	if err != nil {
		return err
	}
	m.last = &audit{t: m.t, name: m.name}
	m.last.begin(g)
	if err := g.run(r); err != nil {
		return err
	}
	for typ, n := range g.counts.arrived {
		if n == 0 {
			m.t.Errorf("no %s lease came", Type(typ))
		}
	}
	if err := g.audit(r.Horizon); err != nil {
		return err
	}
	g.report(r)
	return nil
}

// Whatever the policy and the victims, no node holds two leases, profiles are the
// sums of the reservations, reservations move back by preemptions only, no lease
// waits that would fit, and node-seconds and leases add up.
func TestLaws(t *testing.T) {
	moves, ahead, full := 0, 0, 0
	for _, p := range Policies() {
		for _, v := range []VictimRule{Fewest, Youngest, Oldest} {
			s := small(p)
			s.Victim = v
			m := &audited{System: s, t: t, name: fmt.Sprintf("%v, victims %d", p, v)}
			r, err := sim.Run(context.Background(), m, sim.Options{Seed: uint64(v) + 7, Horizon: 9000, Replications: 1, Workers: 1})
			if err != nil {
				t.Fatal(p, err)
			}
			if n, _ := r.Figure(VMsPreempted); !(n.Mean > 20) {
				t.Errorf("%v: %v VMs preempted: too few to try anything", p, n.Mean)
			}
			moves, ahead, full = moves+m.last.moves, ahead+m.last.ahead, full+m.last.full
		}
	}
	if moves < 100 || ahead < 100 || full < 100 {
		t.Errorf("%d reservations put back, %d leases early, %d times full: too few to hold anything", moves, ahead, full)
	}
}

// The same where the queue grows without bound.
func TestLawsInOverload(t *testing.T) {
	s := small(RoundRobin)
	s.Workload.External.Gap.Scale = 3
	s.ReferenceSpeed = 3
	m := &audited{System: s, t: t, name: "overload"}
	r, err := sim.Run(context.Background(), m, sim.Options{Seed: 3, Horizon: 3000, Replications: 1, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := r.Figure(OutcomeFigure(Suspendable, "unfinished")); n.Mean < 50 {
		t.Errorf("%v Suspendable leases wait at the end: no overload", n.Mean)
	}
}
