package smp

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
)

// A Method is a way to solve the renewal equations.
type Method int

const (
	Auto   Method = iota // the cheaper by an estimate of the operations
	Sparse               // direct recursion, O(n·m) for m atoms, exact to rounding
	Dense                // blocks of Fourier transforms, O(n log² n)
)

func (m Method) String() string {
	if m < Auto || m > Dense {
		return fmt.Sprintf("Method(%d)", int(m))
	}
	return [...]string{"auto", "sparse", "dense"}[m]
}

// Options of the engine; nil means every default.
type Options struct {
	Method    Method  // default Auto
	ByState   bool    // also by which failure state, a recursion for each; default all together
	MaxMemory float64 // bytes of working space and answer; default 256 MiB, as a caller may hold several
	Workers   int     // right-hand sides solved at the same time; default GOMAXPROCS
	// Progress, where given, is called as steps of a recursion are done, by several goroutines.
	Progress func(done, of int)
}

func (o *Options) resolve(fn string) (Options, error) {
	var r Options
	if o != nil {
		r = *o
	}
	if r.Method < Auto || r.Method > Dense {
		return r, &DomainError{fn, "Options.Method", float64(r.Method), "Auto, Sparse or Dense"}
	}
	r.MaxMemory = cmp.Or(r.MaxMemory, 1<<28)
	if err := positive(fn, "Options.MaxMemory", r.MaxMemory); err != nil {
		return r, err
	}
	if r.Workers <= 0 {
		r.Workers = runtime.GOMAXPROCS(0)
	}
	return r, nil
}

// A Reliability holds, for every up state i and all horizons k = 0..N at
// once,
//
//	R_i(k) = S_i(k) + Σ_j Σ_{l≤k} q_ij(l) R_j(k−l)       (j up)
//	f_iD(k) = q_iD(k) + Σ_h Σ_{l≤k} q_ih(l) f_hD(k−l)    (h up, D failure)
//
// R_i(k) is the chance that no failure state is entered during k steps by a
// process that has just entered i (the temporal reliability of iShare eq. 3
// and 4, with the limits of the sums put right), f_iD(k) the chance that the
// first failure state is one of D, entered at step k. D is all failure states,
// or with [Options].ByState each by itself. Each is computed from non-negative
// terms of its own; none by subtraction from 1.
//
// R keeps its relative digits while it is above 1e-260; see Residual for how
// many.
type Reliability struct {
	N        int     // horizon, steps
	Method   Method  // that was used, Sparse or Dense
	Residual float64 // greatest relative defect of the equations at 12 horizons
	// Repeated says that the defect of a Dense solution was above 3e-13, or
	// that R and F did not add up to 1, so that it was thrown away and the
	// recursion used instead. Where that would take more than 2e10 operations
	// the solution stands, with its Residual.
	Repeated bool
	kernel   *Kernel
	up       []int
	down     []int
	byState  bool
	number   []int         // state -> index in up, −1
	cause    []int         // state -> index in enter, −1
	survive  [][]float64   // [up][k]
	enter    [][][]float64 // [cause][up][k]
}

// causes numbers the failure states, alike where they are taken together, and
// returns how many numbers there are.
func (r *Reliability) causes(states int) int {
	r.cause = numbers(states, r.down)
	if r.byState || len(r.down) == 0 {
		return len(r.down)
	}
	for _, j := range r.down {
		r.cause[j] = 0
	}
	return 1
}

// upTo checks what every solution over all horizons 0..n begins with, for the function of
// the given name, and returns the options with their defaults.
func (k *Kernel) upTo(fn string, n int, opt *Options) (Options, error) {
	if err := k.made(fn); err != nil {
		return Options{}, err
	}
	o, err := opt.resolve(fn)
	if err != nil {
		return Options{}, err
	}
	if n < 0 || n > maxSteps {
		return Options{}, &DomainError{fn, "n", float64(n), fmt.Sprintf("a horizon 0..%d", maxSteps)}
	}
	return o, nil
}

// Reliability solves for all horizons 0..n and all up states.
//
// Time and memory: Sparse n·m, Dense n log² n with about 60 bytes a step and
// pair of states. n < 0 returns a *DomainError, too large an answer a
// *SizeError, an ended context its error.
func (k *Kernel) Reliability(ctx context.Context, n int, opt *Options) (*Reliability, error) {
	ctx = given.Context(ctx)
	const fn = "Kernel.Reliability"
	o, err := k.upTo(fn, n, opt)
	if err != nil {
		return nil, err
	}
	r := &Reliability{N: n, kernel: k, up: k.space.Up(), down: k.space.Down(), byState: o.ByState}
	if len(r.up) == 0 {
		return nil, &KernelError{k.space.Names[0], "there is no up state"}
	}
	causes := r.causes(len(k.rows))
	answer := float64(len(r.up)) * float64(1+causes) * float64(n+1) * 8
	if answer > o.MaxMemory {
		return nil, &SizeError{fn, answer, o.MaxMemory}
	}
	r.number = numbers(len(k.rows), r.up)
	build := func() [][][]float64 { return r.systems(causes, o.Workers) }
	lost := func(systems [][][]float64) float64 { return conserved(systems, o.Workers) }
	systems, how, err := solveBalanced(ctx, fn, newRenewal(k, r.up, n, o.Workers), build, lost, true, o, answer)
	if err != nil {
		return nil, err
	}
	r.Method, r.Residual, r.Repeated = how.method, how.residual, how.repeated
	r.survive, r.enter = systems[0], systems[1:]
	return r, nil
}

// systems returns the right-hand sides: survival, and the density of failing by
// each cause, by up state and step.
func (r *Reliability) systems(causes, workers int) [][][]float64 {
	k, n := r.kernel, r.N
	systems := make([][][]float64, 1+causes)
	for s := range systems {
		systems[s] = make([][]float64, len(r.up))
	}
	if k.atoms+n < smallWork {
		workers = 1
	}
	spread(workers, 2*len(r.up), func(part int) {
		a := part / 2
		i := r.up[a]
		if part%2 == 0 {
			systems[0][a] = survivals(k.rows[i], k.tail[i], 0, n)
			return
		}
		for s := 1; s < len(systems); s++ {
			systems[s][a] = make([]float64, n+1)
		}
		for _, e := range k.rows[i] {
			if d := r.cause[e.to]; d >= 0 && int(e.lag) <= n {
				systems[1+d][a][e.lag] += e.prob
			}
		}
	})
	return systems
}

// conserved returns the greatest defect of R_i(k) + Σ_D Σ_{l≤k} f_iD(l) = 1,
// +Inf where a figure is none.
func conserved(systems [][][]float64, workers int) float64 {
	worst := make([]float64, len(systems[0]))
	if len(systems[0][0]) < smallWork/4 {
		workers = 1
	}
	spread(workers, len(worst), func(a int) {
		var gone numeric.Sum
		for k, r := range systems[0][a] {
			for _, enter := range systems[1:] {
				gone.Add(enter[a][k])
			}
			lost := math.Abs(r + gone.Value() - 1)
			if math.IsNaN(lost) {
				lost = math.Inf(1)
			}
			worst[a] = math.Max(worst[a], lost)
		}
	})
	return slices.Max(worst)
}

func numbers(n int, states []int) []int {
	number := slices.Repeat([]int{-1}, n)
	for a, i := range states {
		number[i] = a
	}
	return number
}
