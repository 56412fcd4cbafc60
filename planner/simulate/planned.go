package simulate

import (
	"fmt"
	"math"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/station"
)

// planned notes where a queue was too long to be planned as a whole.
func (a *Simulation) planned(got sim.Result) {
	if e, ok := got.Figure(station.MovedUp); ok && e.Mean < 1 {
		a.MovedUp = ask.Figure(e.Mean)
	}
	if e, ok := got.Figure(station.LeastPromised); ok && e.Mean > 0 {
		a.LeastPromised = ask.Figure(math.Ceil(e.Mean))
	}
}

// unplanned says so, empty where it was planned.
func (a *Simulation) unplanned() string {
	if a.MovedUp == nil && a.LeastPromised == nil {
		return ""
	}
	var what []string
	if a.MovedUp != nil {
		what = append(what, fmt.Sprintf("at %.3g%% of the early ends only those moved up who could begin at once",
			100*(1-*a.MovedUp)))
	}
	if a.LeastPromised != nil {
		what = append(what, fmt.Sprintf("at times no more than %.0f of those who waited were promised a start",
			*a.LeastPromised))
	}
	return "the queue was too long for conservative backfilling to plan all of it in some seconds: " +
		strings.Join(what, ", and ") + "; ask for the whole queue to have it planned, however long that takes"
}
