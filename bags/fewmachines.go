package bags

// fewMachines holds the relative errors of the closed form against simulations if few machines do
// all tasks: the number of machines that are up is then far from normal, and all may be away at
// once. Measured by TestFinishOnFewMachines in package sim/bot, with 1 to 200 tasks, for each of
// the servers.
var fewMachines = []struct {
	below        int
	median, high float64
}{
	{5, 0.2, 0.85},
	{10, 0.2, 0.4},
	{50, 0.2, 0.3},
}

// FewMachines returns the relative errors by which the median and the 95 % point of [Finish] may be
// too early with this number of machines; ok is false if there are enough machines for the errors
// that Finish states.
func FewMachines(machines int) (median, high float64, ok bool) {
	for _, f := range fewMachines {
		if machines < f.below {
			return f.median, f.high, true
		}
	}
	return 0, 0, false
}
