package intergrid

import (
	"fmt"

	"github.com/capplan/capplan/sim/lease"
)

// A leaseClaim is an interval that the paper prints of the difference of two
// policies, at points of an experiment, more less less. Differences are of more over less, in the
// unit of the figure: VMs in two days, percent, or s.
type leaseClaim struct {
	experiment string
	of         string // figure
	more, less lease.Policy
	from, to   float64 // x above from, and up to to where that is above 0
	low, high  float64 // printed; 0, 0: no significant difference
	where      string  // in the paper
}

const (
	rtdp = lease.PAPRTDP
	rnd  = lease.PAPRND
	lrf  = lease.LeastRateFirst
	bcf  = lease.BiggestClusterFirst
)

// leaseClaims are those of sections 5.3.1 to 5.3.4 and of table 3. A pair of
// policies stands so that the paper's difference is above 0. An interval is that of Student's test
// in the paper, with low and high as they are printed.
var leaseClaims = []leaseClaim{
	{"a", lease.VMsPreempted, rnd, rtdp, 0, 0, 2737.97, 3896.95, "5(a)"},
	{"a", lease.VMsPreempted, lrf, rnd, 0, 0, 168.2, 1561.1, "5(a)"},
	{"b", lease.VMsPreempted, rnd, rtdp, 0, 0, 342, 2354.6, "5(b)"},
	{"c", lease.VMsPreempted, rnd, rtdp, 0, 0, 380.5, 4570, "5(c)"},
	{"d", lease.VMsPreempted, rnd, rtdp, 0.12, 0, 469.12, 3826.45, "5(d), rates above 0.12"},
	{"d", lease.VMsPreempted, lrf, rnd, 0, 0, 230.7, 4823.9, "5(d)"},
	{"a", lease.UtilizationPrinted, rtdp, lrf, 0, 0, 12.5, 14.7, "6(a)"},
	{"a", lease.UtilizationPrinted, lrf, rnd, 0, 0, 2.2, 4.6, "6(a)"},
	{"b", lease.UtilizationPrinted, rtdp, lrf, 300, 0, 7.3, 14.5, "6(b), above 300 s"},
	{"b", lease.UtilizationPrinted, lrf, rnd, 300, 0, 0.9, 7.4, "6(b), above 300 s"},
	{"c", lease.UtilizationPrinted, rtdp, lrf, 0, 0, 1.5, 15.1, "6(c)"},
	{"d", lease.UtilizationPrinted, rtdp, rnd, 0.12, 0, 11.3, 18.3, "6(d), rates above 0.12"},
	{"a", awrt, rtdp, rnd, 0, 0, 3814.7, 4417, "7(a)"},
	{"b", awrt, rtdp, rnd, 300, 0, 654.1, 4158, "7(b), above 300 s"},
	{"b", awrt, rtdp, rnd, 0, 300, 0, 0, "7(b), below 300 s"},
	{"b", awrt, bcf, rtdp, 0, 0, 1863, 6456.2, "7(b)"},
	{"c", awrt, rtdp, rnd, 0, 0, 673.8, 4753.5, "7(c)"},
	{"c", awrt, bcf, rtdp, 0, 0, 1665, 6115, "7(c)"},
	{"d", awrt, rtdp, rnd, 0.12, 0, 1516.4, 3784, "7(d), rates above 0.12"},
	{"d", awrt, bcf, rtdp, 0, 0, 3595.8, 7661, "7(d)"},
	{"a", lease.MigrationRate, rnd, rtdp, 0, 0, 2.4, 3.8, "8(a)"},
	{"a", lease.RejectionRate, rnd, rtdp, 0, 0, 9.3, 12.7, "8(b)"},
	{"b", lease.MigrationRate, rnd, rtdp, 0, 0, 2.6, 4.3, "8(c)"},
	{"b", lease.RejectionRate, rnd, rtdp, 0, 0, 5.9, 12.5, "8(d)"},
	{"c", lease.MigrationRate, rnd, rtdp, 0, 0, 0.14, 7.8, "8(e)"},
	{"c", lease.RejectionRate, rnd, rtdp, 0, 0, 2.1, 16, "8(f)"},
	{"d", lease.MigrationRate, rnd, rtdp, 0, 0, 0.02, 3.2, "8(g)"},
	{"d", lease.RejectionRate, rnd, rtdp, 0, 0, 0, 0, "8(h)"},
}

// about says whether the claim is about a point at x. x is the mean of what the experiment varies,
// as it is drawn.
func (c *leaseClaim) about(x float64) bool { return x > c.from && (c.to == 0 || x <= c.to) }

// figure names the claim.
func (c *leaseClaim) figure() string { return fmt.Sprintf("%s: %v - %v", c.where, c.more, c.less) }
