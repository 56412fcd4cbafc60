package lease

// perRequest is how many seconds a request takes to simulate; measured on the three
// clusters of DAS-2, backfilled.
const perRequest = 3e-6

// Seconds implements [sim.Paced].
func (s *System) Seconds(horizon float64) float64 {
	if _, err := s.resolved("System.Seconds"); err != nil {
		return 0
	}
	requests := horizon / s.Workload.External.Gap.Mean()
	for _, site := range s.Workload.Sites {
		if gap := site.Local.Gap.Mean(); gap > 0 {
			requests += horizon / gap
		}
	}
	return perRequest * requests
}
