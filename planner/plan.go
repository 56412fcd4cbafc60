package planner

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

// A PlanQuestion is a whole scenario: every part that is set asks its own
// question, and what one part answers is handed on to those that need it: the
// replicas to the mix, and the share of the work that the mix does on public
// machines to epoch and link, which in turn hold the choice of the mix to what
// they allow.
type PlanQuestion struct {
	Name string `json:"name,omitempty"`
	sizing.Traffic
	sizing.Objectives
	Model    sizing.ModelKind      `json:"model,omitempty"`
	Staffing sizing.StaffingMethod `json:"staffing,omitempty"` // of a load curve; empty: mol
	// Budget and MinUtilization bound the mix from the other side.
	Budget         *units.Price    `json:"budget,omitempty"`
	MinUtilization *units.Fraction `json:"min_utilization,omitempty"`
	// Target is the chance that a job on public machines has a replica alive;
	// it gives the replicas of machine types that do not name theirs.
	Target *float64 `json:"availability_target,omitempty"`
	// PublicCount says how machines that come and go enter the figures of a
	// mix; empty: averaged over how many are up, or by their mean number where
	// outages are known to be below a tenth of the service time.
	PublicCount sizing.PublicCount `json:"public_count,omitempty"`
	Machines    []MachineType      `json:"machines,omitempty"`
	// Shortfall is the price of a missing server of speed 1, for the choice of
	// least regret; nil: none is made.
	Shortfall *units.Price `json:"shortfall_cost,omitempty"`

	Link       *PlanLink                    `json:"link,omitempty"`
	Epoch      *PlanEpoch                   `json:"epoch,omitempty"`
	Replicas   *survival.ReplicasQuestion   `json:"replicas,omitempty"`
	Checkpoint *survival.CheckpointQuestion `json:"checkpoint,omitempty"`
	// CheckpointMachine and ReplicasMachine name the type of machine whose MTTF
	// and MTTR the two parts take, the most likely ones.
	CheckpointMachine string `json:"checkpoint_machine,omitempty"`
	ReplicasMachine   string `json:"replicas_machine,omitempty"`
	// Rate nil: that of the load. A cluster with a Machine is of so many of that
	// type; so is a resource of a batch.
	Route    *routes.Question     `json:"route,omitempty"`
	Allocate *allocation.Question `json:"allocate,omitempty"`
	// Predict or Rank ask how likely machines are free through a window. A
	// machine type with Predicted takes its availability from the answer.
	Predict *machines.PredictQuestion `json:"predict,omitempty"`
	Rank    *machines.RankQuestion    `json:"rank,omitempty"`

	// Samples and Seed drive the draws from ranges; 0 samples are
	// [DefaultPlanSamples].
	Samples int    `json:"samples,omitempty"`
	Seed    uint64 `json:"seed,omitempty"`
	Explain bool   `json:"explain,omitempty"`
}

// A PlanLink is the link between dedicated and public machines. What is nil
// comes from the rest of the plan.
type PlanLink struct {
	Uplink    *float64 `json:"uplink_bps"`
	Downlink  *float64 `json:"downlink_bps"`
	Footprint *float64 `json:"footprint_bytes"`
	Replicas  *int64   `json:"replicas,omitempty"`
	Dedicated *int64   `json:"dedicated_servers,omitempty"`
	Epoch     *float64 `json:"epoch_s,omitempty"`
	Rate      *float64 `json:"arrival_rate_per_s,omitempty"`
}

// A PlanEpoch is the scheduling of jobs between dedicated and public machines.
type PlanEpoch struct {
	Length        *float64            `json:"epoch_s,omitempty"` // nil: the best one
	Migrations    *float64            `json:"migrations,omitempty"`
	MigrationTime *float64            `json:"migration_time_s,omitempty"`
	FailureRate   *float64            `json:"failure_rate_per_s,omitempty"` // nil: from replicas and public jobs
	PublicJobs    *float64            `json:"public_jobs,omitempty"`        // nil: those of the mix, or without one the offered load
	Model         survival.EpochModel `json:"model,omitempty"`
}

// A PlanAnswer has one object for each question that the scenario asks, in the
// order in which a planner thinks, and none for the others.
type PlanAnswer struct {
	Name        string                     `json:"name"`
	Load        *LoadAnswer                `json:"load,omitempty"`
	Size        *sizing.SizeAnswer         `json:"size,omitempty"`
	Mix         *MixAnswer                 `json:"mix,omitempty"`
	Machines    []MachineWorth             `json:"machines,omitempty"` // what one of each type is worth
	Frontier    *FrontierAnswer            `json:"frontier,omitempty"`
	Routing     *routes.Answer             `json:"routing,omitempty"`
	Replicas    []TypeReplicas             `json:"replicas,omitempty"`
	Epoch       *survival.EpochAnswer      `json:"epoch,omitempty"`
	Link        *survival.LinkAnswer       `json:"link,omitempty"`
	Checkpoint  *survival.CheckpointAnswer `json:"checkpoint,omitempty"`
	Predict     *machines.PredictAnswer    `json:"availability,omitempty"`
	Rank        *machines.RankAnswer       `json:"ranking,omitempty"`
	Allocation  *allocation.Answer         `json:"allocation,omitempty"`
	Sensitivity *Sensitivity               `json:"sensitivity,omitempty"`
	Uncertainty *PlanUncertainty           `json:"uncertainty,omitempty"`
	// Infeasible lists the questions that are well put but have no answer.
	Infeasible  []InfeasiblePart `json:"infeasible"`
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
	*PlanQuestion
	a     *PlanAnswer
	types []machine
	delta *float64 // epoch for the link

	crossing *crossing // of link and epoch; nil: neither holds the mix to anything

	mixing      *mixer
	draws       *draws
	ideal       []float64 // cost of what would have been right, by draw
	unscheduled string    // why no epoch is stable
}

// Plan answers every question of a scenario. A part that is well put but has
// no answer is listed in the answer's Infeasible and does not keep the others
// from being answered. Errors: *ask.InputError for a part that is not well put, or
// a scenario that asks nothing; that of the context.
func Plan(ctx context.Context, q *PlanQuestion) (*PlanAnswer, error) {
	p := &planning{PlanQuestion: q, a: &PlanAnswer{Name: q.Name, Seed: q.Seed, Infeasible: []InfeasiblePart{}}}
	// Machine types may take their availability from the prediction.
	if err := p.put("availability", p.available(ctx)); ctx.Err() != nil || err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	if err := p.resolve(); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name string
		ask  func(context.Context) error
	}{
		{"load", p.load}, {"size", p.size}, {"replicas", p.replicas},
		{"epoch", func(context.Context) error { return p.schedule() }}, {"mix", p.mix}, {"epoch", p.epoch},
		{"routing", p.route}, {"link", p.link}, {"checkpoint", p.checkpoint}, {"allocation", p.allocate},
		{"sensitivity", p.sensitivity}, {"uncertainty", p.uncertain}, {"frontier", p.frontier},
	} {
		err := part.ask(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := p.put(part.name, err); err != nil {
			return nil, err
		}
	}
	if !p.asked() {
		return nil, ask.Inputf("", "the scenario asks nothing that can be answered: give a load with a service time and objectives, machines, clusters under routing, replicas, epoch, link, checkpoint, availability or allocation (capplan init writes an example)")
	}
	if q.Explain {
		p.explain()
	}
	return p.a, nil
}

// put records a part without an answer, and hands on any other error with the
// name of its part.
func (p *planning) put(question string, err error) error {
	var infeasible *ask.InfeasibleError
	if !errors.As(err, &infeasible) {
		return ask.In(question, err)
	}
	p.a.Infeasible = append(p.a.Infeasible, InfeasiblePart{question, infeasible.Constraint, finiteOr0(infeasible.Limit), finiteOr0(infeasible.Infimum), infeasible.Reason})
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
	return a.Load != nil || a.Size != nil || a.Mix != nil || len(a.Machines) > 0 || a.Routing != nil || len(a.Replicas) > 0 || a.Epoch != nil ||
		a.Link != nil || a.Checkpoint != nil || a.Predict != nil || a.Rank != nil || a.Allocation != nil || len(a.Infeasible) > 0
}

// loaded reports whether there is a load that can be sized.
func (p *planning) loaded() bool {
	return p.Log != nil || p.OfferedLoad != nil || (p.Rate != nil || p.Curve != nil) && p.ServiceTime != nil
}

// sizable reports whether there is something to size a fleet by.
func (p *planning) sizable() bool {
	return p.loaded() && p.PlanQuestion.Objectives != (sizing.Objectives{})
}

func (p *planning) size(ctx context.Context) error {
	if !p.sizable() {
		return nil
	}
	a, err := sizing.Size(ctx, p.sizeQuestion())
	if err != nil {
		return err
	}
	p.a.Size = a
	p.a.Warnings = append(p.a.Warnings, a.Warnings...)
	return nil
}

// sizeQuestion asks for servers of speed 1 alone; the draws of a plan are its
// own, so that of the size are few.
func (p *planning) sizeQuestion() *sizing.SizeQuestion {
	return &sizing.SizeQuestion{Traffic: p.Traffic, Objectives: p.PlanQuestion.Objectives, Model: p.Model, Staffing: p.Staffing, Samples: p.samples(), Seed: p.Seed, Explain: p.Explain}
}

// samples is the number of draws.
func (p *planning) samples() int {
	if p.Samples == 0 {
		return DefaultPlanSamples
	}
	return p.Samples
}

func (p *planning) replicas(ctx context.Context) error {
	for i := range p.types {
		t := &p.types[i]
		if t.Kind != Public || t.mttf == nil || p.Target == nil || t.Replicas != nil {
			continue
		}
		a, err := survival.Replicas(ctx, &survival.ReplicasQuestion{MTTF: t.mttf, MTTR: t.mttr, Target: *p.Target, Explain: p.Explain})
		if err != nil {
			return err
		}
		p.a.Replicas = append(p.a.Replicas, TypeReplicas{Machine: t.Name, ReplicasAnswer: *a})
	}
	if p.Replicas == nil {
		return nil
	}
	q := *p.Replicas
	q.Explain = p.Explain
	timeless, err := p.replicated(&q)
	if err != nil {
		return err
	}
	a, err := survival.Replicas(ctx, &q)
	if err != nil {
		return err
	}
	if timeless {
		withoutTimes(a)
	}
	p.a.Replicas = append(p.a.Replicas, TypeReplicas{From: p.ReplicasMachine, ReplicasAnswer: *a})
	for i := range p.types {
		if t := &p.types[i]; t.Kind == Public && t.Replicas == nil && p.Target == nil && float64(a.Replicas) != t.replicas {
			p.a.Warnings = append(p.a.Warnings, fmt.Sprintf("the part replicas asks for %d of a job, and the mix takes %s on %s: its target is objectives.availability, which is not given", a.Replicas, ask.Digits(t.replicas), t.Name))
		}
	}
	p.a.Warnings = append(p.a.Warnings, a.Warnings...)
	return nil
}

func (p *planning) checkpoint(ctx context.Context) (err error) {
	if p.Checkpoint == nil {
		return nil
	}
	q := *p.Checkpoint
	q.Explain = p.Explain
	if err := p.saved(&q); err != nil {
		return err
	}
	p.a.Checkpoint, err = survival.Checkpoint(ctx, &q)
	return err
}

func (p *planning) route(ctx context.Context) (err error) {
	if p.Route == nil {
		return nil
	}
	q := *p.Route
	q.Explain, q.Seed = p.Explain, p.Seed
	if q.Rate == nil && q.Workload == nil {
		q.Rate = p.Rate
	}
	if q.Rate == nil && p.Curve != nil {
		r := units.Point(units.Rate(p.Curve.Peak()))
		q.Rate = &r
	}
	if q.Rate == nil && q.Workload == nil {
		return ask.Inputf("routing", "needs the rate of the stream: give routing.rate, or load.rate")
	}
	if q.Clusters, err = p.routedMachines(q.Clusters); err != nil {
		return err
	}
	p.a.Routing, err = routes.Route(ctx, &q)
	return err
}

func (p *planning) available(ctx context.Context) (err error) {
	if p.Predict != nil {
		q := *p.Predict
		q.Explain, q.Seed = p.Explain, p.Seed
		if p.a.Predict, err = machines.Predict(ctx, &q); err != nil {
			return err
		}
		p.a.Warnings = append(p.a.Warnings, p.a.Predict.Warnings...)
	}
	if p.Rank != nil {
		q := *p.Rank
		q.Explain = p.Explain
		if p.a.Rank, err = machines.Rank(ctx, &q); err != nil {
			return err
		}
		p.a.Warnings = append(p.a.Warnings, p.a.Rank.Warnings...)
	}
	return nil
}

func (p *planning) allocate(ctx context.Context) (err error) {
	if p.Allocate == nil {
		return nil
	}
	q := *p.Allocate
	q.Explain, q.Seed = p.Explain, p.Seed
	if q.Batch, err = p.allocatedMachines(q.Batch); err != nil {
		return err
	}
	p.a.Allocation, err = allocation.Allocate(ctx, &q)
	return err
}
