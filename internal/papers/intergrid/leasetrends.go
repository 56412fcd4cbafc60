package intergrid

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/internal/papers/means"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim/lease"
)

// ends are a figure of a policy at the first and at the last point of an experiment
// above x; ok is false where either has none. x cuts the range: -Inf takes all points.
func ends(t *leaseTable, letter, of string, p lease.Policy, x float64) (first, last means.Interval, ok bool) {
	from, to := math.Inf(1), math.Inf(-1)
	for _, c := range t.cells(letter, p, x) {
		v, has := c.Figures[of]
		if !has {
			continue
		}
		if c.X < from {
			first, from = v, c.X
		}
		if c.X > to {
			last, to = v, c.X
		}
	}
	return first, last, from < to
}

// leaseTrends adds what section 5.3 says of how figures run with what varies, and
// section 5.2 of all of them: a coefficient of variation below 0.01.
func leaseTrends(a *paper.Reproduction, t *leaseTable, figure, letter string, of []string) {
	others := []lease.Policy{bcf, lrf, lease.RoundRobin}
	switch figure + letter {
	case "5a", "5b", "5c", "5d":
		// growth is a mean of differences; square adds up the squares of their intervals, which are
		// taken as independent.
		growth, square := 0.0, 0.0
		for _, p := range others {
			first, last, _ := ends(t, letter, lease.VMsPreempted, p, everywhere)
			n := float64(len(others))
			// Savings are taken against the mean of the three policies that PAP is compared with.
			growth += (last[0] - first[0]) / n
			square += (sqr(last[2]-last[0]) + sqr(first[2]-first[0])) / (n * n)
		}
		first, last, ok := ends(t, letter, lease.VMsPreempted, rtdp, everywhere)
		if ok {
			growth -= last[0] - first[0]
			square += sqr(last[2]-last[0]) + sqr(first[2]-first[0])
			tells(a, growth, math.Sqrt(square), "what PAP-RTDP saves at the last point less at the first", "VMs",
				"section 5.3.1: PAP is ahead of other policies by more under more load; here of their mean")
		}
		if letter == "b" {
			if first, last, ok = ends(t, letter, lease.VMsPreempted, rtdp, 300); ok {
				a.Says(last[0] < first[0], "VMs preempted by PAP-RTDP, of the longest requests over "+
					"those above 300 s", "times",
					last[0]/first[0], "section 5.3.1: a sharp decrease above 300 s")
			}
		}
	case "7a", "7c":
		same, n := 0, 0
		for _, p := range leasePolicies {
			if first, last, ok := ends(t, letter, awrt, p, everywhere); ok {
				if n++; first[1] <= last[2] && last[1] <= first[2] {
					same++
				}
			}
		}
		a.Says(same == n, "policies whose response is the same at the first and the last point",
			fmt.Sprintf("of %d", n),
			float64(same), "section 5.3.3: it does not change significantly; here the 95 % intervals meet")
	case "8b":
		falls(a, t, letter, 300, "section 5.3.4: a sharp decrease above 300 s")
	case "8a", "8c":
		falls(a, t, letter, everywhere, "section 5.3.4: it decreases as there are more external requests, "+
			"or larger ones")
	}
	if figure == "7" && letter != "a" {
		for _, p := range []lease.Policy{lrf, lease.RoundRobin} {
			tells(a, leaseMean(t, letter, awrt, p, everywhere)-leaseMean(t, letter, awrt, bcf, everywhere),
				math.Hypot(leaseHalf(t, letter, awrt, p), leaseHalf(t, letter, awrt, bcf)),
				fmt.Sprintf("response by %v less by %v", p, bcf), "s", "section 5.3.3: "+
					"BCF is lower than the other policies")
		}
	}
	for _, f := range of {
		variation(a, t, letter, f)
	}
}

// tells judges a difference that is said to be above 0, within the half of an interval
// of means that are taken as independent.
func tells(a *paper.Reproduction, difference, half float64, quantity, unit, text string) {
	a.SaysAbove0(quantity, unit, difference, half, text+fmt.Sprintf("; ± %s by chance", ask.Digits(half)))
}

func sqr(x float64) float64 { return x * x }

// leaseHalf is half the interval of [leaseMean] over all points. The mean of n independent
// intervals has half the root of the sum of squares over n.
func leaseHalf(t *leaseTable, letter, of string, p lease.Policy) float64 {
	sum, n := 0.0, 0.0
	for _, c := range t.cells(letter, p, everywhere) {
		if v, ok := c.Figures[of]; ok {
			sum, n = sum+sqr(v[2]-v[0])/4, n+1
		}
	}
	return math.Sqrt(sum) / n
}

// falls compares the two rates of figure 8 at the ends for PAP-RTDP. Rates of migration and of
// rejection are judged apart.
func falls(a *paper.Reproduction, t *leaseTable, letter string, x float64, text string) {
	for _, of := range []string{lease.MigrationRate, lease.RejectionRate} {
		if first, last, ok := ends(t, letter, of, rtdp, x); ok {
			a.Says(last[0] < first[0], of+" by PAP-RTDP, last point over first", "times", last[0]/first[0], text)
		}
	}
}

// variation adds the greatest coefficient of variation of a figure's means, their
// standard error over their size, which is the smaller of the two readings of the
// text: of a single run it is the root of the seeds times as much.
func variation(a *paper.Reproduction, t *leaseTable, letter, of string) {
	greatest := math.NaN()
	for _, c := range t.Cells {
		v, ok := c.Figures[of]
		if c.Experiment != letter || !ok || c.Seeds < 2 || v[0] == 0 {
			continue
		}
		// Half an interval is the quantile of Student's law times the standard error.
		se := (v[2] - v[0]) / distuv.StudentsT{Sigma: 1, Nu: float64(c.Seeds) - 1}.Quantile(0.975)
		if cv := se / math.Abs(v[0]); !(cv <= greatest) {
			greatest = cv
		}
	}
	a.Compare("greatest coefficient of variation of a mean of "+of, "", 0.01, greatest,
		"less than, in words (section 5.2.2), in all results; of one run it is the root of the seeds times as much")
}
