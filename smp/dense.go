package smp

// leastKnown is the share of a window's samples that a day needs to be used
// for training. One day of half a window says as much as half a day.
const leastKnown = 0.5

// dense returns the days that hold enough of their window, and how many do not.
func dense(days []Day) (kept []Day, sparse int) {
	for i, d := range days {
		if d.Whole || d.Known == 0 || d.Known >= leastKnown {
			if sparse > 0 {
				kept = append(kept, d)
			}
			continue
		}
		if sparse == 0 {
			kept = append([]Day(nil), days[:i]...)
		}
		sparse++
	}
	if sparse == 0 {
		return days, 0
	}
	return kept, sparse
}

// DenseDays returns the days that hold at least half of the samples of their
// window, as far as it is known how many they hold; [Evaluate] learns from no
// others.
func DenseDays(days []Day) []Day {
	kept, _ := dense(days)
	return kept
}
