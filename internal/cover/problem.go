package cover

import (
	"fmt"
	"math"
)

// MostCount bounds every count.
const MostCount = 1_000_000_000_000

// MaxNodes is the default bound on the nodes of a search.
const MaxNodes = 1_000_000

// An Item is a kind of machine. Machines that can be had in any number have MostCount as Most.
type Item struct {
	Worth   float64 // of one, ≥ 0
	Price   float64 // of one, ≥ 0
	Least   int64   // 0 ≤ Least ≤ Most
	Most    int64   // ≤ MostCount
	Counted bool    // counts towards Problem.MostCounted
}

// A Problem is what has to be covered. Its fields are not changed by the search.
type Problem struct {
	Items       []Item
	Need        float64 // ≥ 0
	MostCounted int64   // of counted items together; negative: any number
	Shortfall   float64 // price of a unit of worth that is missing; 0: none may be
	MaxNodes    int     // of the search; 0: [MaxNodes]
	// Ends is asked before each box of [SolveWithin], by whether a choice was found, and ends
	// the search as MaxNodes does; nil: nothing else ends it.
	Ends func(found bool) bool
}

// A Solution is the cheapest choice found. Counts has a number for each item, in their order.
type Solution struct {
	Counts []int64 // by item
	Worth  float64 // of all
	Price  float64 // of all, without the shortfall
	Short  float64 // worth that is missing
	Cost   float64 // price and shortfall
	Bound  float64 // no choice costs less
	Proven bool    // none costs less than this one, to within 1e-10 of it
}

// MostWorth and MostPrice bound what one of an item is worth and what it costs.
const (
	MostWorth = 1e15
	MostPrice = 1e15
)

// A DomainError says which argument cannot be used.
type DomainError struct {
	Arg   string
	Value float64
	Want  string
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("cover: Solve: %s = %v, want %s", e.Arg, e.Value, e.Want)
}

// An InfeasibleError says how far all machines together reach. Reach is in the unit of the worth.
type InfeasibleError struct {
	Need, Reach float64
	Limited     bool // a [Limit] keeps them from being taken, not their worth
	// Later finds how far they reach when somebody asks, which can take longer than
	// the search; nil: Reach. It holds until the model that it is of is used again.
	Later func() float64
	Bound float64 // of a search that ended before it found a choice: none costs less
}

// Reached is how far all machines together reach.
func (e *InfeasibleError) Reached() float64 {
	if e.Later != nil {
		return e.Later()
	}
	return e.Reach
}

func (e *InfeasibleError) Error() string {
	if e.Limited {
		return fmt.Sprintf("cover: SolveWithin: no choice worth %.7g keeps the limit", e.Need)
	}
	return fmt.Sprintf("cover: Solve: all that may be taken is worth %.7g and %.7g is needed", e.Reached(), e.Need)
}

// check refuses a problem whose numbers have no meaning, before the search divides by them.
// Conditions in the negative refuse what is not a number.
func (p *Problem) check() error {
	for i, it := range p.Items {
		arg := func(name string) string { return fmt.Sprintf("Items[%d].%s", i, name) }
		switch {
		case !(it.Worth >= 0 && it.Worth <= MostWorth):
			return &DomainError{arg("Worth"), it.Worth, "0 to 1e15"}
		case !(it.Price >= 0 && it.Price <= MostPrice):
			return &DomainError{arg("Price"), it.Price, "0 to 1e15"}
		case it.Least < 0 || it.Most > MostCount || it.Least > it.Most:
			return &DomainError{arg("Least"), float64(it.Least), "0 to Most, and Most at most 1e12"}
		}
	}
	switch {
	case !(p.Need >= 0 && p.Need <= 1e15):
		return &DomainError{"Need", p.Need, "0 to 1e15"}
	case !(p.Shortfall >= 0 && p.Shortfall <= 1e15):
		return &DomainError{"Shortfall", p.Shortfall, "0 to 1e15"}
	}
	return nil
}

// A grain is a sum that all prices are whole multiples of, 0 if there is none of a millionth or more.
type grain float64

// grainOf is Euclid's greatest common divisor of the prices in millionths.
func grainOf(items []Item) grain {
	const unit = 1e-6
	var g int64
	for _, it := range items {
		m := it.Price / unit
		k := math.Round(m)
		if k > 1<<52 || math.Abs(m-k) > 1e-9*math.Max(k, 1) {
			return 0
		}
		a, b := g, int64(k)
		for b != 0 {
			a, b = b, a%b
		}
		g = a
	}
	return grain(float64(g) * unit)
}

// round lifts a bound to the next sum that prices can add up to.
func (g grain) round(bound float64) float64 {
	if g == 0 || math.IsInf(bound, 1) {
		return bound
	}
	return math.Max(bound, float64(g)*math.Ceil(bound/float64(g)*(1-1e-12)-1e-6))
}
