package planner

import (
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
)

// A MixAnswer is the cheapest choice of machines that meets the objectives.
type MixAnswer struct {
	Fleet string  `json:"fleet"` // the machines in words, such as 91 rack and 199 spot
	Cost  float64 `json:"cost_per_h"`
	// LowerBound and Cost are the same where the search has proven the mix.
	LowerBound float64 `json:"cost_lower_bound_per_h"` // no mix costs less
	Optimal    bool    `json:"optimal"`                // proven
	// Needed is the number of servers of speed 1 that the objectives ask for, and
	// Equivalent the capacity of the mix in such servers. A mix is chosen by the
	// figures of its own machines, so that either may be the greater.
	Needed      float64 `json:"needed_servers_real"`
	Equivalent  float64 `json:"equivalent_servers"`
	PublicShare float64 `json:"public_share"` // of what the mix is worth
	// Dispatch says which of several idle servers an arrival takes; empty for a
	// log, which is planned by worth alone.
	Dispatch string `json:"dispatch,omitempty"`
	sizing.Figures
	Objectives []sizing.ObjectiveResult `json:"objectives"`
	Machines   []MixMachine             `json:"machines"`
	// Binding lists what costs money, the dearest first.
	Binding []MixBinding `json:"binding"`
	// Headroom is what each loss that the mix has to survive, and each limit on
	// its public machines, costs; left out where none is asked for.
	Headroom []MixHeadroom `json:"headroom,omitempty"`
	// AfterLoss is what the machines do that the worst loss leaves; left out where
	// no loss has to be survived.
	AfterLoss    *MixLoss         `json:"after_loss,omitempty"`
	Alternatives []MixAlternative `json:"alternatives"`
	// PublicAway are the figures with the dedicated machines alone; null
	// where the mix has no public ones.
	PublicAway *sizing.Candidate `json:"public_away"`
	Warnings   []string          `json:"warnings,omitempty"`
}

// Counts returns how many machines of each type the mix has, in the order of the scenario.
func (m *MixAnswer) Counts() []int64 {
	if m == nil {
		return nil
	}
	counts := make([]int64, len(m.Machines))
	for i := range m.Machines {
		counts[i] = m.Machines[i].Count
	}
	return counts
}

// A MixMachine is one type in the mix.
type MixMachine struct {
	Name       string               `json:"name"`
	Kind       scenario.MachineKind `json:"kind"`
	Count      int64                `json:"count"`
	Cost       float64              `json:"cost_per_h"`
	Equivalent float64              `json:"equivalent_servers"` // of all of them
	Price      float64              `json:"price_per_h"`        // of one
	// Worth is in servers of speed 1.
	Worth float64 `json:"worth_of_one"`
	// Replicas of each job; null on dedicated machines.
	Replicas *int64 `json:"replicas"`
	// Limit is how many can be had; null: any number.
	Limit   *int64   `json:"limit"`
	OneMore *OneMore `json:"one_more"` // null where no more can be had
}

// OneMore is what one more machine buys. Value is the figure as it is asked for,
// of a limit on waits the share that is in time.
type OneMore struct {
	Price     float64  `json:"price_per_h"`
	Objective string   `json:"objective"` // the one that asks for the most
	Value     *float64 `json:"value"`     // of its figure, with the machine
	// Change is by how much the figure moves with it; null where one of the two
	// is not known.
	Change *float64 `json:"change"`
}

// A MixBinding is a constraint without which the mix would cost less, by the
// cheapest mix found without it. The search without it is shorter than that of
// the mix, so that the saving may be greater than is shown.
type MixBinding struct {
	Constraint string   `json:"constraint"`
	Cost       *float64 `json:"cost_without_per_h"` // null where without it nothing is asked
	// Saving is what the mix costs above that; null as Cost.
	Saving *float64 `json:"saving_per_h"`
}

// A MixAlternative is the cheapest mix found under one more condition.
type MixAlternative struct {
	Name   string  `json:"name"`
	Counts []int64 `json:"counts"` // by machine type; null where there is none
	// Cost, and what is above the cost of the mix, are null where there is none.
	Cost   *float64 `json:"cost_per_h"`
	Extra  *float64 `json:"extra_cost_per_h"`
	Reason string   `json:"reason,omitempty"` // why there is none
}
