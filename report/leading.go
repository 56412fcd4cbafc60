package report

import (
	"slices"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/report/page"
)

// ofLeading names the mix that a section is about if the plan has two: that of the most likely
// figures and the one it leads with. follows says that the section counts the machines of the mix
// and therefore depends on which one that is.
func ofLeading(s *page.Section, a *planner.PlanAnswer, follows bool) *page.Section {
	if follows && a.Mix != nil && differs(a) {
		s.Fact("of the mix", countsWords(a, a.Recommended.Counts), "the leading mix, at the most likely figures")
	}
	return s
}

// routesMix reports whether a cluster has as many machines as the mix. A cluster with a count of
// its own does not follow the mix.
func routesMix(q *planner.PlanQuestion) bool {
	return q.Routing != nil && slices.ContainsFunc(q.Routing.Listed(), func(c routes.Cluster) bool {
		return c.Machine != "" && c.Count == nil
	})
}

// allocatesMix reports whether a resource has as many machines as the mix. As with clusters, a
// count of its own makes a resource independent of it.
func allocatesMix(q *planner.PlanQuestion) bool {
	if q.Allocation == nil || q.Allocation.Listed() == nil {
		return false
	}
	return slices.ContainsFunc(q.Allocation.Listed().Resources, func(r allocation.BatchResource) bool {
		return r.Machine != "" && r.Count == nil
	})
}
