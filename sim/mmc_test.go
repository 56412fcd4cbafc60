package sim

import "math/rand/v2"

// A queue is M/M/c, or M/Eₖ/c, with customers that may lose their patience, as small as it can
// be: what package sim is tried on.
type queue struct {
	arrival, service, patience float64 // rates; patience 0 for none
	servers                    int
	stages                     int  // of the service: Erlang's law; 0 and 1 are exponential
	cycles                     bool // cut where it empties
	waits                      bool // observe the quantile too
}

const (
	wait = iota
	present
	abandoned
	wait90
)

func (q queue) Figures() []Figure {
	f := []Figure{
		{Name: "mean_wait", Unit: "s"},
		{Name: "jobs", Kind: TimeAverage},
		{Name: "abandon_probability", Kind: Ratio, Scale: 0.01},
	}
	if q.waits {
		f = append(f, Figure{Name: "wait_p90", Unit: "s", Kind: Quantile, P: 0.9})
	}
	return f
}

type queueEvent struct {
	kind uint8
	who  int
}

func (q queue) Replicate(r *Replication) error {
	const arrive, leave, renege = 0, 1, 2
	var agenda Agenda[queueEvent]
	arrivals, services, patience := r.Stream(1), r.Stream(2), r.Stream(3)
	var came []float64 // of those that wait, by number from first on; −1 for gone
	first, waiting, busy, next := 0, 0, 0, 0
	last := 0.0
	exp := func(s *rand.Rand, rate float64) float64 { return s.ExpFloat64() / rate }
	agenda.Schedule(exp(arrivals, q.arrival), queueEvent{kind: arrive})
	serve := func(now, since float64) {
		busy++
		length := exp(services, q.service)
		for range q.stages - 1 {
			length += exp(services, q.service)
		}
		agenda.Schedule(now+length, queueEvent{kind: leave})
		if now >= r.WarmUp {
			r.Observe(wait, now-since)
			r.Add(abandoned, 0, 1)
			if q.waits {
				r.Observe(wait90, now-since)
			}
		}
	}
	for {
		now, e, _ := agenda.Next()
		if r.Events++; r.Events&4095 == 0 && r.Err() != nil {
			return r.Err()
		}
		level := float64(busy + waiting)
		if from := max(last, r.WarmUp); min(now, r.Horizon) > from {
			r.Add(present, level*(min(now, r.Horizon)-from), min(now, r.Horizon)-from)
		}
		r.WatchLevel(last, now, level)
		last = now
		if now > r.Horizon {
			return nil
		}
		switch e.kind {
		case arrive:
			if q.cycles && busy+waiting == 0 {
				r.Cut()
			}
			agenda.Schedule(now+exp(arrivals, q.arrival), queueEvent{kind: arrive})
			if busy < q.servers {
				serve(now, now)
				break
			}
			if q.patience > 0 {
				agenda.Schedule(now+exp(patience, q.patience), queueEvent{kind: renege, who: next})
			}
			came = append(came, now)
			next++
			waiting++
		case leave:
			busy--
			for len(came) > 0 {
				since := came[0]
				came = came[1:]
				first++
				if since >= 0 {
					waiting--
					serve(now, since)
					break
				}
			}
		case renege:
			if i := e.who - first; i >= 0 && i < len(came) {
				since := came[i]
				came[i] = -1
				waiting--
				if now >= r.WarmUp {
					r.Observe(wait, now-since)
					r.Add(abandoned, 1, 1)
				}
			}
		}
	}
}
