package planner

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// mostGroups bounds the groups of one type of machine, so that their states can be
// gone through.
const mostGroups = 100

// checkGroups looks at the outages that machines of a type share.
func (m *MachineType) checkGroups() error {
	switch {
	case m.Groups == nil && m.GroupAvailability == nil:
		return nil
	case m.Kind != Public:
		return wrong("groups", "groups on machines of the kind public", "groups of the dedicated machine %q", m.Name)
	case m.GroupAvailability == nil:
		return wrong("group_availability", "a share such as 98% beside groups",
			"machine %q: %d groups, and nothing says how often one is there", m.Name, *m.Groups)
	case m.Groups == nil:
		return wrong("groups", "a number of groups such as 4 beside group_availability",
			"machine %q: how often a group is there, and not how many there are", m.Name)
	case *m.Groups < 1 || *m.Groups > mostGroups:
		return wrong("groups", fmt.Sprintf("1 to %d groups of equal size", mostGroups), "machine %q: %d groups",
			m.Name, *m.Groups)
	case *m.GroupAvailability <= 0:
		return wrong("group_availability", "more than 0 such as 98%", "machine %q: group_availability = %s", m.Name,
			*m.GroupAvailability)
	}
	return nil
}

// checkShared holds the availability of a type against that of its groups: a machine
// is there while its group is, and then for a share of the time.
func (t *machine) checkShared() error {
	if t.Groups == nil {
		return nil
	}
	if p := t.availability(t.nominal()); p > float64(*t.GroupAvailability)*(1+1e-12) {
		return wrong("group_availability", "at least the availability of a machine, which includes the outages of its group",
			"machine %q is there %s of the time, and its group %s", t.Name, units.Fraction(p), *t.GroupAvailability)
	}
	return nil
}

// grouped states the outages that machines share beside how often one is up. A draw
// above the availability of the groups leaves no outage but theirs, as rare as that.
func (t *machine) grouped(k *unlike.Coming) {
	if t.Groups != nil {
		k.Outages = unlike.Outages{
			Groups: float64(*t.Groups),
			Up:     math.Max(float64(*t.GroupAvailability), k.Up),
		}
	}
}

// within is the share of the time that a machine is up while its group is there.
func within(k unlike.Coming) float64 {
	if k.Outages.Groups > 0 && k.Up > 0 {
		return math.Min(k.Up/k.Outages.Up, 1)
	}
	return k.Up
}

// checkGroups refuses outages that machines share beside parts whose bounds take
// machines to be independent.
func (q *PlanQuestion) checkGroups() error {
	for i := range q.Machines {
		m := &q.Machines[i]
		at := fmt.Sprintf("machines[%d].groups", i)
		switch {
		case m.Groups == nil:
		case q.Link != nil:
			return clash("link", at, "the link takes the machines to be independent", "no groups, or no link")
		case q.Epoch != nil:
			return clash("epoch", at, "recoveries of an epoch take the machines to be independent",
				"no groups, or no epoch")
		}
	}
	return nil
}

// warnGroups says what does not know of outages that machines share.
func (p *planning) warnGroups() {
	for i := range p.types {
		t := &p.types[i]
		if t.Groups == nil {
			continue
		}
		if t.Replicas == nil && p.objectives.Availability != nil {
			p.a.Warnings = append(p.a.Warnings, fmt.Sprintf(
				"objectives.availability: the replicas of a job on %s are taken to be in as many groups; those in one go together",
				t.Name))
		}
		if p.Log != nil {
			p.a.Warnings = append(p.a.Warnings, fmt.Sprintf(
				"groups of %s: a log is replayed on servers that are always there, so that shared outages do not count",
				t.Name))
		}
	}
}

// groupGuards lists the outages that are shared, and the choice were the machines
// independent.
func (p *planning) groupGuards() []mixGuard {
	var all []mixGuard
	for i := range p.types {
		if t := &p.types[i]; t.Groups != nil && p.mixing.figure != nil {
			all = append(all, mixGuard{"groups of " + t.Name, func(m *mixer) {
				m.figure.kinds[i].Outages = unlike.Outages{}
			}})
		}
	}
	return all
}

// slackOf is that of so many independent machines alone to what more never harm.
func (x *mixFigure) slackOf(k unlike.Coming, n float64) float64 {
	k.Machines, k.Outages = n, unlike.Outages{}
	f, err := (unlike.Varying{Queue: x.queue, Coming: []unlike.Coming{k}}).At(0)
	least := math.Inf(1)
	if err != nil {
		least = math.Inf(-1)
	}
	for _, o := range x.rising {
		if err == nil {
			least = math.Min(least, o.Slack(f))
		}
	}
	return least
}

// grouping bounds the machines of types that share outages: twice as many in each
// group as are enough alone without outages. A group more that is there is then all
// that helps, and more machines in it change nothing that can be told.
func (x *mixFigure) grouping(items []cover.Item) []cover.Item {
	out := slices.Clone(items)
	for i := range out {
		k := &x.kinds[i]
		if k.Outages.Groups == 0 || k.Up == 1 || len(x.short) == 0 {
			continue
		}
		if most := x.covering(2 * k.Outages.Groups * (x.short[i] + 1)); most < out[i].Most {
			out[i].Most = max(out[i].Least, most)
		}
	}
	return out
}

// pairParts are the steps in which pairs of types are gone through.
const pairParts = 6

// paired betters a mix of machines that share outages, which the search above a plane
// without these does not see well: by the fewest of each type beside some of another.
func (x *mixFigure) paired(ctx context.Context, items []cover.Item, s *cover.Solution) *cover.Solution {
	if s.Proven || !slices.ContainsFunc(x.kinds, func(k unlike.Coming) bool { return k.Outages.Groups > 0 && k.Up < 1 }) {
		return s
	}
	best, bound := *s, s.Bound
	counts := make([]int64, len(items))
	for i := range items {
		for j := range items {
			for part := range pairParts {
				if i == j && part > 0 || ctx.Err() != nil {
					break
				}
				price := 0.0
				for k, it := range items {
					counts[k] = it.Least
					price += it.Price * float64(it.Least)
				}
				if items[j].Most > 0 && len(x.short) > 0 {
					some := min(items[j].Most, int64(x.short[j]*float64(part)/pairParts))
					price += items[j].Price * float64(max(some-counts[j], 0))
					counts[j] = max(some, counts[j])
				}
				low, high := counts[i]-1, items[i].Most
				if items[i].Price > 0 { // no more than cost less than the best
					high = min(high, counts[i]+int64(math.Max(best.Cost-price, 0)/items[i].Price*(1+1e-12)))
				}
				if counts[i] = high; high <= low || !x.Admits(counts) {
					continue
				}
				for high-low > 1 {
					if counts[i] = low + (high-low)/2; x.Admits(counts) {
						high = counts[i]
					} else {
						low = counts[i]
					}
				}
				counts[i] = high
				cost := 0.0
				for k, it := range items {
					cost += it.Price * float64(counts[k])
				}
				if cost < best.Cost*(1-1e-12) {
					best = cover.Solution{Counts: slices.Clone(counts), Price: cost, Cost: cost}
				}
			}
		}
	}
	return unproven(&best, math.Min(bound, best.Cost))
}

// withOutages returns about how many machines of one type are enough alone with the
// outages that they share; where no number is, as many as leave enough in one group.
func (x *mixFigure) withOutages(i int) float64 {
	k := &x.kinds[i]
	if k.Outages.Groups == 0 || k.Up == 1 {
		return x.short[i]
	}
	counts := make([]float64, len(x.kinds))
	low, high := math.Floor(x.short[i]), math.Ceil(2*k.Outages.Groups*(x.short[i]+1))
	if counts[i] = high; x.slack(counts, x.rising) < 0 {
		return k.Outages.Groups * x.short[i]
	}
	for high-low > 1 {
		counts[i] = math.Floor((low + high) / 2)
		if x.slack(counts, x.rising) < 0 {
			low = counts[i]
		} else {
			high = counts[i]
		}
	}
	return high
}
