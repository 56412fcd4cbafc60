package report

import (
	"fmt"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// AddChosen says which model was taken for a record, and why. The score is the log loss on windows
// of held-out days: 0 is perfect, and a model that says one half throughout has ln 2, about 0.69.
// Nothing is added where the model was named by the user.
func AddChosen(s *page.Section, c *machines.Choice) {
	// A record too short to hold out days has a reason in place of scores.
	switch {
	case c == nil:
	case c.Reason != "":
		s.Fact("model", c.Model, "not by its score: "+c.Reason)
	default:
		of := say.Plural(c.Machines, "machine")
		if c.DrawnOf > 0 {
			of += " drawn of " + say.Count(c.DrawnOf)
		}
		s.Fact("model",
			c.Model, fmt.Sprintf("with the least log loss, %s, on %s held out (%s, trained on %s of the days)",
				say.Number(c.Scores[0].LogLoss, 3), say.Plural(c.Windows, "window"), of, say.Fraction(c.Train, 3)))
		// One machine alone has no spread between machines, from which the error is taken.
		se := ""
		if c.AheadSE != nil {
			se = ", standard error " + say.Number(*c.AheadSE, 2)
		}
		s.Fact("next", c.Next, say.Maybe(c.Ahead, say.Number, 3)+" worse"+se+", on windows of this length")
	}
}
