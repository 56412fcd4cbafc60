package attempts

import "math"

// StillQuiet returns the probability that an idle machine has not asked for a time t after some
// moment.
func StillQuiet(t, ask float64) float64 {
	x := t / ask
	switch {
	case x <= 0.5:
		return 1 - x
	case x < 1.5:
		return (1.5 - x) * (1.5 - x) / 2
	}
	return 0
}

// Among returns the shares of those that ask at once, and of those that rest, to which the waiting tasks are
// given. Of the latter a share turn asks, and those that came rest if they get none.
func Among(waiting, asking, resting, came, turn, rate float64) (sure, idle float64) {
	if waiting >= asking+resting*turn {
		return 1, turn
	}
	resting += came
	// The first to ask gets a task: machines that come and idle ones in proportion to the rates at
	// which they ask.
	idle = min(turn, waiting/(asking+resting*rate)*rate)
	if left := asking - came*idle; left > 0 {
		sure = max(0, min(1, (waiting-resting*idle)/left))
	}
	if rest := waiting - sure*asking; resting-came*sure > 0 {
		idle = max(0, min(turn, rest/(resting-came*sure)))
	}
	return sure, idle
}

// Asked returns the time by which a share of the idle machines has asked. It inverts the law of
// what is left of a gap of length Ask·(0.5 + U), U uniform in 0..1.
func Asked(share, ask float64) float64 {
	s := 1 - share
	if s >= 0.5 {
		return ask * (1 - s)
	}
	return ask * (1.5 - math.Sqrt(2*s))
}

// FirstAsked returns the mean time at which machines that are there at the beginning ask in the
// flow, whose cells have a given step.
func FirstAsked(step, ask float64) float64 {
	sum := 0.0
	for t := step; t < 1.5*ask; t += step {
		sum += step * StillQuiet(t, ask)
	}
	return sum
}
