package papers

import "github.com/capplan/capplan/bags/spequlos"

// A spentOrder is two kinds of strategies of which SpeQuloS section 4.2.2 says that
// the first spends more.
type spentOrder struct {
	name       string
	more, less func(spequlos.Strategy) bool
}

func how(h spequlos.How) func(spequlos.Strategy) bool {
	return func(s spequlos.Strategy) bool { return s.How == h }
}

func when(w spequlos.Trigger) func(spequlos.Strategy) bool {
	return func(s spequlos.Strategy) bool { return s.When.Trigger == w }
}

func howMany(a spequlos.Amount) func(spequlos.Strategy) bool {
	return func(s spequlos.Strategy) bool { return s.HowMany.Amount == a }
}

var spentOrders = []spentOrder{
	{"flat - duplicate", how(spequlos.Flat), how(spequlos.Duplicate)},
	{"reschedule - flat", how(spequlos.Reschedule), how(spequlos.Flat)},
	{"assigned - completed", when(spequlos.Assigned), when(spequlos.Completed)},
	{"assigned - varied", when(spequlos.Assigned), when(spequlos.Varied)},
	{"greedy - conservative", howMany(spequlos.Greedy), howMany(spequlos.Conservative)},
}
