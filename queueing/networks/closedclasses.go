package networks

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// The convolution of several classes keeps at most mostKept numbers, and adds at most mostTerms. Below leastSum
// the normalising sum has lost digits.
const (
	mostKept  = 1e7
	mostTerms = 2e8
	leastSum  = 1e-250
)

// convolveClasses solves several classes where a station has several servers. G(n), over all vectors n of
// populations up to the whole one N, is the convolution of the stations' laws; the throughput of class k is
// θₖ·G(N−eₖ)/G(N) for any θ, which is near that of Schweitzer's fixed point, where G(N) is of ordinary size.
// No term is negative.
func (n Closed) convolveClasses(ctx context.Context) (ClosedFigures, error) {
	refuse := func(arg string, value int, want string) (ClosedFigures, error) {
		return ClosedFigures{}, &queueing.DomainError{Func: "networks.Closed.Exact", Arg: arg, Value: float64(value),
			Want: want + "; see Schweitzer"}
	}
	p := newLattice(n.Classes)
	largest := p.largest()
	customers := "customers of " + fault.Part("class", n.Classes[largest].Name, largest)
	if p.times(len(n.Stations)+len(n.Classes)) > mostKept {
		return refuse(customers, p.most[largest],
			"population vectors times stations and classes <= 1e7 where a station has several servers")
	}
	near, err := n.Schweitzer(ctx)
	if err != nil {
		return ClosedFigures{}, err
	}
	theta, think := make([]float64, len(n.Classes)), make([]float64, len(n.Classes))
	for k, class := range n.Classes {
		theta[k], think[k] = near.Classes[k].Throughput, class.ThinkTime
		for i, d := range class.Demands {
			if n.Stations[i].Delay {
				think[k] += d
			}
		}
	}
	p.enumerate()
	var laws []*classLaw
	terms := 0.0
	for i, s := range n.Stations {
		if s.Delay {
			continue
		}
		law := p.law(n, i, theta)
		laws = append(laws, law)
		if terms += float64(len(law.steps)) * float64(p.size); terms > mostTerms {
			return refuse("servers of "+fault.Part("station", s.Name, i), s.servers(),
				"population vectors times those that are all served <= 2e8")
		}
	}
	sums, err := p.convolve(ctx, laws, p.thinking(theta, think))
	if err != nil {
		return ClosedFigures{}, err
	}
	if !(sums.all >= leastSum) || math.IsInf(sums.all, 1) {
		return refuse(customers, p.most[largest], "fewer customers where a station has several servers")
	}
	f := n.empty()
	for k, class := range n.Classes {
		out := &f.Classes[k]
		if class.Customers > 0 {
			out.Throughput = theta[k] * (sums.less[k] / sums.all)
		}
		for i, s := range n.Stations {
			if s.Delay {
				out.MeanNumber[i] = out.Throughput * class.Demands[i]
			}
		}
		for j, l := range laws {
			out.MeanNumber[l.station] = sums.numbers[k][j] / sums.all
		}
	}
	n.finish(&f)
	for j, l := range laws {
		u := n.busy(&f, l.station)
		if u > 1 { // by rounding; the idle share has digits of its own
			u = 1 - sums.idle[j]/sums.all
		}
		f.Stations[l.station].Utilization = u
	}
	return f, nil
}

// A classSums holds sums of the product form, up to the same factor.
type classSums struct {
	all     float64     // G(N)
	less    []float64   // by class: G(N − eₖ)
	numbers [][]float64 // by class and law: those with the customers of the class at the station as weights
	idle    []float64   // by law: those with the share of its servers that are idle
}

// convolve returns the sums over the laws of stations and of who thinks. It ends early with the error of ctx.
func (p *lattice) convolve(ctx context.Context, laws []*classLaw, thinking []float64) (*classSums, error) {
	// after[j] holds the laws from j on.
	after := make([][]float64, len(laws)+1)
	after[len(laws)] = make([]float64, p.size)
	after[len(laws)][0] = 1
	var err error
	for j := len(laws) - 1; j > 0; j-- {
		if after[j], _, err = p.add(ctx, laws[j], after[j+1], nil); err != nil {
			return nil, err
		}
	}
	classes := len(p.most)
	sums := &classSums{less: make([]float64, classes), numbers: make([][]float64, classes)}
	sums.idle = make([]float64, len(laws))
	weighted := make([][]float64, classes)
	for k := range weighted {
		weighted[k], sums.numbers[k] = make([]float64, p.size), make([]float64, len(laws))
	}
	whole, last := thinking, p.size-1
	for j, l := range laws {
		next, enters, err := p.add(ctx, l, whole, weighted)
		if err != nil {
			return nil, err
		}
		for at, rest := range after[j+1] {
			sums.idle[j] += enters[last-at] * rest
			for k, w := range weighted {
				sums.numbers[k][j] += w[last-at] * rest
			}
		}
		whole = next
	}
	sums.all = whole[last]
	for k, m := range p.most {
		if m > 0 {
			sums.less[k] = whole[last-p.stride[k]]
		}
	}
	return sums, nil
}

// A lattice holds the vectors of populations up to the whole one, in the order of at = Σ nₖ·stride[k].
type lattice struct {
	most, stride []int
	size         int
	vectors      []int32 // that of at from at·len(most) on
	customers    []int32 // Σ nₖ of it
}

func newLattice(classes []Class) *lattice {
	p := &lattice{most: make([]int, len(classes)), stride: make([]int, len(classes))}
	for k, c := range classes {
		p.most[k] = c.Customers
	}
	return p
}

// times returns how many vectors there are, times a number.
func (p *lattice) times(n int) float64 {
	size := float64(n)
	for _, m := range p.most {
		size *= float64(m) + 1
	}
	return size
}

// largest is the class of most customers.
func (p *lattice) largest() (class int) {
	for k, m := range p.most {
		if m > p.most[class] {
			class = k
		}
	}
	return class
}

func (p *lattice) enumerate() {
	p.size = 1
	for k, m := range p.most {
		p.stride[k] = p.size
		p.size *= m + 1
	}
	p.vectors, p.customers = make([]int32, p.size*len(p.most)), make([]int32, p.size)
	for at := range p.customers {
		for k, m := range p.most {
			n := int32(at / p.stride[k] % (m + 1))
			p.vectors[at*len(p.most)+k] = n
			p.customers[at] += n
		}
	}
}

func (p *lattice) vector(at int) []int32 { return p.vectors[at*len(p.most) : (at+1)*len(p.most)] }

// A classLaw is the law h of the numbers at a station of c servers and loads aₖ, up to a factor. As
// [stationLaw] it is the sum of steps and of what comes from one customer less:
//
//	h(n) = s(n) + Σₖ (aₖ/c)·h(n−eₖ),   s(n) = ∏ aₖ^nₖ/nₖ!·(1 − |n|/c) for |n| < c, else 0
type classLaw struct {
	station int
	ratio   []float64 // aₖ/c
	steps   []classStep
}

type classStep struct {
	at int // of the vector
	s  float64
}

func (p *lattice) law(n Closed, station int, theta []float64) *classLaw {
	c := float64(n.Stations[station].servers())
	l := &classLaw{station: station, ratio: make([]float64, len(theta))}
	poisson := make([][]float64, len(theta))
	for k, class := range n.Classes {
		load := theta[k] * class.Demands[station]
		l.ratio[k] = load / c
		poisson[k] = poissonLaw(load, class.Customers)
	}
	const least = 1e-40 // of a greatest term of about 1
	for at := range p.size {
		w := 1 - float64(p.customers[at])/c
		for k, m := range p.vector(at) {
			w *= poisson[k][m]
		}
		if w > least {
			l.steps = append(l.steps, classStep{at, w})
		}
	}
	return l
}

// poissonLaw returns aⁿ/n! up to a factor, n = 0...most.
func poissonLaw(a float64, most int) []float64 {
	p := make([]float64, most+1)
	numeric.FillFrom(p, func(n int) float64 { return a / float64(n) })
	return p
}

// thinking is the law of who thinks.
func (p *lattice) thinking(theta, think []float64) []float64 {
	out := make([]float64, p.size)
	out[0] = 1
	for k, most := range p.most {
		law := poissonLaw(theta[k]*think[k], most)
		for at, stride := 0, p.stride[k]; at < stride; at++ {
			for n := most; n >= 0; n-- { // 0 last, which the others are made from
				out[at+n*stride] = out[at] * law[n]
			}
		}
	}
	return out
}

// add returns f*h, and what enters it by the steps of h, Σ s(m)·f(n−m). It sets weighted[k], if that is wanted, to
// Σ mₖ·h(m)·f(n−m), and ends early with the error of ctx.
func (p *lattice) add(ctx context.Context, l *classLaw, f []float64, weighted [][]float64) (out, enters []float64,
	err error) {
	out, enters = make([]float64, p.size), make([]float64, p.size)
	for at := range out {
		if at%256 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		of := p.vector(at)
		for k := range weighted {
			weighted[k][at] = 0
		}
	steps:
		for _, step := range l.steps {
			if step.at > at {
				break
			}
			served := p.vector(step.at)
			for k, m := range served {
				if m > of[k] {
					continue steps
				}
			}
			term := step.s * f[at-step.at]
			enters[at] += term
			for k := range weighted {
				weighted[k][at] += float64(served[k]) * term
			}
		}
		out[at] = enters[at]
		for k, m := range of {
			if m == 0 {
				continue
			}
			less := at - p.stride[k]
			out[at] += l.ratio[k] * out[less]
			for j := range weighted {
				weighted[j][at] += l.ratio[k] * weighted[j][less]
			}
			if weighted != nil {
				weighted[k][at] += l.ratio[k] * out[less]
			}
		}
	}
	return out, enters, nil
}
