package station

// perCustomer is how many seconds a customer takes to simulate, with his arrival and his departure, at a station
// whose events to come are few enough for a cache; see Weight.
const perCustomer = 3e-7

// Weight is about how many times what it takes at a small station an event takes here, where as many events are to come
// as customers are served and think: .15 µs up to 100,000 servers and 10,000 sources, .32 at a million servers and .64
// at a million sources. It is somewhat more, since runs of many customers begin by drawing all that are in their midst.
// Classes have books of their own, and whoever is interrupted is put back among those who wait: of three classes by
// priority an event takes 1.7 times what it does of one class, and 2.2 times with interruptions (BenchmarkClasses).
// Where servers are shared each customer has an event more, as the next end is asked for anew with each who comes.
// The intervals of shifts have books as well, of 70 too many for a cache: .24 µs.
func (s *Station) Weight() float64 {
	to := float64(s.Servers)
	for i := range s.Classes {
		to += 3 * float64(s.Classes[i].Sources)
	}
	if s.Check() == nil && len(s.Jobs) == 0 && s.Classes[0].Patience != nil {
		to += 3 * s.mostWaiting() // each may give up
	}
	books := 1.0
	switch several := len(s.Classes) > 1; {
	case s.Order == Sharing:
		books = 1.5
	case several && s.Preemptive:
		books = 1.6
	case several, len(s.Shifts) > 0:
		books = 1.25 + min(0.75, float64(len(s.Shifts))/140)
	}
	return books * (1 + max(0, to-1e5)/4e5)
}

// Events is about how many events the replications of a horizon have each, 0 for a station that does not pass Check.
func (s *Station) Events(horizon float64) float64 {
	if s.Check() != nil {
		return 0
	}
	if n := len(s.Jobs); n > 0 {
		return events * float64(n)
	}
	return events * s.flow() * horizon
}

// Seconds implements [sim.Paced].
func (s *Station) Seconds(horizon float64) float64 {
	return s.Weight() * perCustomer / events * s.Events(horizon)
}
