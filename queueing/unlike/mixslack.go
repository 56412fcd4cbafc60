package unlike

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// A mixSum accumulates figures over the states seen so far.
type mixSum struct {
	stuck, wait, abandonment float64
	tails, late              []float64 // by objective: P(W > t), P(served, W > t)
	rest                     []float64 // scratch of [MixTable.queued]
}

// A toldLaw is a law of the wait of which only the probability that is asked for is known.
type toldLaw struct{ waits, late float64 }

func (l toldLaw) Tail(float64) float64       { return l.waits }
func (l toldLaw) ServedLate(float64) float64 { return l.late }
func (l toldLaw) Quantile(float64) float64   { return math.NaN() }

// Slack returns the least [queueing.Objective.Slack] of the figures of [MixTable.At], to about 1e-9
// (TestMixSlack), in some microseconds (BenchmarkMixSlack). It is faster than At because it
// computes only the figures that the objectives bound, and takes means over the numbers up by a
// Gauss rule of the binomial law if the figure is smooth in them. If an objective bounds a mean
// wait, a response or the loss, it calls At. Errors as At.
func (m *MixTable) Slack(counts []float64, objectives []queueing.Objective) (float64, error) {
	if m.onlyBusy(objectives) {
		return m.utilization(counts, objectives)
	}
	m = m.reaching(counts)
	least := math.Inf(1)
	if !m.tells(objectives) {
		f, err := m.At(counts)
		for i := 0; err == nil && i < len(objectives); i++ {
			least = math.Min(least, objectives[i].Slack(f))
		}
		return least, err
	}
	for _, o := range objectives {
		if o.Wait > m.within { // rules made for a shorter time may have too few points
			m.within = o.Wait
			for j := range m.few {
				clear(m.few[j])
			}
		}
	}
	v, ok, err := m.rule(counts, true)
	if err != nil {
		return 0, err
	}
	if ok && m.model.WhenFull == Impatient { // without servers all jobs give up: At has the closed form
		ok = floats.Sum(m.first) > 0
	}
	if !ok {
		f, err := m.At(counts)
		for i := 0; err == nil && i < len(objectives); i++ {
			least = math.Min(least, objectives[i].Slack(f))
		}
		return least, err
	}
	rate, err := v.check(0)
	if err != nil {
		return 0, err
	}
	if m.model.WhenFull == Queued {
		if err := steady("Varying", rate, m.load); err != nil {
			return 0, err
		}
	}
	s := &m.sum
	*s = mixSum{tails: zeroed(s.tails, len(objectives)), late: zeroed(s.late, len(objectives)), rest: s.rest[:0]}
	if m.model.WhenFull == Queued {
		m.queued(s, counts, objectives)
		copy(s.late, s.tails) // every job that waits is served
	} else {
		m.each(0, m.weight.Value, 1, counts, func(value, factor []float64, chance float64) {
			m.tell(s, value, factor, chance, objectives)
		})
	}
	f := queueing.Figures{
		ArrivalRate:     m.model.ArrivalRate,
		ServiceTime:     m.model.ServiceTime,
		OfferedLoad:     m.load,
		WaitProbability: s.wait + s.stuck,
		Abandonment:     s.abandonment,
		Throughput:      m.model.ArrivalRate * (1 - s.abandonment),
	}
	for j, k := range m.kinds {
		f.Servers += counts[j] * k.Up / k.PerJob
	}
	f.Utilization = f.Throughput * m.model.ServiceTime / rate
	for i, o := range objectives {
		told := f.With(queueing.Laws{Wait: toldLaw{s.tails[i] + s.stuck, s.late[i] + s.stuck}})
		least = math.Min(least, o.Slack(told))
	}
	return least, nil
}

// onlyBusy reports whether the objectives bound nothing but the utilization and no job is lost. The
// answer then needs only the mean numbers up.
func (m *MixTable) onlyBusy(objectives []queueing.Objective) bool {
	return m.model.WhenFull == Queued && m.plane != nil && len(objectives) > 0 &&
		!slices.ContainsFunc(objectives, func(o queueing.Objective) bool { return o.Metric != queueing.Utilization })
}

// utilization is Slack for the objectives that onlyBusy accepts.
func (m *MixTable) utilization(counts []float64, objectives []queueing.Objective) (float64, error) {
	if err := m.inDomain(counts); err != nil {
		return 0, err
	}
	busy, err := m.varying(counts).Utilization(0)
	f := queueing.Figures{ArrivalRate: m.model.ArrivalRate, Servers: floats.Sum(counts), Utilization: busy}
	least := math.Inf(1)
	for i := 0; err == nil && i < len(objectives); i++ {
		least = math.Min(least, objectives[i].Slack(f))
	}
	return least, err
}

// zeroed returns a slice of n zeros, the given one if it is long enough.
func zeroed(room []float64, n int) []float64 {
	room = slices.Grow(room[:0], n)[:n]
	clear(room)
	return room
}

// tells reports whether Slack can compute the figures of the objectives without At.
func (m *MixTable) tells(objectives []queueing.Objective) bool {
	if m.model.WhenFull == Lossy {
		return false
	}
	if arrival, service := m.model.scvs(); arrival+service == 0 {
		return false
	}
	for _, o := range objectives {
		switch o.Metric {
		case queueing.WaitProbability, queueing.WaitTail, queueing.Utilization, queueing.Abandonment, queueing.LateShare:
			if o.Wait < 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// A mixQueue holds the figures of the queue with m.counts servers that Slack and Busy need.
type mixQueue struct {
	speed float64       // total speed, Σ nⱼsⱼ
	sum   float64       // U in units of e^Top
	wait  float64       // P(W > 0)
	full  float64       // chance that all servers are busy, beyond the states of the loss system
	whole numeric.Decay // for Impatient
}

// queue evaluates the queue with m.counts servers; the integrand is value times factor, or value if
// factor is nil. ok is false if there is no steady state. The formulas are those of [Queue.At]
// written in U alone, which takes one product of vectors. Integration by parts, with φ the
// logarithm of the integrand and ρ = a/Σ nⱼsⱼ, gives
//
//	∫ Σ nⱼ/(aⱼ + t) e^φ dt = U − 1,  P(W > 0) = 1/(U·(1 − ρ) + ρ)
//
// where the second holds if nobody gives up.
func (m *MixTable) queue(value, factor []float64) (q mixQueue, ok bool) {
	for j, n := range m.counts {
		q.speed += n * m.kinds[j].Speed
	}
	if m.model.WhenFull == Queued && q.speed <= m.load {
		return q, false
	}
	if factor == nil {
		q.sum = floats.Sum(value)
	} else {
		q.sum = floats.Dot(value, factor)
	}
	one := m.one
	switch m.model.WhenFull {
	case Queued:
		busy := m.load / q.speed
		q.wait = one / (q.sum*((q.speed-m.load)/q.speed) + busy*one)
		q.full = busy * q.wait
	case Impatient:
		y := m.model.ArrivalRate * m.model.Patience
		q.whole = m.decays.at(q.speed*(m.model.Patience/m.model.ServiceTime), y, 0)
		first := math.Log(m.load/q.speed) - math.Log(y) - q.whole.Log
		q.wait = 1 / (1 + m.excess(value, factor, q.sum, one)*math.Exp(m.weight.Top+first))
		q.full = q.wait * -math.Expm1(math.Min(first, 0))
	}
	return q, true
}

// excess returns U − 1 in the units of the sum. Near U = 1, where nearly all jobs are lost, it
// avoids cancellation by computing the integral that U − 1 is.
func (m *MixTable) excess(value, factor []float64, sum, one float64) (excess float64) {
	if sum > 2*one {
		return sum - one
	}
	rests := m.rests(m.times(value, factor))
	for j, n := range m.counts {
		if n > 0 {
			excess += n * rests[j]
		}
	}
	return excess
}

// tell adds to the sum what the objectives need of the queue with m.counts servers, if jobs may
// give up.
func (m *MixTable) tell(s *mixSum, value, factor []float64, chance float64, objectives []queueing.Objective) {
	m.model.Work.add(m.tellSteps() + factorSteps*m.nodes)
	q, ok := m.queue(value, factor)
	if !ok {
		s.stuck += chance
		return
	}
	s.wait += chance * q.wait
	s.abandonment += chance * q.wait * q.whole.Spent
	for i, o := range objectives {
		if o.Metric != queueing.WaitTail && o.Metric != queueing.LateShare {
			continue
		}
		w := o.Wait / m.model.Patience
		late := m.decays.at(q.speed*(m.model.Patience/m.model.ServiceTime), m.model.ArrivalRate*m.model.Patience, w)
		waits := chance * q.wait * math.Exp(late.Log-q.whole.Log)
		s.tails[i], s.late[i] = s.tails[i]+waits*math.Exp(-w), s.late[i]+waits*late.Left
	}
}

// rests returns ∫ e^φ/(aⱼ + t) dt for each kind that has servers. Kinds of one speed share the
// integral.
func (m *MixTable) rests(value []float64) []float64 {
	for j, n := range m.counts {
		if n > 0 {
			m.left[j] = math.NaN()
			for i := range j {
				if m.counts[i] > 0 && m.kinds[i].Speed == m.kinds[j].Speed {
					m.left[j] = m.left[i]
				}
			}
			if math.IsNaN(m.left[j]) {
				m.left[j] = m.plane.Rest(j, value)
			}
		}
	}
	return m.left
}
