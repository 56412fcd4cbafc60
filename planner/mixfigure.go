package planner

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/queueing"
)

// A mixFigure holds mixes of machines to the objectives by their own figures:
// each machine a server of its own speed (or as many as it has slots), an idle
// one chosen at random, and the figures averaged over the machines up.
type mixFigure struct {
	fleet    *fleet
	queue    queueing.Unlike
	kinds    []queueing.Coming // Up 1: always there
	loss     *queueing.LossMix // nil: the model is asked
	rising   []queueing.Objective
	crossing *crossingLimit // nil: link and epoch allow every mix
	known    map[string]bool
	enough   []float64 // by type: of it alone; 0: not known
}

// secantShare is how far below the secant plane of the objectives a mix may
// meet them; see [mixFigure.cut]. 1 where that is proven.
const (
	secantShare   = 0.95
	averagedShare = 0.985 // for loss averaged over the machines up
)

// clearShare is how far above that plane mixes are not looked at to be told
// that they are enough.
const clearShare = 1.1

// figure returns how mixes of the types do in a case; nil for a log of wide
// jobs, whose model knows no machines.
func (p *planning) figure(f *fleet, types []machine, c *planCase) (*mixFigure, error) {
	if f.jobs != nil {
		return nil, nil
	}
	x := &mixFigure{fleet: f, queue: p.Traffic.unlike(f.kind, f.scene), known: map[string]bool{}}
	fastest := 0.0
	for i := range types {
		t := &types[i]
		speed, err := t.fastest(c.machines[i])
		if err != nil {
			return nil, err
		}
		k := queueing.Coming{Up: t.availability(c.machines[i]), Speed: speed, PerJob: t.replicas / t.slots}
		if k.Up < 1 && t.count(p.PublicCount, c.machines[i], f.scene) == CountMean {
			k.Up, k.PerJob = 1, k.PerJob/k.Up
		}
		x.kinds = append(x.kinds, k)
		fastest = math.Max(fastest, speed)
	}
	// Objectives that more machines never harm; a mean response is at least
	// the wait and the service of the fastest.
	for _, l := range f.limits {
		o := l.objective
		switch {
		case o.Metric == queueing.MeanResponse:
			least := o.Limit - f.scene.service/fastest
			if f.kind == Wait && least > 0 {
				x.rising = append(x.rising, queueing.Objective{Metric: queueing.MeanWait, Limit: least})
			}
		case o.Metric == queueing.Utilization && f.kind != Wait:
		default:
			x.rising = append(x.rising, o)
		}
	}
	return x, nil
}

// model returns the queue of a mix.
func (x *mixFigure) model(counts []float64) queueing.Varying {
	m := queueing.Varying{Unlike: x.queue}
	for i, k := range x.kinds {
		switch {
		case counts[i] == 0:
		case k.Up == 1:
			m.Beside = append(m.Beside, queueing.Group{Servers: counts[i] / k.PerJob, Speed: k.Speed})
		default:
			k.Machines = counts[i]
			m.Coming = append(m.Coming, k)
		}
	}
	return m
}

// at returns the figures of a mix with further servers of speed 1.
func (x *mixFigure) at(counts []int64, servers float64) (queueing.Figures, error) {
	return x.model(floats(counts)).At(servers)
}

// slack is that of the tightest of the objectives, ≥ 0 where all are met.
func (x *mixFigure) slack(counts []float64, objectives []queueing.Objective) float64 {
	if x.loss != nil && len(objectives) == 1 && objectives[0].Metric == queueing.Blocking {
		if log, err := x.loss.LogBlocking(counts); err == nil {
			return math.Log(objectives[0].Limit) + 1e-12 - log
		}
	}
	f, err := x.model(counts).At(0)
	if err != nil {
		return math.Inf(-1)
	}
	least := math.Inf(1)
	for _, o := range objectives {
		least = math.Min(least, o.Slack(f))
	}
	return least
}

// Admits reports whether a mix meets the objectives, and link and epoch allow
// it. Near the limit the model decides.
func (x *mixFigure) Admits(counts []int64) bool {
	key := keyOf(counts)
	met, ok := x.known[key]
	if !ok {
		met = x.meets(counts)
		x.known[key] = met
	}
	return met && (x.crossing == nil || x.crossing.Admits(counts))
}

func (x *mixFigure) meets(counts []int64) bool {
	n := floats(counts)
	if x.loss != nil && len(x.fleet.limits) == 1 && len(x.rising) == 1 {
		if s := x.slack(n, x.rising); math.Abs(s) > 1e-7 {
			return s > 0
		}
	}
	f, err := x.model(n).At(0)
	if err != nil {
		return false
	}
	for _, l := range x.fleet.limits {
		if !l.objective.Met(f) {
			return false
		}
	}
	return true
}

// Relax says what holds of the mixes between two ends: where not even the most
// meets an objective that more machines never harm, none does.
func (x *mixFigure) Relax(least, most []int64) cover.Relaxed {
	r := cover.Relaxed{OK: true, Counted: -1}
	if x.crossing != nil {
		// What mixes have to be worth is said otherwise here.
		if r = x.crossing.Relax(least, most); !r.OK {
			return r
		}
		r.Worth = 0
	}
	point := true
	for i := range least {
		point = point && least[i] == most[i]
	}
	switch {
	case point:
		r.OK = x.Admits(least)
	case len(x.rising) > 0:
		r.OK = x.reaches(most)
	}
	return r
}

// reaches reports whether so many machines meet what more never harm.
func (x *mixFigure) reaches(most []int64) bool {
	share := 0.0
	for i, n := range most {
		if x.enough != nil && x.enough[i] > 0 {
			share += float64(n) / x.enough[i]
		}
	}
	if share >= clearShare { // as good as certain, and no harm if not
		return true
	}
	return x.slack(floats(most), x.rising) >= -1e-9
}

// prepared states the choice of a mix as one whose worths are too good: with
// xⱼ machines of type j alone just not enough, every mix that meets the
// objectives has
//
//	Σ nⱼ/xⱼ ≥ 1
//
// for loss, because −ln B is convex in the counts: below the plane through the
// points xⱼ lie only mixtures of 0 and those. For the other objectives and where
// figures are averaged over the machines up that is not proven; measured on
// random fleets (TestMixSecant) loss is met from 0.996 on and the others from
// 0.97, and 0.985 and 0.95 are taken.
func (x *mixFigure) prepared(items []cover.Item, need float64) ([]cover.Item, float64) {
	out := append([]cover.Item(nil), items...)
	f := x.fleet
	load := f.scene.rate * f.scene.service
	if x.rising == nil || load == 0 || need <= 0 {
		// The rate of all machines exceeds the load where jobs wait.
		if f.kind == Wait && load > 0 {
			return out, load
		}
		return out, 0
	}
	share := secantShare
	if f.kind == Loss {
		share = 1 - 1e-9
	}
	for i, k := range x.kinds {
		if k.Up < 1 && out[i].Most > 0 {
			share = math.Min(share, averagedShare)
		}
	}
	if f.kind == Loss && x.loss == nil {
		kinds := append([]queueing.Coming(nil), x.kinds...)
		for i := range kinds {
			kinds[i].Machines = math.Ceil(1.2*need/items[i].Worth) + 20
		}
		if m, err := queueing.NewLossMix(load, kinds, math.Max(x.rising[0].Limit/100, 1e-200)); err == nil {
			x.loss = m
		}
	}
	x.enough = make([]float64, len(out))
	for i := range out {
		if out[i].Most > 0 {
			out[i].Worth = math.Min(need/x.alone(i, need/items[i].Worth), 1e15)
		}
	}
	return out, need * share
}

// alone returns a number of machines of one type that is not enough by itself,
// at most some 0.1 % below the least that is, of machines that come and go less
// than one below it.
func (x *mixFigure) alone(i int, guess float64) float64 {
	// Machines of one type have closed forms, and the table may not reach as far.
	table := x.loss
	x.loss = nil
	defer func() { x.loss = table }()
	counts := make([]float64, len(x.kinds))
	whole := x.kinds[i].Up < 1
	enough := func(n float64) bool {
		counts[i] = n
		return x.slack(counts, x.rising) >= 0
	}
	low, high := 0.0, math.Max(math.Ceil(guess), 1)
	for !enough(high) && high < 1e12 {
		low, high = high, math.Ceil(1.3*high)+1
	}
	if low == 0 {
		if near := math.Floor(0.8 * high); near > 0 && !enough(near) {
			low = near
		}
	}
	for high-low > 1e-3*high {
		middle := (low + high) / 2
		if whole {
			if middle = math.Floor(middle); middle == low {
				break
			}
		}
		if enough(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	x.enough[i] = high
	return math.Max(low, 0.02)
}

// within chooses the cheapest mix that meets the objectives by its own figures.
func (x *mixFigure) within(ctx context.Context, items []cover.Item, held *crossing, need float64, nodes int) (*cover.Solution, error) {
	x.crossing = nil
	if held != nil {
		x.crossing = &crossingLimit{crossing: held, items: items}
	}
	better, goal := x.prepared(items, need)
	p := &cover.Problem{Items: better, Need: goal, MostCounted: -1, MaxNodes: nodes}
	most := make([]int64, len(items))
	for i, it := range items {
		most[i] = it.Most
	}
	if len(x.rising) > 0 && !x.reaches(most) {
		return nil, &cover.InfeasibleError{Need: need, Reach: x.equivalent(most)}
	}
	s, err := cover.SolveWithin(ctx, p, x, nil)
	var short *cover.InfeasibleError
	switch {
	case errors.As(err, &short) && short.Limited && held == nil:
		return nil, &cover.InfeasibleError{Need: need, Reach: x.equivalent(most)}
	case err != nil:
		return nil, err
	}
	out := *s
	out.Worth = 0
	for i, n := range out.Counts {
		out.Worth += items[i].Worth * float64(n)
	}
	return &out, nil
}

// equivalent returns the servers of speed 1 that do as well as a mix by each of
// the objectives, 0 where that cannot be told.
func (x *mixFigure) equivalent(counts []int64) float64 {
	f, err := x.at(counts, 0)
	if err != nil || len(x.rising) == 0 {
		return 0
	}
	servers := math.Inf(1)
	for _, o := range x.rising {
		o.Limit = o.Value(f)
		if !(o.Limit > 0) || math.IsInf(o.Limit, 1) {
			continue
		}
		r, err := queueing.LeastServers(x.fleet.model, o)
		if err == nil {
			servers = math.Min(servers, r.Real)
		}
	}
	if math.IsInf(servers, 1) {
		return 0
	}
	return servers
}

func floats(counts []int64) []float64 {
	out := make([]float64, len(counts))
	for i, n := range counts {
		out[i] = float64(n)
	}
	return out
}

// fleet returns the fleet whose objectives mixes are held to; nil where they
// are held to their worth.
func (m *mixer) fleet() *fleet {
	if m.figure == nil {
		return nil
	}
	return m.figure.fleet
}

// without returns the fleet without the objective of a name, itself where it
// has none such.
func (f *fleet) without(name string) *fleet {
	out := *f
	out.limits = nil
	for _, l := range f.limits {
		if l.name != name {
			out.limits = append(out.limits, l)
		}
	}
	return &out
}
