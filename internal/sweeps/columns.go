package sweeps

import "slices"

// mostColumns is how many figures text shows side by side; beyond it the key ones. Twelve columns
// of figures fill a line of a wide terminal.
const mostColumns = 12

// keyFigures of answers that have more than a screen holds side by side, which are
// those of plans: each part's own answer.
var keyFigures = []string{
	"load.offered_load_erl",
	"size.servers",
	"recommended.fleet", "recommended.cost_per_h", "recommended.probability_met",
	"mix.fleet", "mix.cost_per_h",
	"routing.mean_response_s",
	"checkpoint.expected_run_s",
	"allocation.revenue",
}

// keyOf keeps of too many columns those of key figures, and where none is, the first. columns are
// indices into names. CSV and JSON have all.
func keyOf(names []string, columns []int) []int {
	if len(columns) <= mostColumns {
		return columns
	}
	key := slices.DeleteFunc(slices.Clone(columns), func(i int) bool { return !slices.Contains(keyFigures, names[i]) })
	if len(key) == 0 {
		return columns[:mostColumns]
	}
	return key
}
