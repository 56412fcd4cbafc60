package ask

// SafeChance is the chance to meet the objectives from which an answer to an
// uncertain question is called safe.
const SafeChance = 0.95

// Reason says why a choice is recommended where inputs are ranges.
type Reason string

// The reasons, the first that there is counts.
const (
	// Safe is the cheapest that meets the objectives with SafeChance; of splits the best that is
	// never saturated.
	Safe        Reason = "safe"
	LeastRegret Reason = "least_regret" // of the costs that were given
	Safest      Reason = "safest"       // nothing is safe, and no cost of a shortfall was given
)
