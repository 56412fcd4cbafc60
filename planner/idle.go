package planner

// idle warns of what a scenario asks for and the parts that it has cannot use: it may be there
// for a load or for ranges that are still to come.
func (p *premises) idle(a *PlanAnswer, nominal bool) (warnings []string) {
	o := &p.objectives
	limits := !p.limits.None() || o.Budget != nil || o.Spare != nil || o.Zones != nil ||
		len(p.types) > 0 && (o.MinUtilization != nil || o.MaxPublicShare != nil)
	if limits && a.Size == nil && a.Mix == nil && !a.lacks("size") && !a.lacks("mix") {
		warnings = append(warnings, "objectives: nothing is sized, and they limit nothing: give a load with its service "+
			"time, and a limit such as max_blocking")
	}
	judged := a.Uncertainty != nil && a.Uncertainty.Shortfall != nil || a.lacks("size") || a.lacks("mix")
	if p.Shortfall() != nil && !nominal && !judged {
		warnings = append(warnings, "costs.shortfall changes nothing: it chooses among mixes where figures are ranges")
	}
	return append(warnings, p.Idle()...)
}
