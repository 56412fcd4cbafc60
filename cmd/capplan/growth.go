package main

import (
	"cmp"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/growth"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// growthFlags say how much more comes in than the load that is given. A factor and a rate with
// dates may stand together and then multiply.
type growthFlags struct{ asked growth.Growth }

// flags binds how the load is another than the one that is given: some times it, or grown to a
// date.
func (g *growthFlags) flags(s *cmdline.FlagSet) {
	cmdline.Value(s, "times", &g.asked.Times, "X", "factor by which the given load is multiplied, such as 1.5 for a "+
		"peak")
	cmdline.Value(s, "growth", &g.asked.Rate, "RATE", "growth of the load, such as 20%/year or 1.5%/month (a year "+
		"runs from date to date, a month is a twelfth of it); needs --until")
	cmdline.Value(s, "until", &g.asked.Until, "DATE", "date up to which the load grows, such as 2027-06")
	cmdline.Value(s, "as-of", &g.asked.AsOf, "DATE", "date of the given load, from which it grows (default today)")
}

// growth returns what was asked, nil for none. The nil matters: a question with growth has lines
// about it in its answer.
func (g *growthFlags) growth() *growth.Growth {
	if g.asked == (growth.Growth{}) {
		return nil
	}
	return &g.asked
}

// headroomFlags say what the fleet may lose.
type headroomFlags struct{ spare, zones, survive *units.Count }

// flags binds what may be lost, servers or zones, with the objectives still met.
func (h *headroomFlags) flags(s *cmdline.FlagSet) {
	cmdline.Value(s, "spare", &h.spare, "N", "servers that may be lost at any time while the rest still meets the "+
		"objectives (N+k)")
	cmdline.Value(s, "zones", &h.zones, "N", "zones over which the servers are spread as evenly as possible; needs "+
		"--survive")
	cmdline.Value(s, "survive", &h.survive, "N", "zones that may be lost at one time while the rest still meets the "+
		"objectives")
}

// headroom returns what was asked, nil for none. Headroom.Check judges the numbers; here only
// presence counts.
func (h *headroomFlags) headroom() *sizing.Headroom {
	return sizing.HeadroomOf(h.spare, h.zones, h.survive)
}

// responseFlags limit percentiles of the response. size has these limits among its objectives;
// plan, whose objectives stand in the file, has these flags alone of them.
type responseFlags struct {
	// max is the time in s that a share of the arrivals, percentile, may take at most.
	max        *units.Duration
	percentile *units.Percentile
	several    sizing.ResponseLimits
}

// flags binds the limits on the response, under the names that they have in size.
func (r *responseFlags) flags(s *cmdline.FlagSet) {
	cmdline.Value(s, "max-response", &r.max, "TIME",
		"limit on the response (wait and service together) of a share of arrivals, see --percentile")
	cmdline.Value(s, "percentile", &r.percentile, "P",
		"share of arrivals that must keep max_wait and max_response, such as 95%")
	cmdline.Setting(s, "objective", &r.several, "LIST",
		"limits on several percentiles of the response, such as p50<80ms,p99<300ms")
}

// ask puts what was asked in the place of that in the scenario. A limit from the command line
// replaces all limits on responses in the file: of two sets that hold at once nobody could see
// which one binds.
func (r *responseFlags) ask(q *planner.PlanQuestion) {
	if r.max == nil && r.percentile == nil && len(r.several) == 0 {
		return
	}
	o := objectives(q)
	if r.max != nil || len(r.several) > 0 {
		o.MaxResponse, o.Responses = r.max, r.several
		q.Over("objectives.max_response", "max_response")
		q.Over("objectives.responses", "objective")
	}
	if r.percentile != nil {
		q.Over("objectives.percentile", "percentile")
	}
	o.Percentile = cmp.Or(r.percentile, o.Percentile)
	q.Objectives = o
}

// objectives are those of the scenario, copied before they change: what was read stays as its file
// says, for what is shown of it beside the answer.
func objectives(q *planner.PlanQuestion) *scenario.Objectives {
	o := new(scenario.Objectives)
	if q.Objectives != nil {
		*o = *q.Objectives
	}
	return o
}

// ask puts what was asked in the place of that in the scenario. Each of the three values goes
// before that of the file by itself.
func (h *headroomFlags) ask(q *planner.PlanQuestion) {
	if h.spare == nil && h.zones == nil && h.survive == nil {
		return
	}
	o := objectives(q)
	o.Spare, o.Zones = cmp.Or(h.spare, o.Spare), cmp.Or(h.zones, o.Zones)
	o.Survive = cmp.Or(h.survive, o.Survive)
	q.Objectives = o
	for field, n := range map[string]*units.Count{"spare": h.spare, "zones": h.zones, "survive": h.survive} {
		if n != nil {
			q.Over("objectives."+field, field)
		}
	}
}
