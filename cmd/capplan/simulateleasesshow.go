package main

import (
	"reflect"

	"github.com/capplan/capplan/planner/leases"
	"github.com/capplan/capplan/units"
)

// showLeases shows what leases came to.
func showLeases(p *page, a *leases.Answer) {
	f := &a.Figures
	share := func(v float64) string { return units.FormatFraction(v, 4) }
	number := func(v float64) string { return units.FormatNumber(v, 5) }
	long := func(v float64) string { return units.FormatDuration(v, 4) }
	p.headline("%s VMs preempted, utilization %s (%s)", leaseFigure(f.VMsPreempted, number), leaseFigure(f.Utilization, share), a.Policy)
	p.row("leases preempted", leaseFigure(f.LeasesPreempted, number))
	p.row("reservations moved", leaseFigure(f.ReservationsMoved, number), "of waiting leases, by local ones")
	p.row("utilization as printed", leaseFigure(f.UtilizationPrinted, share), "1 − overhead/computation, InterGrid eq. 21")
	p.row("overhead", leaseFigure(f.Overhead, share), "of all node-seconds")
	p.row("AWRT of best effort", leaseFigure(f.AWRT, long), "of leases completed")
	p.row("mean response", leaseFigure(f.Response, long), "of external leases completed")
	p.row("migration rate", leaseFigure(f.MigrationRate, share), "of migratable leases taken")
	p.row("deadlines missed", leaseFigure(f.MigratableFailure, share), "of migratable leases, not taken or failed")
	p.row("rejection rate", leaseFigure(f.RejectionRate, share), "of non-preemptable leases")
	p.row("local rejection rate", leaseFigure(f.LocalRejectionRate, share))
	rows := [][]string{{"leases of a run", "completed", "cancelled", "rejected", "failed", "unfinished", "VMs preempted"}}
	for i := range a.Leases {
		o := &a.Leases[i]
		row := []string{o.Type}
		for _, v := range []leases.Interval{o.Completed, o.Cancelled, o.Rejected, o.Failed, o.Unfinished} {
			row = append(row, optionalNumber(v.Mean, 5))
		}
		if o.VMsPreempted != nil {
			row = append(row, optionalNumber(o.VMsPreempted.Mean, 5))
		}
		rows = append(rows, row)
	}
	p.table(rows)
	if len(a.Split) > 0 {
		rows := [][]string{{"cluster", "share"}}
		for i, s := range a.Split {
			if i == shownClusters {
				rows = append(rows, []string{"and " + count(int64(len(a.Split)-i)) + " more, see --format json"})
				break
			}
			rows = append(rows, []string{s.Cluster, share(s.Probability)})
		}
		p.table(rows)
	}
	p.row("simulated", plural(int64(a.Replications), "run", "runs")+" of "+units.FormatDuration(a.Horizon, 3),
		"seed "+count(int64(a.Seed)), count(int64(a.Events))+" events")
	p.explain(a.Explanation)
}

// leaseFigure writes a figure with its interval.
func leaseFigure(i leases.Interval, format func(float64) string) string {
	if i.Mean == nil {
		return "-"
	}
	signed := func(v float64) string {
		if v < 0 {
			return "−" + format(-v)
		}
		return format(v)
	}
	text := signed(*i.Mean)
	if i.Low == nil || i.High == nil {
		return text
	}
	return text + " (" + signed(*i.Low) + " to " + signed(*i.High) + ")"
}

// leaseRows are the scalar fields and, as columns beside, the figures with the
// ends of their intervals.
func leaseRows(a *leases.Answer) [][]string {
	names, cells := scalars(a)
	v := reflect.ValueOf(&a.Figures).Elem()
	for i := range v.NumField() {
		f := v.Field(i).Interface().(leases.Interval)
		name := v.Type().Field(i).Tag.Get("json")
		names = append(names, name, name+"_low", name+"_high")
		for _, n := range []*float64{f.Mean, f.Low, f.High} {
			cell := ""
			if n != nil {
				cell = exactly(*n)
			}
			cells = append(cells, cell)
		}
	}
	return [][]string{names, cells}
}
