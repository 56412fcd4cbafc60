package intergrid

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/sim/lease"
)

// leaseMean is the mean of a figure of a policy over the points of an experiment
// above x; NaN where one has none.
func leaseMean(t *leaseTable, letter, of string, p lease.Policy, x float64) float64 {
	sum, n := 0.0, 0.0
	for _, c := range t.cells(letter, p, x) {
		v, ok := c.Figures[of]
		if !ok {
			return math.NaN()
		}
		sum, n = sum+v[0], n+1
	}
	return sum / n
}

// leaseWords adds what the paper says of figures 5 and 7 beside the intervals of
// leaseClaims: in section 5.3, the abstract and the conclusion. Claims of the abstract are held
// against each figure that they could be of.
func leaseWords(a *paper.Reproduction, t *leaseTable, figure, letter string) {
	// leastOf is the least mean of the policies, and whose it is.
	leastOf := func(of string, policies ...lease.Policy) (least float64, whose lease.Policy) {
		least = math.Inf(1)
		for _, p := range policies {
			if v := leaseMean(t, letter, of, p, everywhere); v < least {
				least, whose = v, p
			}
		}
		return least, whose
	}
	switch figure {
	case "5":
		rising, n := 0, 0
		for _, p := range leasePolicies {
			first, last, _ := ends(t, letter, lease.VMsPreempted, p, everywhere)
			if n++; last[0] > first[0] {
				rising++
			}
		}
		a.Says(rising == n, "policies that preempt more at the last point than at the first", fmt.Sprintf("of %d", n),
			float64(rising), "the text: the number of VMs preempted increases")
		// The abstract compares with other policies without their names, so that PAP-RND is among
		// them.
		best, whose := leastOf(lease.VMsPreempted, lease.RoundRobin, lrf, bcf, rnd)
		a.Compare("VMs preempted, PAP-RTDP below the best other policy", "", 0.6,
			1-leaseMean(t, letter, lease.VMsPreempted, rtdp, everywhere)/best,
			fmt.Sprintf("at least, by the abstract and the conclusion; the best is %v", whose))
		if letter == "b" {
			a.Compare("VMs preempted above 300 s, PAP-RTDP below LRF", "", 0.6,
				1-leaseMean(t, letter, lease.VMsPreempted, rtdp, 300)/
					leaseMean(t, letter, lease.VMsPreempted, lrf, 300),
				"around, in section 5.3.1")
		}
	case "7":
		least, whose := leastOf(awrt, lease.RoundRobin, lrf, bcf, rnd, rtdp)
		a.Says(whose == rnd, "least average weighted response time of a policy", "s", least,
			fmt.Sprintf("the text: that of PAP-RND; ours is of %v", whose))
		// The conclusion compares PAP with policies that are not PAP, of which there are three.
		best, of := leastOf(awrt, lease.RoundRobin, lrf, bcf)
		a.Compare("average weighted response time, PAP-RTDP below the best policy that is not PAP", "", 0.5,
			1-leaseMean(t, letter, awrt, rtdp, everywhere)/best,
			fmt.Sprintf("more than, by the conclusion; the best is %v", of))
	}
}
