package unlike

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// A mixRule is the numbers up of one count of a kind of which means are made.
type mixRule struct {
	*upRows
	few    bool    // points of a Gauss rule, not all numbers up
	lowest float64 // servers of the fewest up that count for one, where few
}

// A mixAsked is a count of a kind with how often it was asked for.
type mixAsked struct {
	asked int
	rule  *mixRule // from gaussPays on; nil: there is none
}

// A mixSum is what the numbers up so far come to.
type mixSum struct {
	stuck, wait, abandonment float64
	tails, late              []float64 // by objective: P(W > t), P(served, W > t)
}

// A toldLaw is a wait of which the one chance that is asked for is known.
type toldLaw struct{ waits, late float64 }

func (l toldLaw) Tail(float64) float64       { return l.waits }
func (l toldLaw) ServedLate(float64) float64 { return l.late }
func (l toldLaw) Quantile(float64) float64   { return math.NaN() }

// Slack returns the least [queueing.Objective.Slack] of the figures of [MixTable.At], to
// about 1e-9 (TestMixSlack), in some microseconds (BenchmarkMixSlack): it makes no figure
// but those that the objectives bound, and takes the mean over the numbers up by
// a Gauss rule of the binomial law where the figure is smooth in them. With an
// objective on mean waits, responses or loss it is that of At. Errors as At.
func (m *MixTable) Slack(counts []float64, objectives []queueing.Objective) (float64, error) {
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
		if o.Wait > m.within { // rules that were made for less may be too short
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
	if ok && m.model.WhenFull == Impatient { // without servers all give up, in closed form
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
	*s = mixSum{tails: zeroed(s.tails, len(objectives)), late: zeroed(s.late, len(objectives))}
	m.each(0, m.weight.Value, 1, counts, func(value []float64, chance float64) {
		m.tell(s, value, chance, objectives)
	})
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

// zeroed returns n zeros, in the given room where that does.
func zeroed(room []float64, n int) []float64 {
	room = slices.Grow(room[:0], n)[:n]
	clear(room)
	return room
}

// tells reports whether Slack knows the figures of the objectives by itself.
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

// A mixQueue is the queue of m.counts servers as far as it is asked for.
type mixQueue struct {
	speed float64 // Σ nⱼsⱼ
	sum   float64 // U in units of e^Top
	rests []float64
	wait  float64       // P(W > 0)
	full  float64       // chance that all are busy beyond the states of the loss system
	whole numeric.Decay // where some give up
}

// queue evaluates m.counts servers, the integrand being value; ok is false where
// there is no steady state. The formulas are those of [Queue.At].
func (m *MixTable) queue(value []float64) (q mixQueue, ok bool) {
	for j, n := range m.counts {
		q.speed += n * m.kinds[j].Speed
	}
	q.sum, q.rests = floats.Sum(value), m.rests(value)
	switch m.model.WhenFull {
	case Queued:
		if q.speed <= m.load {
			return q, false
		}
		delay := 0.0
		for j, n := range m.counts {
			if n > 0 {
				a := m.load / m.kinds[j].Speed
				delay += n / a * math.Max(q.sum-a*q.rests[j], 0)
			}
		}
		q.wait = q.speed / m.load / delay * math.Exp(-m.weight.Top)
		q.full = m.load / q.speed * q.wait
	case Impatient:
		excess := 0.0
		for j, n := range m.counts {
			if n > 0 {
				excess += n * q.rests[j]
			}
		}
		y := m.model.ArrivalRate * m.model.Patience
		q.whole = m.decay(q.speed*(m.model.Patience/m.model.ServiceTime), y, 0)
		first := math.Log(m.load/q.speed) - math.Log(y) - q.whole.Log
		q.wait = 1 / (1 + excess*math.Exp(m.weight.Top+first))
		q.full = q.wait * -math.Expm1(math.Min(first, 0))
	}
	return q, true
}

// tell adds what the objectives ask of the queue of m.counts servers.
func (m *MixTable) tell(s *mixSum, value []float64, chance float64, objectives []queueing.Objective) {
	q, ok := m.queue(value)
	if !ok {
		s.stuck += chance
		return
	}
	s.wait += chance * q.wait
	s.abandonment += chance * q.wait * q.whole.Spent
	arrival, service := m.model.scvs()
	for i, o := range objectives {
		switch {
		case o.Metric != queueing.WaitTail && o.Metric != queueing.LateShare:
		case m.model.WhenFull == Queued:
			decline := (q.speed - m.load) / ((arrival/2 + service/2) * m.model.ServiceTime)
			tail := chance * q.wait * math.Exp(-o.Wait*decline)
			s.tails[i], s.late[i] = s.tails[i]+tail, s.late[i]+tail
		default:
			w := o.Wait / m.model.Patience
			late := m.decay(q.speed*(m.model.Patience/m.model.ServiceTime), m.model.ArrivalRate*m.model.Patience, w)
			waits := chance * q.wait * math.Exp(late.Log-q.whole.Log)
			s.tails[i], s.late[i] = s.tails[i]+waits*math.Exp(-w), s.late[i]+waits*late.Left
		}
	}
}

// Busy returns by kind the mean number of busy servers, as [Varying.Busy].
func (m *MixTable) Busy(counts []float64) ([]float64, error) {
	m = m.reaching(counts)
	v, ok, err := m.rule(counts, true)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(m.kinds))
	if ok {
		m.each(0, m.weight.Value, 1, counts, func(value []float64, chance float64) {
			q, steady := m.queue(value)
			for j, n := range m.counts {
				switch {
				case !steady:
					out[j] += chance * n
				case n > 0:
					out[j] += chance * n * (q.rests[j]*m.load/m.kinds[j].Speed/q.sum*(1-q.full) + q.full)
				}
			}
		})
		return out, nil
	}
	if m.below(counts) > 1 {
		return m.farBusy(counts)
	}
	beside, coming, err := v.Busy()
	if err != nil {
		return nil, err
	}
	for j, k := range m.kinds {
		switch {
		case k.Up == 1:
			out[j], beside = beside[0], beside[1:]
		case counts[j] > 0:
			out[j], coming = coming[0], coming[1:]
		}
	}
	return out, nil
}

// farPoints are those of a Gauss rule for counts far beyond what the load asks
// for: how busy n servers are then falls as a/(a + n) at most, which is smooth for
// numbers up that stand σ « a + n apart.
const farPoints = 10

// farBusy is Busy of counts that the nodes do not reach.
func (m *MixTable) farBusy(counts []float64) ([]float64, error) {
	out := make([]float64, len(m.kinds))
	var over func(j int, chance float64) error
	over = func(j int, chance float64) error {
		if j == len(m.kinds) {
			for i, k := range m.kinds {
				m.groups[i] = Group{m.counts[i], k.Speed}
			}
			_, busy, err := m.model.product(m.groups, nil, numeric.DecayIntegrals)
			if errors.Is(err, queueing.ErrUnstable) {
				busy, err = m.counts, nil
			}
			for i, b := range busy {
				out[i] += chance * b
			}
			return err
		}
		k := m.kinds[j]
		nodes, weights := []float64{counts[j] * k.Up}, []float64{1}
		if counts[j] > 0 && k.Up > 0 && k.Up < 1 {
			nodes, weights = numeric.BinomialRule(counts[j], k.Up, int(math.Min(farPoints, counts[j]+1)))
		}
		for i, u := range nodes {
			m.counts[j] = math.Max(u, 0) / k.PerJob
			if err := over(j+1, chance*weights[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return out, over(0, 1)
}

// rests returns by kind ∫ e^φ/(aⱼ + t) of the integrand, where it has servers;
// kinds of one speed share it.
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

// each calls back with the integrand and the chance of all numbers up of the
// kinds from the given one on, m.counts being the servers.
func (m *MixTable) each(j int, value []float64, chance float64, counts []float64, back func([]float64, float64)) {
	for ; j < len(m.kinds); j++ {
		if counts[j] > 0 && m.kinds[j].Up < 1 {
			break
		}
		m.counts[j] = m.first[j]
	}
	if j == len(m.kinds) {
		back(value, chance)
		return
	}
	r := m.used[j]
	next := slices.Grow(m.room[j][:0], len(value))[:len(value)]
	m.room[j] = next
	for i, factor := range r.factor {
		floats.MulTo(next, value, factor)
		m.counts[j] = r.servers[i]
		m.each(j+1, next, chance*r.chance[i], counts, back)
	}
}

// rule starts the integrand of the counts and chooses the numbers up: few where
// what is asked for is smooth in all that count. ok is false where the table does
// not hold them.
func (m *MixTable) rule(counts []float64, smooth bool) (v Varying, ok bool, err error) {
	if v, ok, err = m.holds(counts); !ok {
		return v, ok, err
	}
	states := 1
	choose := func(few bool) bool {
		rate := 0.0
		states = 1
		for j, k := range m.kinds {
			m.first[j] = counts[j] * k.Up / k.PerJob
			lowest := m.first[j]
			if counts[j] > 0 && k.Up < 1 {
				r := m.rules(j, counts[j], few)
				if r == nil {
					return false
				}
				m.used[j], m.first[j], lowest = r.upRows, r.first, r.lowest
				states *= len(r.chance)
			}
			rate += lowest * k.Speed
		}
		return !few || m.model.WhenFull != Queued || rate > m.load
	}
	if !(smooth && choose(true)) && !choose(false) || states > mostMixStates {
		return v, false, nil
	}
	m.plane.Start(&m.weight, m.first)
	return v, true, nil
}

// rules returns the numbers up of a count of a kind, few or all; nil where they
// are too far apart for the nodes.
func (m *MixTable) rules(j int, count float64, few bool) *mixRule {
	if !few {
		if r := m.up(j, count); r != nil {
			return &mixRule{upRows: r}
		}
		return nil
	}
	f := m.few[j][count]
	if f.asked++; f.asked == gaussPays {
		f.rule = m.fewest(j, count)
	}
	m.few[j][count] = f
	if f.asked < gaussPays {
		if r := m.up(j, count); r != nil {
			return &mixRule{upRows: r, lowest: r.first}
		}
		return nil
	}
	return f.rule
}

// gaussPays is how often a count has to be asked for until a Gauss rule, which
// takes longer to make than a sum over all numbers up, saves time.
const gaussPays = 4

// smoothBeyond is the logarithm of how much rarer than the floor numbers up are
// at which the figures need not be smooth.
const smoothBeyond = -20

// fewest makes a Gauss rule. A figure that falls as e^(−κu) with the number up u,
// of variance σ², is off by about (κσ)^(2n)/n! with n points; no figure falls
// faster than the loss at the ends of the plane times e^(−t·μ) for each server, t
// being the longest time of an objective.
func (m *MixTable) fewest(j int, count float64) *mixRule {
	k := m.kinds[j]
	deviation := math.Sqrt(count * k.Up * (1 - k.Up))
	server := math.Log(m.ends[j]*k.Speed/m.load) + k.Speed*m.within/m.model.ServiceTime
	fall := 0.3 + deviation*server/k.PerJob
	points, off := 2, fall*fall*fall*fall/2
	for ; off > 1e-13 && points < 64; points++ {
		off *= fall * fall / float64(points+1)
	}
	if off > 1e-13 || float64(points) >= math.Min(count+1, 7*deviation) {
		r := m.up(j, count)
		if r == nil {
			return nil
		}
		return &mixRule{upRows: r, lowest: r.first}
	}
	nodes, weights := numeric.BinomialRule(count, k.Up, points)
	if (nodes[points-1]-nodes[0])/k.PerJob*m.plane.Longest(j) >= 600 {
		return nil
	}
	r := &mixRule{upRows: &upRows{first: nodes[0] / k.PerJob}, few: true}
	for i, u := range nodes {
		r.chance = append(r.chance, weights[i])
		r.servers = append(r.servers, u/k.PerJob)
		r.factor = append(r.factor, m.plane.Factor(j, (u-nodes[0])/k.PerJob))
		m.kept += len(r.factor[i])
	}
	low := math.Floor(count * k.Up)
	for step := math.Max(1, math.Floor(deviation/2)); low > 0; low -= step {
		if logBinomial(low, count, k.Up) < m.floor+smoothBeyond {
			break
		}
	}
	r.lowest = math.Max(low, 0) / k.PerJob
	return r
}
