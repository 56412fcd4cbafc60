package sim

import "strconv"

// A Kind says what a figure is made of.
type Kind int

const (
	// Tally is the mean of the values observed: waits, response times.
	Tally Kind = iota
	// TimeAverage is the mean over time of a level: jobs present, servers busy.
	// Its values are added with the time that they lasted.
	TimeAverage
	// Ratio is a sum over a sum: losses over arrivals.
	Ratio
	// Total is a sum over a replication, 0 where nothing was added: preemptions.
	Total
	// Quantile is the P-quantile of all values observed.
	Quantile
	// RunQuantile is the P-quantile over the replications of the one value that
	// each of them observes: the day on which 95 % of all runs are done.
	RunQuantile
)

// A Figure is something that a model answers.
type Figure struct {
	Name string  // in the field's words: mean_wait
	Unit string  // s, erl, "" for a pure number
	Kind Kind    // what it is made of
	P    float64 // of Quantile and RunQuantile, 0 < P < 1
	// Scale is the size below which a precision is no longer taken relative to
	// the figure but to Scale: a chance of loss of 10⁻⁹ need not be known to
	// 1 %. 0 keeps it relative however small the figure is.
	Scale float64
	// Free says that the figure need not meet the precision.
	Free bool
	// Chance says that a Ratio is a share of customers: if it is 0 or 1, its interval still reaches
	// as far as that number of customers allows.
	Chance bool
}

// checkFigures checks each figure, and that no two have one name.
func checkFigures(fn string, figures []Figure) error {
	names := map[string]bool{}
	for i, f := range figures {
		if err := f.check(fn); err != nil {
			return err
		}
		if names[f.Name] {
			return &DomainError{fn, "Figures", float64(i), "no second figure named " + strconv.Quote(f.Name)}
		}
		names[f.Name] = true
	}
	return nil
}

func (f Figure) check(fn string) error {
	if f.Kind < Tally || f.Kind > RunQuantile {
		return &DomainError{fn, "Kind of figure " + f.Name, float64(f.Kind), "one of the kinds of package sim"}
	}
	if (f.Kind == Quantile || f.Kind == RunQuantile) && !(f.P > 0 && f.P < 1) {
		return &DomainError{fn, "P of figure " + f.Name, f.P, "0 < P < 1"}
	}
	if !(f.Scale >= 0) || !finite(f.Scale) {
		return &DomainError{fn, "Scale of figure " + f.Name, f.Scale, "finite Scale >= 0"}
	}
	return nil
}
