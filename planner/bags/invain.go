package bags

import "github.com/capplan/capplan/planner/ask"

// Counted refuses speeds of machines that are only counted. Errors: *ask.InputError.
func (s *HostsSpec) Counted() error {
	switch {
	case s.Speed != nil:
		return ask.Inputf("speed", "machines are counted whatever their speed: leave it out")
	case s.SpeedCV != nil:
		return ask.Inputf("speed_cv", "machines are counted whatever their speed: leave it out")
	}
	return nil
}

// Credited refuses a bound of a user on the time of a task where no credits follow from it: they
// are given, or there is no strategy that would spend them. Errors: *ask.InputError.
func (s *BagSpec) Credited(strategy string, credits *float64) error {
	if s.WallClock != nil && (strategy == "" || strategy == "none" || credits != nil) {
		return ask.Inputf("wall_clock", "only the credits of a strategy of simulate bot follow from it: leave it out")
	}
	return nil
}
