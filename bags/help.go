package bags

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// A Cloud is where help comes from.
type Cloud struct {
	Speed float64 // operations a second, > 0
	Boot  float64 // s from the start of a worker until it works
	Look  float64 // s between two looks at the bag; half of it passes before a start
}

// Check says what is wrong with it, as a *DomainError.
func (c Cloud) Check() error {
	switch {
	case !(c.Speed > 0) || math.IsInf(c.Speed, 1):
		return &DomainError{"Cloud", "Speed", c.Speed, "a finite speed > 0"}
	case !(c.Boot >= 0) || math.IsInf(c.Boot, 1):
		return &DomainError{"Cloud", "Boot", c.Boot, "a finite time >= 0"}
	case !(c.Look >= 0) || math.IsInf(c.Look, 1):
		return &DomainError{"Cloud", "Look", c.Look, "a finite time >= 0"}
	}
	return nil
}

// A Help is a single fork: when a share of the bag is done so many cloud workers
// take a copy of each task that is not, one after the other.
type Help struct {
	Start   float64 // share of the tasks done, 0 <= Start < 1
	Workers int     // 0: no help
}

// A Helped is how a bag goes with help.
type Helped struct {
	Help
	law grid
	// Hours of cloud workers that are paid, expected, from their start to the end.
	Hours float64
}

// Chance returns the chance that the bag is done by t.
func (h *Helped) Chance(t float64) float64 { return h.law.at(t) }

// Quantile returns the time by which the bag is done with chance p, 0 < p < 1.
func (h *Helped) Quantile(p float64) float64 { return h.law.quantile(p) }

// With returns how the bag goes with help. In each branch of the fluid phase U(t)
// tasks are not done at t without help, and of those that are not at t1 U(t)/U(t1)
// would not be at t. Workers begin at b, half a look and a boot after the share is
// done, and take what is not done at W/c a second, c the time of a task on them:
//
//	R(t) = U(t) − ∫_b^t (W/c) U(t)/U(s) ds, until it is 0    not taken, not done
//	V(t) = R(t) + ∫_{t−c}^t (W/c) U(t)/U(s) ds              not done
//
// and P(T <= t) = e^(−V(t)): what is left is a Poisson number. Of tasks that arrive late
// workers take those that have, and V holds those that have not. Source: the single
// fork of Wang, Joshi, Wornell, Efficient straggler replication in large-scale
// parallel computing, ACM ToMPECS 4, 2019, with a bounded number of copies at once.
// Without workers it is the law itself.
func (f *FinishLaw) With(h Help, c Cloud) *Helped {
	out := &Helped{Help: h, law: grid{f.law.step, make([]float64, len(f.law.f))}}
	if !f.helps(h, c) {
		copy(out.law.f, f.law.f)
		return out
	}
	w := f.helping(h, c)
	for _, b := range f.branches {
		for _, n := range w.begun {
			start := w.follow(b, n.speed, len(b.undone))
			expected := 0.0
			for i := range w.left {
				done := w.done(i)
				out.law.f[i] += b.share * n.share * done
				if i > start {
					expected += (1 - done) * f.law.step
				}
			}
			for i := len(w.left); i < len(b.undone); i++ {
				out.law.f[i] += b.share * n.share
			}
			out.Hours += b.share * n.share * float64(h.Workers) * expected / 3600
		}
	}
	return out
}

// helps says whether help does anything: not where all tasks are done when it starts.
func (f *FinishLaw) helps(h Help, c Cloud) bool {
	return h.Workers > 0 && len(f.branches) > 0 && c.Check() == nil && h.Start >= 0 && f.startTask(h.Start) < f.tasks
}

// startTask is how many tasks are done when help starts: the share rounded up.
func (f *FinishLaw) startTask(start float64) float64 { return math.Ceil(start*f.tasks - 1e-9) }

// chance is [Helped.Chance] of help at a time, without the law up to there.
func (f *FinishLaw) chance(h Help, c Cloud, by float64) float64 {
	if !f.helps(h, c) {
		return f.law.at(by)
	}
	w := f.helping(h, c)
	sum := 0.0
	for _, b := range f.branches {
		last := min(int(by/f.law.step)+1, len(b.undone)-1)
		for _, n := range w.begun {
			w.follow(b, n.speed, last+1)
			from, to := w.done(last-1), w.done(last)
			sum += b.share * n.share * (from + min(1, by/f.law.step-float64(last-1))*(to-from))
		}
	}
	return sum
}

// helping follows what is left of a bag that is helped.
type helping struct {
	Help
	Cloud
	step, task float64 // s
	tasks      float64 // that are not done when help is asked for
	undone     float64 // as a share of all
	begun      []node  // factors of the tasks that were expected to be left then
	perStep    float64 // tasks that the workers take
	scale, of  float64 // of the tasks of a branch as many as are left, when there are so many; 0: not told
	copies     []copied
	left       []float64 // V, by cell
	late       []float64 // share of the tasks that has not arrived, by cell; nil: all have
}

// copied says when copies were made, and how many for each task that waited when the
// workers began and is not done.
type copied struct{ at, per float64 }

func (f *FinishLaw) helping(h Help, c Cloud) *helping {
	w := &helping{Help: h, Cloud: c, step: f.law.step, task: f.work / c.Speed, undone: 1 - f.startTask(h.Start)/f.tasks,
		late: f.late}
	w.tasks = max(1, w.undone*f.tasks)
	w.begun = f.starting(w.tasks)
	w.perStep = float64(h.Workers) / w.task * w.step
	return w
}

// starting are when help is asked for, by how many times the tasks that are left then were
// expected to be. Of n tasks, each done by t for itself, m are left when the expected number
// U(t) passes a beta variable n B(m + 1, n − m), here by the cube of a normal one of the
// same mean and spread (Wilson, Hilferty, PNAS 17, 1931) at five points, or fewer where
// the bag has many branches anyway.
func (f *FinishLaw) starting(left float64) []node {
	cv := math.Sqrt(max(0, f.tasks-left) / ((left + 1) * (f.tasks + 2)))
	nodes := startNodes
	if len(f.branches) > fewBranches || cv == 0 {
		nodes = []node{{1, 0}}
	}
	out := make([]node, len(nodes))
	mean := (left + 1) / left * f.tasks / (f.tasks + 1)
	for i, z := range nodes {
		root := max(0.05, 1-cv*cv/9-z.speed*cv/3)
		out[i] = node{z.share, mean * root * root * root}
	}
	return out
}

// fewBranches is up to how many branches starts are told apart.
const fewBranches = 3

// startNodes are the nodes and weights of a Gauss-Hermite rule of 5 points.
var startNodes = []node{
	{0.011257411327721, -2.856970013872806}, {0.222075922005613, -1.355626179974266}, {0.533333333333333, 0},
	{0.222075922005613, 1.355626179974266}, {0.011257411327721, 2.856970013872806},
}

// follow fills in what is left in the first cells of a branch, up to that from which
// nothing is, and returns the cell in which help is asked for, that in which a factor of
// the tasks that are left then are expected to be. From there on as many are as there are. Workers take nothing that has not arrived: of what
// has, a share is done by machines in each cell, whether it waits for a worker or not.
func (w *helping) follow(b branch, factor float64, cells int) (start int) {
	factor = min(factor, 1/w.undone)
	share := factor * w.undone * b.undone[0]
	w.scale, w.of = 1, 0
	if len(w.begun) > 1 {
		w.scale, w.of = 1/factor, w.undone*b.undone[0]
	}
	start = len(b.undone)
	for i, u := range b.undone {
		if u <= share || b.undone[0] <= 0 {
			start = i
			break
		}
	}
	begins := float64(start)*w.step + w.Look/2 + w.Boot
	first := int(min(math.Ceil(begins/w.step), float64(cells)))
	w.copies = w.copies[:0]
	w.left = append(w.left[:0], b.undone[:first]...)
	for i := range w.left {
		if w.left[i] *= w.scale; i < start && w.of > 0 { // at least so many are left
			w.left[i] = max(w.left[i], w.of)
		}
	}
	if first == cells {
		return start
	}
	before := max(0, first-1)
	away := w.away(b, before)
	waiting, running, head := w.left[before]-away, 0.0, 0 // R, what runs on workers, the oldest of it
	same := 1.0                                           // of what waited first, what machines have not done
	for i := first; i < cells; i++ {
		now := float64(i) * w.step
		if i > 0 {
			last, come := w.scale*b.undone[i-1]-away, away
			away = w.away(b, i)
			come -= away
			kept := 1.0 // of those that were there, those that are still not done by machines
			if last > 0 {
				kept = min(1, max(0, (w.scale*b.undone[i]-away-come)/last))
			}
			same *= kept
			waiting = waiting*kept + come
			running *= kept
		}
		if take := min(waiting, w.perStep*min(1, (now-begins)/w.step+1e-9)); take > 0 && same > 0 {
			w.copies = append(w.copies, copied{now, take / same})
			waiting -= take
			running += take
		}
		for ; head < len(w.copies) && w.copies[head].at+w.task <= now; head++ {
			running = max(0, running-w.copies[head].per*same)
		}
		if head == len(w.copies) {
			running = 0
		}
		if away+waiting+running < nothing {
			break
		}
		w.left = append(w.left, away+waiting+running)
	}
	return start
}

// away is how many tasks have not arrived in a cell of a branch.
func (w *helping) away(b branch, i int) float64 {
	if w.late == nil {
		return 0
	}
	return w.scale * min(w.late[i]*b.undone[0], b.undone[i])
}

// done is the chance that nothing is left in a cell.
func (w *helping) done(i int) float64 {
	i = max(i, 0)
	switch {
	case i >= len(w.left):
		return 1
	case w.left[i] > 40: // less than e^-40 either way
		return 0
	case w.of > 0:
		return math.Pow(max(0, 1-w.left[i]/w.of), w.of)
	}
	return math.Exp(-w.left[i])
}

// nothing is a mean number of tasks that is taken for none.
const nothing = 1e-9

// A Target is what help is to reach.
type Target struct {
	By     float64 // s
	Chance float64 // with which the bag is done by then, 0 < Chance < 1
}

// starts are the shares of the bag at which help may begin.
var starts = []float64{0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.84, 0.87, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98,
	0.985, 0.99, 0.995, 0.998, 0.999}

// mostWorkers bounds a design.
const mostWorkers = 1 << 17

// Cheapest returns the help that reaches the target for the fewest hours, no help
// where that does; ok is false where none does, and the help is then that with the
// greatest chance. It is the cheapest of [FinishLaw.Designs]. Errors: that of ctx, and
// of [Cloud.Check]; a *DomainError for a target that is none.
func (f *FinishLaw) Cheapest(ctx context.Context, t Target, c Cloud) (best *Helped, ok bool, err error) {
	all, err := f.Designs(ctx, t, c)
	if err != nil {
		return nil, false, err
	}
	for _, h := range all {
		if best == nil || h.Hours < best.Hours {
			best = h
		}
	}
	if best != nil {
		return best, true, nil
	}
	f = f.within(t.By)
	best = f.With(Help{}, c)
	for _, s := range starts {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		most := Help{s, f.enough(s)}
		if f.chance(most, c, t.By) > best.Chance(t.By) {
			best = f.With(most, c)
		}
	}
	return best, false, nil
}

// Designs returns the help that reaches the target for the fewest hours for each of
// the starts that are tried, by growing start; starts from which none does are left
// out, and where no help is needed that alone is returned. For a start the chance
// grows with the number of workers, so that the least number is found by bisection;
// the hours are those of that number and of some above it. Errors: those of
// [FinishLaw.Cheapest].
func (f *FinishLaw) Designs(ctx context.Context, t Target, c Cloud) ([]*Helped, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if !(t.By > 0) || !(t.Chance > 0 && t.Chance < 1) {
		return nil, &DomainError{"Designs", "Target", t.By, "a time > 0, and a chance between 0 and 1"}
	}
	f = f.within(t.By)
	if none := f.With(Help{}, c); none.Chance(t.By) >= t.Chance {
		return []*Helped{none}, nil
	}
	var all []*Helped
	for _, s := range starts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		most := Help{s, f.enough(s)}
		if !f.helps(most, c) || f.chance(most, c, t.By) < t.Chance {
			continue
		}
		low, high := 0, most.Workers
		for high-low > 1 {
			w := (low + high) / 2
			if f.chance(Help{s, w}, c, t.By) >= t.Chance {
				high = w
			} else {
				low = w
			}
		}
		var best *Helped
		for _, w := range []int{high, high + 1, high + high/10 + 2, high + high/4 + 3, high + high/2 + 4} {
			h := f.With(Help{s, w}, c)
			if h.Chance(t.By) >= t.Chance && (best == nil || h.Hours < best.Hours) {
				best = h
			}
		}
		if best != nil {
			all = append(all, best)
		}
	}
	return all, nil
}

// enough is a number of workers beyond which more are no help: one for each task.
func (f *FinishLaw) enough(start float64) int {
	return int(min(max(1, math.Ceil((1-start)*f.tasks)), mostWorkers))
}

// A Point of a frontier is help that is done at a time with a chance, and than which
// none of those tried is done sooner for as few hours.
type Point struct {
	Help
	By    float64 // s, with the chance asked for
	Hours float64
}

// Frontier returns what more hours buy: of all starts and of numbers of workers
// that double, those that no other beats, by growing hours.
func (f *FinishLaw) Frontier(ctx context.Context, chance float64, c Cloud) ([]Point, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if !(chance > 0 && chance < 1) {
		return nil, &DomainError{"Frontier", "chance", chance, "between 0 and 1"}
	}
	var all []Point
	without := f.Quantile(chance)
	if !math.IsInf(without, 1) {
		all = append(all, Point{By: without})
	}
	f = f.within(without)
	for _, s := range starts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for w := 1; w <= f.enough(s) && f.helps(Help{s, w}, c); w *= 2 {
			h := f.With(Help{s, w}, c)
			if by := h.Quantile(chance); !math.IsInf(by, 1) {
				all = append(all, Point{h.Help, by, h.Hours})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.Hours, b.Hours), cmp.Compare(a.By, b.By))
	})
	var out []Point
	for _, p := range all {
		if len(out) == 0 || p.By < out[len(out)-1].By*(1-1e-3) {
			out = append(out, p)
		}
	}
	return out, nil
}
