package bagstudy

import "github.com/capplan/capplan/bags/spequlos"

// A SpentOrder is two kinds of strategies of which SpeQuloS section 4.2.2 says that
// the first spends more. Name is the difference as it is kept in a table.
type SpentOrder struct {
	Name       string
	more, less func(spequlos.Strategy) bool
}

// How is true of the strategies by which tasks come to the cloud workers so.
func How(h spequlos.How) func(spequlos.Strategy) bool {
	return func(s spequlos.Strategy) bool { return s.How == h }
}

// When is true of the strategies that begin to help by that trigger.
func When(w spequlos.Trigger) func(spequlos.Strategy) bool {
	return func(s spequlos.Strategy) bool { return s.When.Trigger == w }
}

// howMany is true of the strategies that start that many workers.
func howMany(a spequlos.Amount) func(spequlos.Strategy) bool {
	return func(s spequlos.Strategy) bool { return s.HowMany.Amount == a }
}

// SpentOrders are those of the text.
var SpentOrders = []SpentOrder{
	{"flat - duplicate", How(spequlos.Flat), How(spequlos.Duplicate)},
	{"reschedule - flat", How(spequlos.Reschedule), How(spequlos.Flat)},
	{"assigned - completed", When(spequlos.Assigned), When(spequlos.Completed)},
	{"assigned - varied", When(spequlos.Assigned), When(spequlos.Varied)},
	{"greedy - conservative", howMany(spequlos.Greedy), howMany(spequlos.Conservative)},
}
