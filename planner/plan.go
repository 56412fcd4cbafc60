package planner

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/internal/foreseen"
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
	Load     *sizing.LoadAnswer `json:"load,omitempty"`
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
	Money *units.PriceForm `json:"money,omitempty"`
	Seed  uint64           `json:"seed"`
	// Warnings are those of all parts together; a part keeps its own beside, so that it says as much as
	// its own command does.
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"` // of the mix

	steps float64
}

// Steps returns what the searches of the plan took, in steps of about a nanosecond: the same for the same
// scenario, and 0 for an answer that was read from a file.
func (a *PlanAnswer) Steps() float64 { return a.steps }

// An InfeasiblePart is a question of a plan without an answer.
type InfeasiblePart struct {
	// Question is the name of the part, such as mix or link.
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

// answered checks once, for both ways of asking; Likeliest takes the ranges out
// of the question.
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
	certain := q
	if nominal {
		certain = q.Likeliest()
	}
	// Nothing of a plan that is stopped is shown, and formulas of a part can take seconds.
	a, err := parallel.Await(ctx, func() (*PlanAnswer, error) { return newPremises(certain).plan(ctx, nominal) })
	return a, q.Placed(err)
}

// plan asks the parts in the order of need: a mix needs to know what link and epoch
// allow, draws need the mix, the recommended mix needs the draws and the frontier, and
// what follows is of the mix that leads. Each part is a function of what those before it
// came to, and of the premises.
func (p *premises) plan(ctx context.Context, nominal bool) (*PlanAnswer, error) {
	a := &PlanAnswer{Name: p.Name, Seed: p.seed, Money: p.money, Infeasible: []InfeasiblePart{}}
	s := &steps{ctx: ctx, answer: a}

	var seen *foreseen.Machines
	s.part("availability", func() (err error) { seen, err = p.available(ctx); return err })
	a.Predict, a.Rank = seen.Answers()
	// A wrong type of machine makes every later answer wrong, so that it is no part of the
	// plan that may go unanswered.
	s.whole(func() error { return p.resolve(seen) })
	a.Machines = p.worths
	s.part("load", func() (err error) { a.Load, err = p.Traffic.Load(); return sized(err) })
	s.whole(p.checkUnlike)
	s.whole(p.checkDraws)
	s.part("size", func() (err error) { a.Size, err = p.size(ctx); return err })
	// What no machines can do is said once, by the size.
	open := p.sizable() && !a.lacks("size")
	s.part("replicas", func() (err error) { a.Replicas, err = p.replicas(ctx); return err })

	// What epoch and link allow is asked before the mix, which is held to it, and
	// how they come out after it.
	var pace timing
	s.part("epoch", func() (err error) { pace, err = p.schedule(); return err })
	var mix *chosen
	s.part("mix", func() (err error) { mix, err = p.mix(ctx, open, pace.crossing); return err })
	if a.Mix = mix.answered(); a.Mix != nil {
		p.warn(a.Mix.Warnings...)
	}
	s.part("simulation", func() (err error) { a.Simulation, err = p.simulated(ctx, a.Size, mix); return err })
	// Draws, moves of inputs and the frontier are what takes time. The mix does
	// not depend on them.
	if !nominal {
		s.part("sensitivity", func() (err error) { a.Sensitivity, err = p.sensitivity(ctx, open, mix); return err })
		var held *judging
		s.part("uncertainty", func() (err error) { held, err = p.uncertain(ctx, open, mix); return err })
		a.Uncertainty = held.answered()
		s.part("frontier", func() (err error) { a.Frontier, err = mix.frontier(ctx, held); return err })
		s.part("recommended", func() (err error) {
			a.Recommended, err = mix.recommend(ctx, a.Uncertainty, a.Frontier)
			return err
		})
	}

	l := p.leading(a, mix, pace)
	unscheduled := ""
	s.part("epoch", func() (err error) { a.Epoch, unscheduled, err = l.epoch(ctx); return err })
	s.part("routing", func() (err error) { a.Routing, err = l.route(ctx); return err })
	s.part("link", func() (err error) { a.Link, err = l.link(ctx, a.Epoch, unscheduled); return err })
	s.part("checkpoint", func() (err error) { a.Checkpoint, err = p.checkpoint(ctx); return err })
	s.part("bag", func() (err error) { a.Bag, err = p.bag(ctx); return err })
	s.part("allocation", func() (err error) { a.Allocation, err = l.allocate(ctx); return err })

	s.whole(func() error { return a.holdsAnything() })
	p.warn(p.idle(a, nominal)...)
	if s.err != nil {
		return nil, s.err
	}
	a.Warnings, a.steps = p.warnings, p.work.Taken()
	if p.Explain {
		a.Explanation = p.explain(a, mix, pace.crossing)
	}
	return a, nil
}

// steps asks one part of a plan after another, until one cannot go on. The first
// error that is no answer ends all, and the parts after it are not asked.
type steps struct {
	ctx    context.Context
	answer *PlanAnswer
	err    error // what ended the plan
}

// part asks a part. One that is well put and has no answer is recorded, and the plan
// goes on.
func (s *steps) part(name string, ask func() error) {
	s.whole(func() error { return s.answer.unanswered(name, ask()) })
}

// whole asks what the plan cannot do without.
func (s *steps) whole(ask func() error) {
	if s.err == nil {
		err := ask()
		// An error of the context goes before that of the part that it
		// interrupted.
		s.err = cmp.Or(s.ctx.Err(), err)
	}
}

// unanswered records a part without an answer, and hands on any other error.
func (a *PlanAnswer) unanswered(question string, err error) error {
	var infeasible *ask.InfeasibleError
	if !errors.As(err, &infeasible) {
		return err
	}
	a.Infeasible = append(a.Infeasible, InfeasiblePart{question, infeasible.Constraint, finiteOr0(infeasible.Limit),
		finiteOr0(infeasible.Infimum), infeasible.Reason})
	return nil
}

// lacks reports whether a part was found to have no answer.
func (a *PlanAnswer) lacks(question string) bool {
	return slices.ContainsFunc(a.Infeasible, func(p InfeasiblePart) bool { return p.Question == question })
}

// finiteOr0 keeps infinities out of JSON, which has none.
func finiteOr0(v float64) float64 {
	if ask.Figure(v) == nil {
		return 0
	}
	return v
}

// ErrNothingAsked is the *ask.InputError of a scenario without a part that can be answered.
var ErrNothingAsked error = ask.Inputf("",
	"the scenario asks nothing that can be answered: give a load with a service time and objectives, machines, "+
		"clusters under routing, replicas, epoch, link, checkpoint, bag, availability or allocation")

// holdsAnything refuses a scenario that asks nothing. An answer of no parts is
// more likely a misspelt scenario than a wish.
func (a *PlanAnswer) holdsAnything() error {
	if a.Load != nil || a.Size != nil || a.Mix != nil || len(a.Machines) > 0 || a.Routing != nil ||
		len(a.Replicas) > 0 || a.Epoch != nil ||
		a.Link != nil || a.Checkpoint != nil || a.Bag != nil || a.Predict != nil || a.Rank != nil ||
		a.Allocation != nil || len(a.Infeasible) > 0 {
		return nil
	}
	return ErrNothingAsked
}
