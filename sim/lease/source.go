package lease

import (
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
)

// A source draws the requests of one stream, one after another. What it draws
// does not depend on what becomes of them, so two policies meet the same requests.
type source struct {
	rng    *rand.Rand
	stream routing.Stream
	power  float64 // 1/shape of the gaps
	kept   float64
	share  [external]float64 // of the types; unused for local requests
}

// A request is what a source draws.
type request struct {
	nodes int32
	work  float64 // s at the reference speed
	typ   Type
}

func newSource(rng *rand.Rand, s routing.Stream, kept float64, share [external]float64) *source {
	return &source{rng: rng, stream: s, power: 1 / s.Gap.Shape, kept: kept, share: share}
}

// next returns the time of the first request after now that is kept, or a time at which
// the run has ended: of few kept the next one may lie beyond any count of draws.
func (s *source) next(r *sim.Replication, now float64) (float64, error) {
	gap := 0.0
	for n := 1; ; n++ {
		gap += s.stream.Gap.Scale * math.Pow(s.rng.ExpFloat64(), s.power)
		if s.kept >= 1 || s.rng.Float64() < s.kept {
			return now + gap, nil
		}
		// Not sooner: the request that comes now is drawn after this gap, and would be another.
		if n&1023 == 0 {
			if err := r.At(now + gap); err != nil || now+gap >= r.Horizon {
				return now + gap, err
			}
		}
	}
}

func (s *source) request() request {
	l := &s.stream.Size
	r := l.Parallel.Draw(s.rng)
	nodes := 1.0
	switch u := s.rng.Float64(); {
	case u < l.One:
	case u < l.One+l.Pow2:
		nodes = math.Exp2(math.Ceil(r))
	default:
		nodes = math.Round(math.Exp2(r))
	}
	out := request{
		nodes: int32(max(1, nodes)),
		work:  math.Exp(s.stream.Duration.Mu + s.stream.Duration.Sigma*s.rng.NormFloat64()),
	}
	u := s.rng.Float64()
	for u -= s.share[0]; u >= 0 && int(out.typ) < external-1; u -= s.share[out.typ] {
		out.typ++
	}
	return out
}
