package bags

// fewMachines says by which share the closed form was off against simulations where
// few machines do all: how many are there at a time is then far from normal, and all
// may be away at once. Measured by TestFinishOnFewMachines in package sim/bot, of 1 to
// 200 tasks for each of the servers.
var fewMachines = []struct {
	below        int
	median, high float64
}{
	{5, 0.2, 0.85},
	{10, 0.2, 0.4},
	{50, 0.2, 0.3},
}

// FewMachines returns by which share the median and the 95 % point of [Finish] may be
// early on so many machines; ok is false where they are enough for the bounds that
// Finish states.
func FewMachines(machines int) (median, high float64, ok bool) {
	for _, f := range fewMachines {
		if machines < f.below {
			return f.median, f.high, true
		}
	}
	return 0, 0, false
}
