package frailty

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/smp"
)

// A knownFleet draws records from a process whose hazard is known.
type knownFleet struct {
	rng        *rand.Rand
	shape      float64
	groupShape float64 // 0: no groups
	size       int     // of a group
	clock      Clock
}

func newKnownFleet(seed uint64, shape float64) *knownFleet {
	return &knownFleet{rng: rand.New(rand.NewPCG(seed, 1)), shape: shape, clock: Clock{Period: 300}}
}

// hazard is the process's own: falling with age, greater in the working hours of
// weekdays.
func (*knownFleet) hazard(age Age, hour int) float64 {
	h := 0.002 + 0.05*math.Pow(0.6, float64(Age{Steps: age.Steps}.Bin()))
	if hour >= 8 && hour < 18 {
		h *= 2.5
	}
	return h
}

func (k *knownFleet) gamma(shape float64) float64 {
	return distuv.Gamma{Alpha: shape, Beta: shape, Src: k.rng}.Rand()
}

// history draws the record of a machine, step by step.
func (k *knownFleet) history(theta float64, steps int64) *smp.History {
	h := &smp.History{Period: k.clock.Period}
	for s := int64(0); s < steps; {
		first := s
		for s < steps {
			s++
			if k.rng.Float64() < -math.Expm1(-theta*k.hazard(Age{Steps: s - 1 - first}, k.clock.Hour(s-1))) {
				break
			}
		}
		_ = h.Add(smp.Run{State: smp.S1, First: first, Steps: s - first})
		if s < steps {
			down := 1 + k.rng.Int64N(6)
			_ = h.Add(smp.Run{State: smp.S5, First: s, Steps: down})
			s += down
		}
	}
	return h
}

// fleet draws machines with the frailties that they got.
func (k *knownFleet) fleet(n int, steps int64) (records []Record, theta []float64) {
	phi := 1.0
	for i := range n {
		r := Record{Name: fmt.Sprintf("m%05d", i)}
		if k.groupShape > 0 {
			if i%k.size == 0 {
				phi = k.gamma(k.groupShape)
			}
			r.Group = fmt.Sprintf("g%04d", i/k.size)
		}
		t := phi * k.gamma(k.shape)
		h := k.history(t, steps)
		if err := r.Add(k.clock, smp.FiveStates(), h, 0, steps); err != nil {
			panic(err)
		}
		records, theta = append(records, r), append(theta, t)
	}
	return records, theta
}
