package report

import (
	"github.com/capplan/capplan/planner/leases"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Leases says what leases on clusters of others came to, by simulation. VMs preempted and
// utilization lead, as in the figures of InterGrid. A VM is one node of a lease.
func Leases(a *leases.Answer) *page.Section {
	s := page.New("leases", "How well are the leases served?", a.Warnings, a.Explanation, page.WithParts("leases", a))
	f := &a.Figures
	// A figure that no run has is a dash, since the lead cannot leave it out.
	in := func(i simulate.Interval, write func(float64, int) string) string {
		return say.Dashed(spanned(i, write))
	}
	s.Say("%s VMs preempted, utilization %s (%s)",
		in(f.VMsPreempted, say.Number), in(f.Utilization, say.Fraction), a.Policy)
	s.Fact("leases preempted", in(f.LeasesPreempted, say.Number))
	s.Fact("reservations moved", in(f.ReservationsMoved, say.Number), "of waiting leases, by local ones")
	// Equation 21 has no idle nodes in it; the utilization in the lead counts busy node-seconds over all.
	s.Fact("utilization as printed",
		in(f.UtilizationPrinted, say.Fraction), "1 − overhead/computation, InterGrid eq. 21")
	s.Fact("overhead", in(f.Overhead, say.Fraction), "of all node-seconds")
	// AWRT weighs a response by the node-seconds of its lease.
	s.Fact("AWRT of best effort", in(f.AWRT, say.Duration), "of leases completed")
	s.Fact("mean response", in(f.Response, say.Duration), "of external leases completed")
	s.Fact("migration rate", in(f.MigrationRate, say.Fraction), "of migratable leases taken")
	s.Fact("deadlines missed", in(f.MigratableFailure, say.Fraction), "of migratable leases, not taken or failed")
	s.Fact("rejection rate", in(f.RejectionRate, say.Fraction), "of non-preemptable leases")
	s.Fact("local rejection rate", in(f.LocalRejectionRate, say.Fraction))
	// Leases differ by type in what is preempted, rejected or late.
	t := s.Table("leases of a run", "completed", "cancelled", "rejected", "failed", "unfinished", "VMs preempted")
	for i := range a.Leases {
		o := &a.Leases[i]
		row := []string{o.Type}
		for _, v := range []simulate.Interval{o.Completed, o.Cancelled, o.Rejected, o.Failed, o.Unfinished} {
			row = append(row, say.Maybe(v.Mean, say.Number, 5))
		}
		// Local requests are never preempted and have no number there.
		if o.VMsPreempted != nil {
			row = append(row, say.Maybe(o.VMsPreempted.Mean, say.Number, 5))
		}
		t.Line(row...)
	}
	// The split is that of the policy, over the external stream.
	split := s.Table("cluster", "share")
	split.MoreIn = "json"
	for _, c := range a.Split {
		if split.Fits(shownClusters) {
			split.Row(c.Cluster, say.Fraction(c.Probability, 4))
		}
	}
	s.Fact("simulated", say.Plural(a.Replications, "run")+" of "+say.Duration(a.Horizon, 3),
		"seed "+say.Count(a.Seed)+", "+say.Plural(a.Events, "event"))
	return s
}
