package station

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/capplan/capplan/sim"
)

// The figures, by their index in a ledger. Names are those of the answers of
// package queueing in JSON.
const (
	blocking = iota
	waitProbability
	abandonment
	meanWait
	meanResponse
	meanQueue
	present
	utilization
	throughput
	waitPercentile
	responsePercentile
	serviceLevel
	timeCongestion
	perLedger
	// perPart leaves the last out: that all servers are busy is said of the station. Those
	// of one class alone seldom take them all, which is no measure of what it meets.
	perPart = timeCongestion
)

var kinds = [perLedger]sim.Figure{
	blocking:           {Name: "blocking_probability", Kind: sim.Ratio, Scale: 0.01, Chance: true},
	waitProbability:    {Name: "wait_probability", Kind: sim.Ratio, Scale: 0.01, Chance: true},
	abandonment:        {Name: "abandon_probability", Kind: sim.Ratio, Scale: 0.01, Chance: true},
	meanWait:           {Name: "mean_wait_s", Unit: "s", Kind: sim.Tally},
	meanResponse:       {Name: "mean_response_s", Unit: "s", Kind: sim.Tally},
	meanQueue:          {Name: "mean_queue_length", Kind: sim.TimeAverage, Scale: 0.01},
	present:            {Name: "mean_customers", Kind: sim.TimeAverage},
	utilization:        {Name: "utilization", Kind: sim.TimeAverage},
	throughput:         {Name: "throughput_per_s", Unit: "1/s", Kind: sim.Ratio},
	waitPercentile:     {Name: "wait_percentile_s", Unit: "s", Kind: sim.Quantile},
	responsePercentile: {Name: "response_percentile_s", Unit: "s", Kind: sim.Quantile},
	serviceLevel:       {Name: "service_level", Kind: sim.Ratio, Scale: 0.01, Chance: true},
	timeCongestion:     {Name: "time_congestion", Kind: sim.TimeAverage, Scale: 0.01},
}

// Figures lists what a station answers: the figures of all its customers under the
// names of package queueing in JSON, "mean_wait_s" say; those of a class, where
// there are several, under its name, "batch.mean_wait_s"; and those of who came in
// an interval of a staffed curve under its number, "interval 3.mean_wait_s".
func (s *Station) Figures() []sim.Figure {
	all := s.ledgerFigures("", false)
	for _, name := range s.parts() {
		all = append(all, s.ledgerFigures(name+".", true)[:perPart]...)
	}
	for i := range s.MaxResponses {
		all = append(all, sim.Figure{Name: ResponseLevel(i), Kind: sim.Ratio, Scale: 0.01, Chance: true})
	}
	if s.Order == Conservative {
		all = append(all, sim.Figure{Name: MovedUp, Kind: sim.Total, Free: true},
			sim.Figure{Name: LeastPromised, Kind: sim.Total, Free: true})
	}
	return all
}

// The figures, the last of a station under conservative backfilling, that say how far its Steps went.
const (
	// MovedUp is the share of early ends at which the whole queue was planned anew. At the others
	// those who wait kept the starts that they were promised, and began sooner only where they could at once.
	MovedUp = "moved_up_share"
	// LeastPromised is how many of those who waited were promised a start when others, behind them, were not: the
	// least; 0 where all always were.
	LeastPromised = "least_promised"
)

// ResponseLevel names the figure of the i-th of MaxResponses: "response_level" and
// "limit 2.response_level" on.
func ResponseLevel(i int) string {
	if i == 0 {
		return "response_level"
	}
	return fmt.Sprintf("limit %d.response_level", i+1)
}

// parts names the ledgers beside that of all: of the classes where there are
// several, then of the intervals of a staffed curve.
func (s *Station) parts() []string {
	var names []string
	if len(s.Classes) > 1 {
		for i := range s.Classes {
			names = append(names, s.className(i))
		}
	}
	for i := range s.Shifts {
		names = append(names, "interval "+strconv.Itoa(i+1))
	}
	return names
}

func (s *Station) className(i int) string {
	if name := s.Classes[i].Name; name != "" {
		for j := range i {
			if s.Classes[j].Name == name {
				return "class " + strconv.Itoa(i+1)
			}
		}
		return name
	}
	return "class " + strconv.Itoa(i+1)
}

func (s *Station) ledgerFigures(prefix string, part bool) []sim.Figure {
	p := s.Percentile
	p = cmp.Or(p, 0.95)
	figures := kinds
	figures[meanWait].Scale, figures[meanQueue].Scale = s.littleWait()
	figures[serviceLevel].Free = s.MaxWait == 0 // nobody asked for it
	for i := range figures {
		f := &figures[i]
		f.Name = prefix + f.Name
		f.Free = f.Free || part
		if f.Kind == sim.Quantile {
			f.P, f.Free = p, true
			if i == responsePercentile && s.ResponsePercentile > 0 {
				f.P = s.ResponsePercentile
			}
		}
	}
	return figures[:]
}

// littleWait returns the mean wait, and by Little's law the queue that goes with it,
// below which a precision is one of them and no longer of the wait itself: a
// hundredth of a service. Nobody notices more of it.
func (s *Station) littleWait() (wait, queue float64) {
	queue = kinds[meanQueue].Scale
	if len(s.Classes) == 0 || s.Check() != nil {
		return 0, queue
	}
	rate, mean, _ := s.services()
	wait = 0.01 * mean
	if q := wait * rate; q > queue && !math.IsInf(q, 1) {
		queue = q
	}
	return wait, queue
}
