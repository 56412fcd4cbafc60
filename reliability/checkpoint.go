package reliability

import (
	"math"
)

// CheckpointParams describe a long job that saves its state, on a machine
// whose failures are a Poisson process. Times in one unit.
type CheckpointParams struct {
	MTBF    float64 // M, mean time between failures, > 0
	Cost    float64 // C, time to write a checkpoint, > 0
	Restart float64 // R, time from a failure until work goes on, >= 0
	Work    float64 // T_s, time of the job without failures and checkpoints, > 0
}

func (p CheckpointParams) check(fn string) error {
	return all(positive(fn, "MTBF", p.MTBF), positive(fn, "Cost", p.Cost),
		nonNegative(fn, "Restart", p.Restart), positive(fn, "Work", p.Work))
}

// A CheckpointPlan is an interval and what it costs.
type CheckpointPlan struct {
	Interval    float64 // τ, work between two checkpoints
	ExpectedRun float64 // E[run time], +Inf where floats cannot hold it
	Slowdown    float64 // ExpectedRun / Work
	LogSlowdown float64 // its logarithm, always finite
}

// CheckpointAnswer holds the rules of thumb beside the optimum.
type CheckpointAnswer struct {
	Young         CheckpointPlan // τ = √(2CM)
	DalyFirst     CheckpointPlan // τ = √(2C(M+R)) - C
	DalyHigher    CheckpointPlan // Daly's perturbation solution
	Optimal       CheckpointPlan // exact minimum
	Whole         CheckpointPlan // exact minimum over equal segments of a whole number
	Segments      float64        // that number, >= 1
	WithoutSaving CheckpointPlan // no checkpoint at all: Interval = Work and C = 0
}

// Checkpoint returns when to save, by
//
//	Young 1974         τ = √(2CM)
//	Daly, first order  τ = √(2C(M+R)) - C
//	Daly 2006 eq. 37   τ = √(2CM) (1 + √(C/2M)/3 + (C/2M)/9) - C if C < 2M, else M
//	exact              τ = M (1 + W₀(-e^(-1-C/M)))
//
// each with the expected run time of Daly's complete model: a segment of τ + C
// is repeated from its start after each failure, failures also strike during
// checkpoints and restarts, times between failures are exponential:
//
//	E[T] = M e^(R/M) (e^((τ+C)/M) - 1) T_s/τ.
//
// The exact interval minimises this; it depends neither on R nor on T_s. With
// z = τ/M it solves z + log(1-z) = -C/M, which is the Lambert form without
// its cancellation for small C/M. Where the first order gives no positive
// interval (C >= 2(M+R)) it is reported as M, as Daly does for the higher
// order. Whole takes T_s in 1, 2, ... equal segments.
//
// Sources: Young, CACM 17 (1974) 530; Daly, FGCS 22 (2006) 303.
func Checkpoint(p CheckpointParams) (CheckpointAnswer, error) {
	const fn = "Checkpoint"
	if err := p.check(fn); err != nil {
		return CheckpointAnswer{}, err
	}
	c := p.Cost / p.MTBF
	root := math.Sqrt(2*p.Cost) * math.Sqrt(p.MTBF)
	first := math.Sqrt(2*p.Cost)*math.Sqrt(p.MTBF+p.Restart) - p.Cost
	if !(first > 0) {
		first = p.MTBF
	}
	higher := p.MTBF
	if c < 2 {
		higher = root*(1+math.Sqrt(c/2)/3+c/18) - p.Cost
	}
	best := root // the limit of the exact interval as C/M → 0
	if c > 1e-30 {
		best = optimalSegment(c) * p.MTBF
	}
	a := CheckpointAnswer{
		Young: p.plan(root), DalyFirst: p.plan(first), DalyHigher: p.plan(higher), Optimal: p.plan(best),
		WithoutSaving: CheckpointParams{p.MTBF, 0, p.Restart, p.Work}.plan(p.Work),
	}
	few := math.Max(1, math.Floor(p.Work/best))
	a.Segments, a.Whole = few, p.plan(p.Work/few)
	if more := p.plan(p.Work / (few + 1)); more.LogSlowdown < a.Whole.LogSlowdown {
		a.Segments, a.Whole = few+1, more
	}
	for _, v := range []float64{root, first, a.Segments, a.Whole.LogSlowdown, a.Young.LogSlowdown,
		a.DalyFirst.LogSlowdown, a.WithoutSaving.LogSlowdown} {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return CheckpointAnswer{}, &DomainError{fn, "MTBF, Cost, Restart, Work",
				v, "quotients that floats can hold"}
		}
	}
	return a, nil
}

// CheckpointRun returns the expected run time with the given interval > 0.
func CheckpointRun(p CheckpointParams, interval float64) (CheckpointPlan, error) {
	const fn = "CheckpointRun"
	if err := all(p.check(fn), positive(fn, "interval", interval)); err != nil {
		return CheckpointPlan{}, err
	}
	plan := p.plan(interval)
	if math.IsInf(plan.LogSlowdown, 0) {
		return CheckpointPlan{}, &DomainError{fn, "interval", interval, "quotients that floats can hold"}
	}
	return plan, nil
}

// logSaving returns ln(1 + C/τ), also where the quotient is beyond float64.
func logSaving(cost, tau float64) float64 {
	if q := cost / tau; !math.IsInf(q, 1) {
		return math.Log1p(q)
	}
	return math.Log(cost) - math.Log(tau)
}

// plan evaluates the model as e^(R/M) · (1 + C/τ) · (e^x - 1)/x, x = (τ+C)/M.
func (p CheckpointParams) plan(tau float64) CheckpointPlan {
	x := (tau + p.Cost) / p.MTBF
	growth, logGrowth := 1.0, 0.0 // (e^x - 1)/x
	switch {
	case math.IsInf(x, 1):
		growth, logGrowth = x, x
	case x > 1:
		growth, logGrowth = math.Expm1(x)/x, x+math.Log1p(-math.Exp(-x))-math.Log(x)
	case x > 0:
		growth = math.Expm1(x) / x
		logGrowth = math.Log(growth)
	}
	slow := math.Exp(p.Restart/p.MTBF) * (1 + p.Cost/tau) * growth
	return CheckpointPlan{
		Interval: tau, ExpectedRun: slow * p.Work, Slowdown: slow,
		LogSlowdown: p.Restart/p.MTBF + logSaving(p.Cost, tau) + logGrowth,
	}
}

// optimalSegment returns z = 1 + W₀(-e^(-1-c)), the root in (0, 1) of
//
//	-z - log(1-z) = c,
//
// for c > 0. It iterates on w = 1-z, w = e^(-c-1+w), where c is large and on z
// by Newton's method, from the expansion at the branch point, where it is not.
func optimalSegment(c float64) float64 {
	if c > 1 {
		w := math.Exp(-c - 1)
		for range 60 {
			e := math.Exp(-c - 1 + w)
			next := w - (w-e)/(1-e)
			if math.Abs(next-w) <= 1e-17 {
				break
			}
			w = next
		}
		return 1 - w
	}
	r := math.Sqrt(2 * c)
	z := r - r*r/3 + r*r*r/36 // Corless et al. 1996, eq. 4.22, with p = r
	for range 60 {
		step := (branchGap(z) - c) * (1 - z) / z
		z -= step
		if math.Abs(step) <= 1e-16*z {
			break
		}
	}
	return z
}

// branchGap returns -z - log(1-z) = z²/2 + z³/3 + ...
func branchGap(z float64) float64 {
	if z > 0.1 {
		return -z - math.Log1p(-z)
	}
	sum, power := 0.0, z*z
	for n := 2.0; n < 40; n++ {
		term := power / n
		sum += term
		if term < sum*1e-17 {
			break
		}
		power *= z
	}
	return sum
}
