package bags

import (
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/bags/internal/noneleft"
	"github.com/capplan/capplan/bags/internal/shift"
	"github.com/capplan/capplan/internal/parallel"
)

// sizeSpread is how many standard deviations below and above the mean number of tasks a bag of a
// normal number is followed, besides the mean itself.
const sizeSpread = 1.5

// sizes returns the factors of the mean number of tasks for which the bag is followed. There are
// several if the number is uncertain and machines are busy with the bag for long. If each task
// finds a machine as it comes, the share that is left does not depend on the number of tasks.
func (m *model) sizes() []float64 {
	s := m.s.Bag.Size
	if s.SD == 0 || len(m.s.Bag.Tasks) > 0 || !m.busy() {
		return []float64{1}
	}
	cv := s.SD / s.Mean
	return []float64{max(0.1, 1-sizeSpread*cv), 1, 1 + sizeSpread*cv}
}

// sizeNodes returns factors of the mean number of tasks with their shares, for a bag whose share of
// unfinished tasks does not depend on the factor.
func (m *model) sizeNodes() []attempts.Node {
	s := m.s.Bag.Size
	if s.SD == 0 || len(m.s.Bag.Tasks) > 0 {
		return []attempts.Node{{Share: 1, Speed: 1}}
	}
	var out []attempts.Node
	for _, z := range attempts.NormalNodes {
		out = append(out, attempts.Node{Share: z.Share, Speed: max(1/m.n, 1+z.Speed*s.SD/m.n)})
	}
	return out
}

// busyShare is the share of the time until nine of ten tasks have arrived for which all machines
// must be busy with the bag for its tasks to count as waiting for each other.
const busyShare = 0.3

// busy reports whether tasks wait for each other.
func (m *model) busy() bool {
	work := m.n / m.done
	if m.s.Bag.Arrival == nil {
		if m.s.Server == BOINC {
			return m.n*float64(m.rules.Results) > m.there
		}
		return m.n > m.there
	}
	if m.s.Server == BOINC { // idle machines ask rarely
		return true
	}
	most, err := m.s.Bag.Arrival.Quantile(0.9)
	return err != nil || work > busyShare*most
}

// The law of a bag with an uncertain number of tasks is summed in steps of sizeStep standard
// deviations, its branches in steps of branchStep, up to sizeEnd.
const (
	sizeStep   = 0.1
	branchStep = 0.5
	sizeEnd    = 3.3
)

// sizeSteps divides the normal law of the number of tasks into steps of a width, as factors of its
// mean with shares that add up to 1; the last step may be shorter.
func (m *model) sizeSteps(width float64) []attempts.Node {
	cv := m.s.Bag.Size.SD / m.s.Bag.Size.Mean
	whole := 1 - 2*distuv.UnitNormal.CDF(-sizeEnd)
	out := make([]attempts.Node, int(2*sizeEnd/width+1e-9))
	for i := range out {
		z := -sizeEnd + float64(i)*width
		to := z + width
		if i == len(out)-1 {
			to = sizeEnd
		}
		share := (distuv.UnitNormal.CDF(to) - distuv.UnitNormal.CDF(z)) / whole
		out[i] = attempts.Node{Share: share, Speed: max(1/m.n, 0.1, 1+(z+width/2)*cv)}
	}
	return out
}

// spreadSizes makes the law of a bag with an uncertain number of tasks, by steps of the normal law
// of that number. The law is computed only when tell is called.
func (m *model) spreadSizes(out *FinishLaw, all []shift.Bag, most float64) {
	const least = 1e-4 // tasks left
	s := shift.New(m.factors, all, least/m.n, most, 4*gridCells)
	steps := func(width float64) (bags []sharedBag) {
		var times [shift.Levels]float64
		for _, n := range m.sizeSteps(width) {
			bags = append(bags, sharedBag{n.Share, n.Speed * m.n, s.Left(s.Of(n.Speed, &times), out.law.Step, gridCells)})
		}
		return bags
	}
	undone := func(b *sharedBag, p *[gridCells]place, i int) float64 {
		u := b.tasks * p[i].of(b.left)
		if out.late != nil {
			u = max(u, b.tasks*out.late[i])
		}
		return u
	}
	bags, nodes := steps(sizeStep), out.fluidNodes(attempts.NormalNodes)
	places := make([]*[gridCells]place, len(nodes))
	for k, z := range nodes {
		places[k] = m.places(out, z)
	}
	tell := func() {
		chances := make([][]float64, len(nodes))
		parallel.Do(len(nodes), func(k int) {
			sum, none, p := make([]float64, gridCells), make([]float64, gridCells), places[k]
			for j := range bags {
				b := &bags[j]
				first := sort.Search(gridCells, func(i int) bool { return undone(b, p, i) <= noneleft.Most })
				for i := first; i < gridCells; i++ { // in earlier cells the chance is 0
					none[i] = undone(b, p, i)
				}
				noneleft.Chances(b.tasks, none[first:])
				floats.AddScaled(sum[first:], b.share, none[first:])
			}
			chances[k] = sum
		})
		for k, z := range nodes {
			floats.AddScaled(out.law.F, z.Share, chances[k])
		}
		wide := steps(branchStep)
		for _, z := range out.fluidNodes(attempts.BranchNodes) {
			p := m.places(out, z)
			for j := range wide {
				b := branch{share: z.Share * wide[j].share, undone: make([]float64, gridCells)}
				for i := range b.undone {
					b.undone[i] = undone(&wide[j], p, i)
				}
				out.branches = append(out.branches, b)
			}
		}
	}
	out.untold = &untold{tell: tell, chance: func(i int) float64 {
		sum := 0.0
		for k, z := range nodes {
			part := 0.0
			for j := range bags {
				part += bags[j].share * noneleft.Chance(bags[j].tasks, undone(&bags[j], places[k], i))
			}
			sum += z.Share * part
		}
		return sum
	}}
}

// A sharedBag is a bag with a given number of tasks, and the chance of that number.
type sharedBag struct {
	share, tasks float64
	left         []float64 // share of the tasks, by cell
}

// A place lies at a cell or a part of a step beyond it.
type place struct {
	cell int
	part float64
}

func (p place) of(f []float64) float64 { return f[p.cell] + p.part*(f[p.cell+1]-f[p.cell]) }

// places returns the places of [model.moved] for all moments. They are the same for every number of
// tasks.
func (m *model) places(out *FinishLaw, late attempts.Node) *[gridCells]place {
	var all [gridCells]place
	for i := range all {
		at := m.moved(out, late, i) / out.law.Step
		cell := min(int(at), gridCells-2)
		all[i] = place{cell, min(1, at-float64(cell))}
	}
	return &all
}
