package report

import (
	"fmt"

	"github.com/capplan/capplan/planner/machines"
)

// AddChosen says which model was taken for a record, and why.
func AddChosen(s *Section, c *machines.Choice) {
	switch {
	case c == nil:
	case c.Reason != "":
		s.Fact("model", c.Model, "not by its score: "+c.Reason)
	default:
		s.Fact("model", c.Model, fmt.Sprintf("of least log loss, %s, on %s held out (%s, which learnt from %s of the days)",
			number(c.Scores[0].LogLoss, 3), Plural(c.Windows, "window"), Plural(c.Machines, "machine"), fraction(c.Train, 3)))
		se := ""
		if c.AheadSE != nil {
			se = ", standard error " + number(*c.AheadSE, 2)
		}
		s.Fact("next", c.Next, Maybe(c.Ahead, number, 3)+" worse"+se)
	}
}
