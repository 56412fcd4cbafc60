package alloc

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/lp"
)

// PrimaryModel returns MRPA of one dependency as an explicit program: a
// variable for every job, level and resource that the job may use and the
// level fits, one row per job (exactly one) and one per resource (capacity).
// Its size is that product: it serves to check the algorithms of this package
// with a general solver, and to finish what they leave open on moderate
// batches. The variables have no upper bound of 1, which the rows imply. choices tells which job,
// resource and level each variable is. An
// unknown name returns a *BatchError.
func (s *System) PrimaryModel(name string) (m *lp.Model, choices []ModelChoice, err error) {
	if err := s.made("PrimaryModel"); err != nil {
		return nil, nil, err
	}
	for i := range s.deps {
		if s.deps[i].name == name {
			m, choices = s.primaryModel(&s.deps[i])
			return m, choices, nil
		}
	}
	return nil, nil, &BatchError{
		Place:   fmt.Sprintf("dependency %q", name),
		Problem: "not among the dependencies",
		Name:    name,
		Kind:    ErrUnknownDependency,
	}
}

// A ModelChoice is what a variable of [System.PrimaryModel] stands for.
type ModelChoice struct {
	Job int // index in Batch.Jobs
	Choice
}

func (s *System) primaryModel(d *dependency) (*lp.Model, []ModelChoice) {
	p := d.primaryProblem()
	m, cells := p.model()
	m.Name = d.name
	choices := make([]ModelChoice, len(cells))
	for v, c := range cells {
		choices[v] = ModelChoice{int(d.job[c.job]), Choice{d.resource[c.bin], c.level - p.first[c.job] + 1}}
	}
	return m, choices
}

// cell is what a variable of a packing problem's model stands for.
type cell struct{ job, level, bin int32 } // bin −1: left out

// cells returns how many variables the model of the problem has at most.
func (p *problem) cells() float64 {
	levels := 0.0
	for k := range p.first {
		levels += float64(p.last[k] - p.first[k])
	}
	return levels * float64(len(p.cap)+1)
}

// spent returns what level l costs in bin j; −1 is none.
func (p *problem) spent(l, j int32) float64 {
	if j < 0 || p.price == nil {
		return 0
	}
	return p.price[j] * float64(p.dem[l])
}

// net returns the revenue of a solution less what it costs.
func (p *problem) net(s solution) float64 {
	v := 0.0
	for k, l := range s.level {
		v += float64(p.rev[l]) - p.spent(l, s.bin[k])
	}
	return v
}

// model returns the problem as an explicit program: a row for every job
// (exactly one) and for every bin (capacity).
func (p *problem) model() (*lp.Model, []cell) {
	m := &lp.Model{Maximize: true, Rows: make([]lp.Row, p.jobs()+len(p.cap))}
	var cells []cell
	for j, c := range p.cap {
		m.Rows[p.jobs()+j] = lp.Row{Lower: math.Inf(-1), Upper: float64(c)}
	}
	add := func(k, l, j int32) {
		at := len(m.Variables)
		m.Variables = append(m.Variables,
			lp.Variable{Cost: float64(p.rev[l]) - p.spent(l, j), Upper: math.Inf(1), Integer: true})
		cells = append(cells, cell{k, l, j})
		m.Rows[k].Terms = append(m.Rows[k].Terms, lp.Term{Variable: at, Coefficient: 1})
		if j >= 0 && p.dem[l] > 0 {
			r := &m.Rows[p.jobs()+int(j)]
			r.Terms = append(r.Terms, lp.Term{Variable: at, Coefficient: float64(p.dem[l])})
		}
	}
	for k := int32(0); int(k) < p.jobs(); k++ {
		m.Rows[k].Lower, m.Rows[k].Upper = 1, 1
		for l := p.first[k]; l < p.last[k]; l++ {
			if p.isOut(k, l) {
				add(k, l, -1)
				continue
			}
			for j := range p.cap {
				if p.dem[l] <= p.cap[j] && p.allowed(k, int32(j)) {
					add(k, l, int32(j))
				}
			}
		}
	}
	return m, cells
}
