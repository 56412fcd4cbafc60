package station

// perCustomer is how many seconds a customer takes to simulate, with his arrival and
// his departure; measured on M/M/3.
const perCustomer = 1.5e-6

// Seconds implements [sim.Paced].
func (s *Station) Seconds(horizon float64) float64 {
	if s.Check() != nil {
		return 0
	}
	if n := len(s.Jobs); n > 0 {
		return perCustomer * float64(n)
	}
	return perCustomer * s.rate() * horizon
}
