package bags

import (
	"fmt"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/planner/ask"
)

// dearMargin is the ratio of the hours with the margin to those without it above which a warning
// names the latter. It is above that of most designs (TestDesignAgainstGrid in package sim/bot).
const dearMargin = 1.5

// warnOfMargin says what a margin smaller than the error of the closed form may lead to and, if the
// margin is expensive, how many hours help without it would take. Errors: that of ctx.
func (a *FinishAnswer) warnOfMargin(
	s *bags.Sought, t bags.Target, margin float64, h *bags.Helped,
) error {
	if worse := h.Chance(t.By / (1 + defaultMargin)); a.Drawn == 0 && worse < t.Chance-0.02 {
		a.Warnings = append(a.Warnings, fmt.Sprintf(
			"the bag ends close to the deadline: the closed form may be %s off, and if everything takes that "+
				"much longer the chance of being in time is %s",
			ask.Percent(defaultMargin, 3), ask.Percent(worse, 3),
		))
	}
	if margin == 0 || h.Hours == 0 {
		return nil
	}
	plain, err := s.Cheaper(h.Hours / dearMargin)
	if err != nil || plain == nil {
		return err
	}
	a.doubt(DoubtCost,
		"the margin of %s is expensive: without it the formulas need %.3g %s instead of %.3g; a "+
			"search by simulation looks for help without a margin",
		ask.Percent(margin, 3), plain.Hours, a.HoursName(), h.Hours)
	return nil
}
