package queueing

// PS is a queue under processor sharing: c servers, each customer served at
// once at the rate min(1, c/n) of a server when n are there. One server is the
// classical M/G/1-PS.
type PS struct {
	ArrivalRate float64 // λ ≥ 0, per s, Poisson
	ServiceTime float64 // E[S] > 0, s; the law does not matter
	Servers     int     // c ≥ 1; 0 stands for 1
}

// Figures returns the means, which depend on the law of service only through
// its mean:
//
//	E[T] = E[S]·(1 + C(c, a)/(c − a)),  for c = 1: E[S]/(1 − ρ)
//
// MeanWait is E[T] − E[S], the delay by sharing; nobody waits outside.
// WaitProbability is the chance C(c, a) to be served at less than full rate
// on arrival. Errors: *DomainError, and *UnstableError for a ≥ c. Source:
// Cohen, The multiple phase service network with generalized processor
// sharing, Acta Informatica 12, 1979.
func (q PS) Figures() (Figures, error) {
	f, err := q.load()
	if err != nil {
		return Figures{}, err
	}
	f, err = MMCPS{q.ArrivalRate, q.ServiceTime}.shared(f)
	f.response = nil // of exponential services: [PS.ResponseTail]
	return f, err
}

// ResponseGiven returns the mean response in s of a customer that needs x ≥ 0
// seconds of a whole server: x·E[T]/E[S], for one server x/(1 − ρ). Errors as
// [PS.Figures].
func (q PS) ResponseGiven(x float64) (float64, error) {
	c := Domain{Func: "PS.ResponseGiven"}
	c.AtLeastZero("service need", x)
	if c.Err != nil {
		return 0, c.Err
	}
	f, err := q.Figures()
	if err != nil {
		return 0, err
	}
	return x * (f.MeanResponse / q.ServiceTime), nil
}

func (q PS) load() (Figures, error) {
	servers := q.Servers
	if servers == 0 {
		servers = 1
	}
	if servers < 1 {
		return Figures{}, &DomainError{"PS", "servers", float64(servers), "servers >= 1"}
	}
	return figures("PS", float64(servers), q.ArrivalRate, q.ServiceTime)
}
