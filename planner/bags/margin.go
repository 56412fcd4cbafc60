package bags

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/planner/ask"
)

// dearMargin is from how many times the hours without a margin on its price is told:
// with a deadline close to the least time those with it were 6 to 14 times what a search
// found to be enough (cases f and k of TestDesignAgainstGrid in package sim/bot).
const dearMargin = 3

// warnOfMargin says, of a closed form, what a margin less than the error of the closed form may come to, and
// where most of the hours of help are the price of the margin. Errors: that of ctx.
func (a *FinishAnswer) warnOfMargin(
	ctx context.Context, t bags.Target, c bags.Cloud, margin float64, h *bags.Helped,
) error {
	if worse := h.Chance(t.By / (1 + defaultMargin)); a.Drawn == 0 && worse < t.Chance-0.02 {
		a.Warnings = append(a.Warnings, fmt.Sprintf(
			"close to the deadline: the closed form may be %s off, and if all takes so much longer the chance is %s",
			ask.Percent(defaultMargin, 3), ask.Percent(worse, 3),
		))
	}
	if margin == 0 || h.Hours == 0 {
		return nil
	}
	// Help without the margin is looked for among what takes 1/dearMargin of the
	// hours or less.
	plain, err := a.law.Cheaper(ctx, t, c, h.Hours/dearMargin)
	if err != nil || plain == nil {
		return err
	}
	a.doubt(DoubtCost,
		"%.3g of the %.3g worker hours are the price of the margin of %s; a search by simulation looks for help without one",
		h.Hours-plain.Hours, h.Hours, ask.Percent(margin, 3))
	return nil
}
