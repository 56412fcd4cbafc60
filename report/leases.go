package report

import (
	"github.com/capplan/capplan/planner/leases"
	"github.com/capplan/capplan/planner/simulate"
)

// Leases says what leases on clusters of others came to, by simulation.
func Leases(a *leases.Answer) *Section {
	s := &Section{
		ID:       "leases",
		Title:    "What do the leases come to?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
		Data:     []Data{withParts("leases", a)},
	}
	f := &a.Figures
	in := func(i simulate.Interval, write func(float64, int) string) string {
		return dashed(spanned(i, write))
	}
	s.Say("%s VMs preempted, utilization %s (%s)", in(f.VMsPreempted, number), in(f.Utilization, fraction), a.Policy)
	s.Fact("leases preempted", in(f.LeasesPreempted, number))
	s.Fact("reservations moved", in(f.ReservationsMoved, number), "of waiting leases, by local ones")
	s.Fact("utilization as printed", in(f.UtilizationPrinted, fraction), "1 − overhead/computation, InterGrid eq. 21")
	s.Fact("overhead", in(f.Overhead, fraction), "of all node-seconds")
	s.Fact("AWRT of best effort", in(f.AWRT, duration), "of leases completed")
	s.Fact("mean response", in(f.Response, duration), "of external leases completed")
	s.Fact("migration rate", in(f.MigrationRate, fraction), "of migratable leases taken")
	s.Fact("deadlines missed", in(f.MigratableFailure, fraction), "of migratable leases, not taken or failed")
	s.Fact("rejection rate", in(f.RejectionRate, fraction), "of non-preemptable leases")
	s.Fact("local rejection rate", in(f.LocalRejectionRate, fraction))
	t := s.Table("leases of a run", "completed", "cancelled", "rejected", "failed", "unfinished", "VMs preempted")
	for i := range a.Leases {
		o := &a.Leases[i]
		row := []string{o.Type}
		for _, v := range []simulate.Interval{o.Completed, o.Cancelled, o.Rejected, o.Failed, o.Unfinished} {
			row = append(row, Maybe(v.Mean, number, 5))
		}
		if o.VMsPreempted != nil {
			row = append(row, Maybe(o.VMsPreempted.Mean, number, 5))
		}
		t.Line(row...)
	}
	split := s.Table("cluster", "share")
	split.MoreIn = "json"
	for _, c := range a.Split {
		if split.fits(shownClusters) {
			split.Row(c.Cluster, fraction(c.Probability, 4))
		}
	}
	s.Fact("simulated", Plural(a.Replications, "run")+" of "+duration(a.Horizon, 3),
		"seed "+Count(a.Seed)+", "+Plural(a.Events, "event"))
	return s
}
