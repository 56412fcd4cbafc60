package smp

// EstimateToFailure estimates a kernel for the time to the first failure of a
// window, as [EstimateCensored] does, but that sojourns after a failure have
// little weight: those in a state i together weigh as much as one that came
// before any failure,
//
//	n_i(l) = n_i⁻(l) + n_i⁺(l)/M_i,   d_ij(l) = d_ij⁻(l) + d_ij⁺(l)/M_i
//
// where ⁻ counts sojourns up to the first failure state of their window, ⁺ the
// M_i that came later. A machine that fails at nine each day and is free from
// ten to midnight would otherwise be given even odds to pass nine: half of its
// sojourns do not end, but none of these is one in which a window begins. With
// no weight at all a few days would too often give 0 or 1; both this weight and
// that were judged on days to come, see docs/EVALUATION.md.
//
// It is not for availability, or any other figure that goes on after a repair.
// Errors and warnings are those of EstimateCensored. A state seen after failures
// alone rests on these.
func EstimateToFailure(space Space, windows []Sequence) (*Fit, error) {
	return estimate("EstimateToFailure", space, windows, nil, toFailure)
}

// An afterFailure gathers the sojourns in one state that came after a failure.
type afterFailure struct {
	records []exposure
	weight  float64 // M
}

func (a *afterFailure) add(v Sojourn, weight float64) *afterFailure {
	if a == nil {
		a = &afterFailure{}
	}
	n := len(a.records)
	if a.records = expose(a.records, v, weight, true); len(a.records) > n {
		a.weight += weight
	}
	return a
}

// join adds what came after a failure to what came before it. Weights stay whole
// numbers, so that all that are at risk may leave at one age without a rest.
func (a *afterFailure) join(before []exposure) []exposure {
	if a == nil || len(a.records) == 0 {
		return before
	}
	for i := range before {
		before[i].exit *= a.weight
		before[i].risk *= a.weight
	}
	return append(before, a.records...)
}
