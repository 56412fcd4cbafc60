package sizing

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
)

// explainFitted shows how the wait between general gaps and services was come
// by. Which formula applies depends on the SCV of the service alone, in the order
// of [queueing.GIGC]; the last case interpolates between those that are exact.
func (f *Fleet) explainFitted(e *ask.Explanation, m queueing.GIGC, g queueing.Figures) {
	n, a := ask.Digits(g.Servers), ask.Digits(g.OfferedLoad)
	given := ask.Sprintf("n = %s, a = %s, c_a² = %v, c_s² = %v",
		n, a, m.ArrivalSCV, m.ServiceSCV)
	percentile := f.waitPercentile(g)
	wait := given + ": " + ask.Digits(g.WaitProbability)
	mean := f.clocked("E[W] = " + ask.Digits(g.MeanWait))
	switch {
	case m.ServiceSCV == 1:
		e.Model = "GI/M/c"
		e.Step("ratio", "σ = A(nμ(1 − σ)), A the transform of the gap", given, "Takács 1962")
		e.Step("wait probability",
			"1/P(W>0) = 1 + (1−σ) Σ_j (n over j)/(C_j(1−φ_j)) · (n(1−φ_j) − j)/(n(1−σ) − j), φ_j = A(jμ)", wait,
			"Takács 1962, chapter 2")
		e.Step("wait percentile", "P(W > t) = P(W>0)·e^(−nμ(1−σ)t)", percentile, "Takács 1962, chapter 2")
	case m.ServiceSCV == 0 || g.Servers == 1:
		e.Model = "GI/G/1"
		if m.ServiceSCV == 0 {
			e.Model = "GI/D/c, each server behind every n-th arrival"
		}
		e.Step("wait probability",
			"ln P(W=0) = (1/2πi) ∫ ln(1 − B(−z)A(z)^k)/z dz, A and B the transforms of gap and service, "+
				"k gaps between the customers of a server",
			wait, "Pollaczek; Abate, Choudhury, Whitt 1993")
		e.Step("wait percentile",
			"P(W > t) as two exponentials with the exact chance to wait, mean and asymptote αe^(−ηt)",
			percentile, "Abate, Choudhury, Whitt 1993")
	default:
		e.Model = "GI/G/c between constant and exponential service"
		e.Step("wait probability", "P(W>0) ≈ P(W_M>0)·π(c_a², c_s²)/π(c_a², 1), W_M of GI/M/c", wait,
			"Whitt 1993, eq. 3.5 to 3.11")
		e.Step("wait percentile", "P(W > t) ≈ P·exp(−t·P/E[W])",
			percentile, "a wait above 0 is treated as exponential")
	}
	// The mean comes from other sources than the law of the wait, and has a step of its own.
	formula := "E[W] = −(1/2πi) ∫ ln(1 − B(−z)A(z)^k)/z² dz"
	source := "Pollaczek; Abate, Choudhury, Whitt 1993"
	switch {
	case m.ServiceSCV == 1:
		formula, source = "E[W] = P(W>0)/(nμ(1−σ))", "Takács 1962, chapter 2"
	case e.Model == "GI/G/c between constant and exponential service" && m.ServiceSCV < 1:
		formula, source = "E[W] ≈ E[W_D] + c_s²(E[W_M] − E[W_D])", "Page 1972"
	case e.Model == "GI/G/c between constant and exponential service":
		formula, source = "E[W] ≈ √((E[W_D] + c_s²(E[W_M] − E[W_D]))·E[W_M]·E[W of GI/G/1]/E[W of GI/M/1])",
			"Page 1972; the root by measurement"
	}
	e.Step("mean wait", formula, mean, source)
	e.Assume(
		"gaps and service times are independent; an SCV stands for a law: constant for 0, gamma below 1, " +
			"exponential for 1, hyperexponential with balanced means above; first come, first served; steady state")
	if math.Floor(g.Servers) != g.Servers {
		e.Assume("a fraction of a server is interpolated between the two nearest whole numbers")
	}
	e.Assume(measuredErrors(g))
}

// measuredErrors says how far off the figures were found. It is the last
// assumption of each explanation of a wait, so that none leaves the reader to
// guess what "approximate" means.
func measuredErrors(g queueing.Figures) string {
	a := g.Approximation()
	if a == nil {
		return "exact for these laws"
	}
	if a.Source == "" {
		return "approximate, " + a.Method + ": error not measured"
	}
	return fmt.Sprintf("approximate, %s: compared with %s, %s, nine of ten mean waits are within %.0f%%, at worst "+
		"%+.0f to %+.0f%%",
		a.Method, a.Source, a.Regime,
		100*a.MeanWait.Most, 100*a.MeanWait.Low, 100*a.MeanWait.High)
}
