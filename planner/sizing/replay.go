package sizing

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim/station"
)

// A Replay is what the objectives were when the log itself ran on the fleet. It
// judges the same limits as the model did, so that both can be compared line by
// line. A log is one sample, and what it met it need not meet again.
type Replay struct {
	Scheduler  string             `json:"scheduler"` // fcfs, easy or conservative; empty where nobody waits
	Servers    int64              `json:"servers"`
	Met        bool               `json:"met"`
	Objectives []ReplayObjective  `json:"objectives"`
	Figures    map[string]float64 `json:"figures"`
	// Least is the least fleet found that meets the objectives in the replay, with
	// one fewer that does not, where it was searched for.
	Least *int64 `json:"least_servers,omitempty"`
}

// A ReplayObjective is a limit and what became of it. Value is the figure of the
// replay, which is at most the limit where it is met; a service level is at least
// its limit.
type ReplayObjective struct {
	Name  string  `json:"name"`
	Limit float64 `json:"limit"`
	Value float64 `json:"value"`
	Met   bool    `json:"met"`
}

// Schedulers are the orders in which a log can be replayed; the first is the
// default. With easy a job may start before those ahead of it unless that delays
// the first of them, with conservative unless it delays any.
var Schedulers = []string{"fcfs", "easy", "conservative"}

// A ReplayQuestion asks for a log to be replayed.
type ReplayQuestion struct {
	Jobs      []station.Job `json:"-"`
	Scheduler string        `json:"scheduler,omitempty"`
	// WholeQueue plans all of a queue under conservative backfilling, however long that takes.
	WholeQueue bool `json:"whole_queue,omitempty"`
	Search     bool `json:"search,omitempty"` // moves the fleet to the least that meets the objectives
}

// order is the order of the station by the name of a scheduler.
func (q *SizeQuestion) order() (station.Order, error) {
	switch q.Replay.Scheduler {
	case "", "fcfs":
		return station.FCFS, nil
	case "easy":
		return station.EASY, nil
	case "conservative":
		return station.Conservative, nil
	}
	return 0, ask.Inputf("scheduler", "%q is not a scheduler, want fcfs, easy or conservative", q.Replay.Scheduler)
}

// replayed runs the log on a fleet. The simulation is of the log and no random
// draw: one run is all there is.
func (q *SizeQuestion) replayed(ctx context.Context, kind ModelKind, servers int64,
	closed map[string]*float64) (*Replay, *simulate.Simulation, error) {
	return q.replayedBy(ctx, kind, servers, closed, station.Goals{})
}

// replayedBy is replayed, up to where goals are missed.
func (q *SizeQuestion) replayedBy(ctx context.Context, kind ModelKind, servers int64,
	closed map[string]*float64, goals station.Goals) (*Replay, *simulate.Simulation, error) {
	if len(q.Replay.Jobs) == 0 {
		return nil, nil, ask.Inputf("swf", "the log has no usable job to replay")
	}
	order, err := q.order()
	if err != nil {
		return nil, nil, err
	}
	if q.Replay.WholeQueue && order != station.Conservative {
		return nil, nil, ask.Inputf("whole_queue", "only used with {scheduler} conservative")
	}
	s := simulate.System{
		Model:  "the log itself",
		Closed: closed,
		All:    true,
		Station: station.Station{
			Jobs:  q.Replay.Jobs,
			Loss:  kind == Loss,
			Order: order,
			Goals: goals,
		},
	}
	switch {
	case q.Replay.WholeQueue:
		s.Station.Steps = math.Inf(1)
	case q.Replay.Search: // some ten replays, each by the same rule
		s.Station.Steps = station.LogSteps / 10
	}
	if s.Station.Servers, err = simulate.Whole(float64(servers)); err != nil {
		return nil, nil, err
	}
	if err := q.fillStation(&s.Station, 1); err != nil {
		return nil, nil, err
	}
	a, err := q.Simulate.Of(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	r := &Replay{Scheduler: order.String(), Servers: servers, Met: true, Figures: map[string]float64{}}
	// In a loss system nobody waits, and so there is no order to name.
	if kind == Loss {
		r.Scheduler = ""
	}
	for _, name := range a.Names() {
		if mean := a.Figures[name].Mean; mean != nil {
			r.Figures[name] = *mean
		}
	}
	q.judge(r, kind)
	return r, a, nil
}

// judge compares the objectives with the figures of a replay. Figures are looked
// up by the names of the simulation. A limit on blocking bounds those who wait
// where nobody is lost.
func (q *SizeQuestion) judge(r *Replay, kind ModelKind) {
	limit := func(name string, limit *float64, figure string, least bool) {
		if limit == nil {
			return
		}
		value := r.Figures[figure]
		o := ReplayObjective{Name: name, Limit: *limit, Value: value, Met: value <= *limit}
		if least {
			o.Met = value >= *limit
		}
		r.Met = r.Met && o.Met
		r.Objectives = append(r.Objectives, o)
	}
	busy := "wait_probability"
	if kind == Loss {
		busy = "blocking_probability"
	}
	limit("max_blocking", ask.Number(q.MaxBlocking), busy, false)
	if q.MaxWait != nil {
		limit("max_wait", new(q.PercentileOrDefault()), "service_level", true)
	}
	limit("max_mean_wait", ask.Number(q.MaxMeanWait), "mean_wait_s", false)
	limit("max_mean_response", ask.Number(q.MaxMeanResponse), "mean_response_s", false)
	limit("max_utilization", ask.Number(q.MaxUtilization), "utilization", false)
}

// goals are the objectives of which a replay can tell before its end that they are missed.
func (q *SizeQuestion) goals(kind ModelKind) station.Goals {
	g := station.Goals{MeanWait: float64(ask.Value(q.MaxMeanWait)), MeanResponse: float64(ask.Value(q.MaxMeanResponse))}
	if busy := float64(ask.Value(q.MaxBlocking)); kind == Loss {
		g.Blocking = busy
	} else {
		g.WaitProbability = busy
	}
	if q.MaxWait != nil {
		g.Late = 1 - q.PercentileOrDefault()
	}
	return g
}

// widest is how many processors the widest job needs.
func (q *SizeQuestion) widest() int64 {
	widest := int64(1)
	for _, j := range q.Replay.Jobs {
		widest = max(widest, int64(j.Width))
	}
	return widest
}

// search finds the least fleet that meets the objectives in the replay, by
// doubling and halving: schedules are not quite monotone in the servers, so that
// what is found is a fleet that does, beside one fewer that does not.
func (q *SizeQuestion) search(ctx context.Context, kind ModelKind,
	first *Replay) (*Replay, *simulate.Simulation, error) {
	widest := q.widest()
	goals := q.goals(kind)
	met := func(n int64) (bool, error) {
		r, _, err := q.replayedBy(ctx, kind, n, nil, goals)
		if errors.Is(err, station.ErrMissed) {
			return false, nil
		}
		return err == nil && r.Met, err
	}
	// The search needs a fleet that fails and one that meets. The widest job
	// gives the first without a replay, since one fewer than its processors
	// cannot run it.
	low, high := widest-1, max(first.Servers, widest) // low does not meet, or cannot run the widest
	if !first.Met {
		// Doubling stops at the bound of the simulation, beyond which no fleet is
		// tried.
		for ok := false; !ok; {
			low = high
			if high *= 2; high > 1<<30 {
				return nil, nil, ask.Infeasiblef("servers", 1<<30, 1<<30,
					"no fleet meets the objectives in the replay of the log")
			}
			var err error
			if ok, err = met(high); err != nil {
				return nil, nil, err
			}
		}
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		ok, err := met(middle)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			high = middle
		} else {
			low = middle
		}
	}
	// The figures of the fleet found are not kept by the search, and so it runs
	// once more.
	r, a, err := q.replayed(ctx, kind, high, nil)
	if err != nil {
		return nil, nil, err
	}
	r.Least = &high
	return r, a, nil
}
