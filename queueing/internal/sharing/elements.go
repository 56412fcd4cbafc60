package sharing

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/capplan/capplan/internal/numeric"
)

// elementDegree is the degree of the polynomials of an element, and elementPoints are
// those at which sums over its states are taken.
const (
	elementDegree = 10
	elementPoints = elementDegree + 14
)

// elements holds functions of the number present that are a polynomial on each
// of a few dozen stretches of states, the elements, and continuous: by their values at
// the Lobatto points of each. The forms of [Law] on them are banded matrices, M
// for ⟨f, g⟩ and K for ⟨f, Ag⟩. The error of P(T > t) is about the square of that by
// which e^(−At)1, smooth in n, is approximated.
//
// Source: Karniadakis, Sherwin, Spectral/hp element methods, 2005, chapter 2.
type elements struct {
	mass  blas64.SymmetricBand  // M
	form  blas64.SymmetricBand  // K
	solid blas64.TriangularBand // of Cholesky of M + γK
}

func newElements(w *weights, gamma float64) *elements {
	ends := w.elements()
	size := 1
	for i := range len(ends) - 1 {
		size += degreeOf(ends[i+1] - ends[i])
	}
	s := &elements{mass: banded(size), form: banded(size)}
	at := 0
	for i := range len(ends) - 1 {
		at += s.add(w, ends[i], ends[i+1]-ends[i], at)
	}
	both := banded(size)
	for i, m := range s.mass.Data {
		both.Data[i] = m + gamma*s.form.Data[i]
	}
	s.solid, _ = lapack64.Pbtrf(both) // the sum of squares of polynomials: positive
	return s
}

func banded(size int) blas64.SymmetricBand {
	return blas64.SymmetricBand{
		N: size, K: elementDegree, Stride: elementDegree + 1, Uplo: blas.Upper,
		Data: make([]float64, size*(elementDegree+1)),
	}
}

func degreeOf(states float64) int { return int(math.Min(states, elementDegree)) }

// elements returns the ends of the elements: one lies where the rate bends. They are
// short beside that and beside 0, where functions of the number present bend too, and
// no longer than the weights allow.
func (w *weights) elements() []float64 {
	bend := math.Min(math.Max(math.Floor(w.servers), w.first), w.last)
	short := math.Max(1, 0.5*math.Sqrt(w.servers))
	var below []float64
	for n := bend; n > w.first; {
		below = append(below, n)
		step := math.Min(math.Max(short, 0.5*(bend-n)), 1.5*math.Sqrt(w.load))
		step = math.Min(step, math.Max(1, 0.5*n))
		n = math.Max(w.first, n-math.Max(1, math.Floor(step)))
	}
	ends := []float64{w.first}
	for i := len(below) - 1; i >= 0; i-- {
		ends = append(ends, below[i])
	}
	for n := bend; n < w.last; ends = append(ends, n) {
		step := math.Min(math.Max(short, 0.5*(n-bend)), 2*w.servers/(w.servers-w.load))
		n = math.Min(w.last, n+math.Max(1, math.Floor(step)))
	}
	return ends
}

// add adds what the states of an element, from its first to before its end, are in
// the forms, its first function being number at; it returns the element's degree.
func (s *elements) add(w *weights, first, states float64, at int) int {
	b := basisOf(states)
	for k, x := range b.points {
		value, rise := b.value[k], b.rise[k]
		weight := b.counts[k] * w.at(first+x)
		rate := w.rate(first + x)
		for i := range value {
			row := (at + i) * s.mass.Stride
			for j := i; j < len(value); j++ {
				both := value[i] * value[j]
				s.mass.Data[row+j-i] += weight * both
				s.form.Data[row+j-i] += weight * (rate*both + w.load*rise[i]*rise[j])
			}
		}
	}
	return degreeOf(states)
}

// A basis is the functions of an element at the points of its sums.
type basis struct {
	points, counts []float64   // as of statePoints
	value, rise    [][]float64 // of each function at each point, and by how much it rises up to the next state
}

// mostBases bounds the bases that are kept, some 5 KB each.
const mostBases = 1000

// bases are those of elements of so many states: they depend on nothing else, and a search over servers or loads
// cuts the states into elements of the same few dozen lengths again and again.
var bases struct {
	sync.Mutex
	of map[float64]*basis
}

func basisOf(states float64) *basis {
	bases.Lock()
	defer bases.Unlock()
	b := bases.of[states]
	if b == nil {
		if b = newBasis(states); bases.of == nil || len(bases.of) == mostBases {
			bases.of = map[float64]*basis{}
		}
		bases.of[states] = b
	}
	return b
}

func newBasis(states float64) *basis {
	nodes := lobatto(degreeOf(states), states)
	b := &basis{}
	b.points, b.counts = statePoints(states)
	for _, x := range b.points {
		value, rise := make([]float64, len(nodes)), make([]float64, len(nodes))
		for j := range nodes {
			value[j], rise[j] = lagrange(nodes, j, x)
		}
		b.value, b.rise = append(b.value, value), append(b.rise, rise)
	}
	return b
}

// lagrange returns the polynomial that is 1 at node j and 0 at the others at x, and by
// how much it rises up to x + 1, without the difference of the two.
func lagrange(nodes []float64, j int, x float64) (value, rise float64) {
	value = 1
	for i, node := range nodes {
		if i != j {
			scale := 1 / (nodes[j] - node)
			rise = rise*(x+1-node)*scale + value*scale
			value *= (x - node) * scale
		}
	}
	return value, rise
}

// lobatto returns the points of an element between 0 and its end: those of Gauss and
// Lobatto, or all states where they are no more.
func lobatto(degree int, end float64) []float64 {
	nodes := make([]float64, degree+1)
	if nodes[degree] = end; end <= elementDegree {
		for i := range nodes {
			nodes[i] = float64(i)
		}
		return nodes
	}
	// Those within are the points of the Gauss rule for the weight 1 − x².
	inner, off := make([]float64, degree-1), make([]float64, degree-2)
	for k := range off {
		n := float64(k + 1)
		off[k] = math.Sqrt(n * (n + 2) / ((2*n + 1) * (2*n + 3)))
	}
	inner, _ = numeric.JacobiRule(inner, off)
	slices.Sort(inner)
	for i, x := range inner {
		nodes[i+1] = end * (1 + x) / 2
	}
	return nodes
}

// statePoints returns points between 0 and N − 1 and how many states each stands for:
// the Gauss rule of a sum over 0, 1, …, N − 1, or these themselves where they are few.
// Source of the recurrence, that of the discrete Chebyshev polynomials: DLMF 18.19.
func statePoints(states float64) (points, counts []float64) {
	if states <= elementPoints {
		for x := range int(states) {
			points, counts = append(points, float64(x)), append(counts, 1)
		}
		return points, counts
	}
	diagonal, off := make([]float64, elementPoints), make([]float64, elementPoints-1)
	for k := range diagonal {
		diagonal[k] = (states - 1) / 2
	}
	for k := range off {
		n := float64(k + 1)
		off[k] = n / 2 * math.Sqrt((states-n)*(states+n)/(4*n*n-1))
	}
	points, counts = numeric.JacobiRule(diagonal, off)
	for k := range counts {
		counts[k] *= states
	}
	return points, counts
}

func (s *elements) one() []float64 {
	out := slices.Repeat([]float64{1}, s.mass.N)
	return out
}

func (s *elements) times(v, out []float64) {
	blas64.Sbmv(1, s.form, vectorOf(v), 0, vectorOf(out))
}

func (s *elements) solve(v, out []float64) {
	blas64.Sbmv(1, s.mass, vectorOf(v), 0, vectorOf(out))
	lapack64.Pbtrs(s.solid, blas64.General{Rows: s.mass.N, Cols: 1, Stride: 1, Data: out})
}

func vectorOf(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }
