package planner

import (
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
)

// idle warns of what a scenario asks for and the parts that it has cannot use: it may be there
// for a load or for ranges that are still to come.
func (p *premises) idle(a *PlanAnswer, nominal bool) (warnings []string) {
	o := &p.objectives
	limits := !p.limits.None() || o.Budget != nil || o.Spare != nil || o.Zones != nil ||
		len(p.types) > 0 && (o.MinUtilization != nil || o.MaxPublicShare != nil)
	mixed := a.Mix != nil || a.lacks("mix")
	sized := mixed || a.Size != nil || a.lacks("size")
	if limits && !sized {
		warnings = append(warnings, "objectives: nothing is sized, and they limit nothing: give a load with its service "+
			"time, and a limit such as max_blocking")
	}
	judged := a.Uncertainty != nil && a.Uncertainty.Shortfall != nil || a.lacks("size") || a.lacks("mix")
	if p.Shortfall() != nil && !nominal && !judged {
		warnings = append(warnings, "costs.shortfall changes nothing: it chooses among mixes where figures are ranges")
	}
	idle := func(given bool, field, why string) {
		if given {
			warnings = append(warnings, field+" changes nothing: "+why)
		}
	}
	v, l := ask.Value(p.Service), ask.Value(p.Question.Load)
	if r := p.Routing; r == nil {
		const why = "nothing is sized"
		idle(!sized && v.SCV != nil, "service.scv", why)
		idle(!sized && v.Patience != nil, "service.patience", why)
		idle(!sized && l.ArrivalSCV != nil, "load.arrival_scv", why)
	} else {
		for i, c := range r.Clusters {
			idle(c.Price != nil, fmt.Sprintf("routing.clusters[%d].price", i), "a plan routes for the least response")
		}
	}
	for i := range p.types {
		t, at := &p.types[i], fmt.Sprintf("machines[%d].", i)
		idle(!mixed && t.AtLeast != nil, at+"at_least", "no mix is chosen")
		bagged := p.Bag != nil && (p.Bag.Machine == "" || p.Bag.Machine == t.Name)
		idle(ask.Value(t.SpeedCV) > 0 && t.Kind == scenario.Public && !bagged && o.Availability == nil && t.Copies <= 1,
			at+"speed_cv", "jobs on "+t.Name+" have one replica, and the fastest of several would count")
	}
	return append(warnings, p.Idle()...)
}
