package machines

import (
	"maps"
	"slices"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
)

// CheckNames refuses two machines of one name, and speeds of machines that are none of
// them. Errors: *ask.InputError of trace or rate.
func CheckNames(hosts []Trace, rates map[string]float64) error {
	known := make(map[string]bool, len(hosts))
	for i := range hosts {
		if known[hosts[i].Name] {
			return ask.Inputf("trace", "two machines are named %q", hosts[i].Name)
		}
		known[hosts[i].Name] = true
	}
	// The names are sorted, so that of two wrong ones the same is reported each time.
	for _, name := range slices.Sorted(maps.Keys(rates)) {
		if !known[name] {
			names := slices.Sorted(maps.Keys(known))
			return ask.Inputf("rate", "no machine %s%s", spell.Quote(name), spell.Among(name, names))
		}
	}
	return nil
}
