package backtest

import (
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
)

// The models that foresee whether a machine stays free.
const (
	FrailtyModel     = "frailty"     // hazard of age and hour of the fleet, a frailty for each machine
	SMPModel         = "smp"         // semi-Markov, the machine's own days, stays after a failure weigh as one
	CensoredModel    = "censored"    // semi-Markov, stays after a failure weigh as those before
	CountsModel      = "counts"      // semi-Markov, by counts as the iShare paper
	KMModel          = "km"          // Kaplan and Meier's product limit of the fleet, from the machine's age
	ExponentialModel = "exponential" // the machine's own rate of failures, half a failure added
	ShareOfDaysModel = "share"       // share of the machine's days that the window survived
	AlwaysModel      = "always"      // it stays free
)

// ModelNames are the models that a fleet's prediction can be made by and is
// judged with.
var ModelNames = []string{AutoModel, FrailtyModel, SMPModel, CensoredModel, CountsModel, KMModel, ExponentialModel,
	ShareOfDaysModel, AlwaysModel}

// checkModels refuses names that are no model, or come twice.
func checkModels(names []string) error {
	for i, n := range names {
		if !slices.Contains(ModelNames, n) {
			return &ask.InputError{Field: "model", Reason: "no model " + quoted(n) + spell.Aside(n, ModelNames) +
				", want some of " + strings.Join(ModelNames, ", ")}
		}
		if slices.Contains(names[:i], n) {
			return ask.Inputf("model", "%q is given twice", n)
		}
	}
	return nil
}

func quoted(s string) string { return `"` + s + `"` }
