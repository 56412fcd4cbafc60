package planner

import (
	"cmp"
	"context"
	"errors"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

// A PlanAnswer has one object for each question that the scenario asks, in the
// order in which a planner thinks, and none for the others.
type PlanAnswer struct {
	Name     string             `json:"name"`
	Load     *LoadAnswer        `json:"load,omitempty"`
	Size     *sizing.SizeAnswer `json:"size,omitempty"`
	Mix      *MixAnswer         `json:"mix,omitempty"`
	Machines []MachineWorth     `json:"machines,omitempty"` // what one of each type is worth
	Frontier *FrontierAnswer    `json:"frontier,omitempty"`
	Routing  *routes.Answer     `json:"routing,omitempty"`
	Replicas []TypeReplicas     `json:"replicas,omitempty"`
	// Epoch and link, and parts that count machines of the mix, are of the mix that
	// leads: the recommended one where there is one.
	Epoch       *survival.EpochAnswer      `json:"epoch,omitempty"`
	Link        *survival.LinkAnswer       `json:"link,omitempty"`
	Checkpoint  *survival.CheckpointAnswer `json:"checkpoint,omitempty"`
	Bag         *bags.FinishAnswer         `json:"bag,omitempty"`
	Predict     *machines.PredictAnswer    `json:"availability,omitempty"`
	Rank        *machines.RankAnswer       `json:"ranking,omitempty"`
	Allocation  *allocation.Answer         `json:"allocation,omitempty"`
	Sensitivity *Sensitivity               `json:"sensitivity,omitempty"`
	Uncertainty *PlanUncertainty           `json:"uncertainty,omitempty"`
	// Recommended is the mix to take where inputs are ranges.
	Recommended *Recommended `json:"recommended,omitempty"`
	// Simulation is that of the mix, or where no machines are given of the servers.
	Simulation *simulate.Simulation `json:"simulation,omitempty"`
	// Infeasible lists the questions that are well put but have no answer.
	Infeasible []InfeasiblePart `json:"infeasible"`
	// Money is how the scenario writes its prices; left out where they have no
	// currency and are per hour.
	Money       *units.PriceForm `json:"money,omitempty"`
	Seed        uint64           `json:"seed"`
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"` // of the mix
}

// An InfeasiblePart is a question of a plan without an answer.
type InfeasiblePart struct {
	Question   string  `json:"question"`
	Constraint string  `json:"constraint"`
	Limit      float64 `json:"limit"`   // what was asked for
	Infimum    float64 `json:"infimum"` // what cannot be reached or undercut
	Reason     string  `json:"reason"`
}

// TypeReplicas are the replicas of jobs on one type of machine, or of the
// scenario's own question.
type TypeReplicas struct {
	Machine string `json:"machine"` // empty: that of the scenario's part replicas
	// From is the type of machine that the part replicas takes its figures from.
	From string `json:"from,omitempty"`
	survival.ReplicasAnswer
}

// A planning is a plan under way.
type planning struct {
	*scenario.Question
	sizing.Traffic // of the parts load and service

	limits     sizing.Objectives // those of the part objectives that a fleet has
	service    scenario.Service  // the part, without values where there is none
	objectives scenario.Objectives
	seed       uint64
	window     machines.DayWindow // of the part availability

	a     *PlanAnswer
	types []machine
	delta *float64 // epoch for the link

	crossing *mixes.Crossing // of link and epoch; nil: neither holds the mix to anything

	mixing      *mixer
	draws       *draws
	ideal       []float64 // cost of what would have been right, by draw
	unscheduled string    // why no epoch is stable
}

// Plan answers every question of a scenario. A part that is well put but has
// no answer is listed in the answer's Infeasible and does not keep the others
// from being answered. Errors: *ask.InputError for a part that is not well put, or
// a scenario that asks nothing; that of the context.
func Plan(ctx context.Context, q *scenario.Question) (*PlanAnswer, error) {
	return answered(ctx, q, false)
}

// Nominal is Plan at the most likely figures of load and service time alone:
// nothing is drawn, moved, simulated or recommended, so that the answer is there
// while somebody still moves a value. Its mix is that of Plan.
func Nominal(ctx context.Context, q *scenario.Question) (*PlanAnswer, error) {
	return answered(ctx, q, true)
}

func answered(ctx context.Context, q *scenario.Question, nominal bool) (*PlanAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if err := q.Check(); err != nil {
		return nil, q.Placed(err)
	}
	if err := q.CheckRead(); err != nil {
		return nil, q.Placed(err)
	}
	asked := q
	if nominal {
		asked = q.Likeliest()
	}
	a, err := plan(ctx, asked, nominal)
	return a, q.Placed(err)
}

// newPlanning begins a plan.
func newPlanning(q *scenario.Question) *planning {
	p := &planning{
		Question:   q,
		Traffic:    q.Incoming(),
		limits:     q.Limits(),
		service:    ask.Value(q.Service),
		objectives: ask.Value(q.Objectives),
		seed:       q.FirstSeed(),
	}
	p.a = &PlanAnswer{Name: q.Name, Seed: p.seed, Infeasible: []InfeasiblePart{}}
	p.a.Money, _ = q.PriceForm() // check names the error
	return p
}

func plan(ctx context.Context, q *scenario.Question, nominal bool) (*PlanAnswer, error) {
	p := newPlanning(q)
	// Machine types may take their availability from the prediction.
	if err := p.put("availability", p.available(ctx)); ctx.Err() != nil || err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	// A wrong type of machine makes every later answer wrong, so that it is no part of the
	// plan that may go unanswered.
	if err := p.resolve(); err != nil {
		return nil, err
	}
	type part struct {
		name string
		ask  func(context.Context) error
	}
	parts := []part{
		{"load", p.load}, {"size", p.size}, {"replicas", p.replicas},
		{"epoch", func(context.Context) error { return p.schedule() }}, {"mix", p.mix}, {"simulation", p.simulated},
	}
	if !nominal {
		parts = append(parts, part{"sensitivity", p.sensitivity}, part{"uncertainty", p.uncertain},
			part{"frontier", p.frontier},
			part{"recommended", p.recommend})
	}
	// The order is that of need: a mix needs to know the replicas and what link and epoch
	// allow; draws need the mix; the recommended mix needs the draws and the frontier.
	// What follows is of the mix that leads, which is known now.
	parts = append(parts, part{"epoch", p.epoch},
		part{"routing", p.route}, part{"link", p.link}, part{"checkpoint", p.checkpoint}, part{"bag", p.bag},
		part{"allocation", p.allocate})
	for _, part := range parts {
		err := part.ask(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := p.put(part.name, err); err != nil {
			return nil, err
		}
	}
	if !p.asked() {
		return nil, ask.Inputf("",
			"the scenario asks nothing that can be answered: give a load with a service time and objectives, machines, clusters under routing, replicas, epoch, link, checkpoint, bag, availability or allocation (capplan init writes an example)")
	}
	if q.Explain {
		p.explain()
	}
	return p.a, nil
}

// put records a part without an answer, and hands on any other error.
func (p *planning) put(question string, err error) error {
	var infeasible *ask.InfeasibleError
	if !errors.As(err, &infeasible) {
		return err
	}
	p.a.Infeasible = append(p.a.Infeasible, InfeasiblePart{question, infeasible.Constraint, finiteOr0(infeasible.Limit),
		finiteOr0(infeasible.Infimum), infeasible.Reason})
	return nil
}

func finiteOr0(v float64) float64 {
	if ask.Figure(v) == nil {
		return 0
	}
	return v
}

// asked reports whether the answer holds anything.
func (p *planning) asked() bool {
	a := p.a
	return a.Load != nil || a.Size != nil || a.Mix != nil || len(a.Machines) > 0 || a.Routing != nil ||
		len(a.Replicas) > 0 || a.Epoch != nil ||
		a.Link != nil || a.Checkpoint != nil || a.Bag != nil || a.Predict != nil || a.Rank != nil ||
		a.Allocation != nil || len(a.Infeasible) > 0
}

// loaded reports whether there is a load that can be sized.
func (p *planning) loaded() bool {
	return p.Log != nil || p.OfferedLoad != nil || (p.Rate != nil || p.Curve != nil) && p.ServiceTime != nil
}

// sizable reports whether there is something to size a fleet by.
func (p *planning) sizable() bool {
	return p.loaded() && !p.limits.None()
}

func (p *planning) size(ctx context.Context) error {
	if !p.sizable() {
		return nil
	}
	q := p.SizeQuestion()
	if p.Log == nil {
		q.Simulate = p.Simulate
	}
	a, err := sizing.Size(ctx, q)
	if err != nil {
		return sized(err)
	}
	p.a.Size = a
	p.a.Warnings = append(p.a.Warnings, a.Warnings...)
	return nil
}
