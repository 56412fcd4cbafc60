package priority

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// waitingChain returns the mean numbers waiting of two exponential classes on c
// servers where nobody is interrupted: a chain whose level is the second class's
// queue and whose phase is how many servers work for the first class and how
// long that class's queue is, cut where less than 1e-12 is left. ok is false
// where the chain would be too large or ctx ends.
func waitingChain(ctx context.Context, c int, first, second Class) (queues [2]float64, ok bool) {
	if first.ArrivalRate == 0 {
		return queues, false
	}
	cut := int(math.Ceil(math.Log(chainLost)/math.Log(firstQueueDecay(c, first, second)))) + 2
	phases := (c + 1) * cut
	idle := c * (c + 1) / 2
	if phases+idle > chainPhases || math.Pow(float64(phases), 3)*12 > chainWork {
		return queues, false
	}
	ground, l := waitingLevels(c, cut, [2]float64{first.ArrivalRate, second.ArrivalRate},
		[2]float64{1 / first.ServiceTime, 1 / second.ServiceTime})
	r, ok := l.rate(ctx)
	if !ok {
		return queues, false
	}
	var back mat.Dense
	back.Mul(r, l.down)
	for p := range phases {
		for to := range phases {
			move(ground, idle+p, idle+to, back.At(p, to))
		}
	}
	pi, ok := stationary(ground)
	if !ok {
		return queues, false
	}
	busy := mat.VecDenseCopyOf(pi.SliceVec(idle, idle+phases))
	once, ramp, ok := geometricTail(busy, r)
	if !ok {
		return queues, false
	}
	total := mat.Sum(pi) - mat.Sum(busy) + mat.Sum(once)
	for j := range c + 1 {
		for q := range cut {
			queues[0] += float64(q) * once.AtVec(j*cut+q) / total
		}
	}
	queues[1] = ramp / total
	return queues, queues[0] >= 0 && queues[1] >= 0 && !math.IsInf(queues[1], 1)
}

// move adds a rate from one state to another.
func move(m *mat.Dense, from, to int, rate float64) { m.Set(from, to, m.At(from, to)+rate) }

// waitingLevels returns the rates of the chain, lambda and mu by class: of all states of level 0, the
// last of which are those of any level, and of the levels above.
func waitingLevels(c, cut int, lambda, mu [2]float64) (ground *mat.Dense, _ levels) {
	phases, idle := (c+1)*cut, c*(c+1)/2
	at := func(j, q int) int { return idle + j*cut + q }
	seat := make([][]int, c)
	count := 0
	for a := range c {
		for range c - a {
			seat[a] = append(seat[a], count)
			count++
		}
	}
	sit := func(a, b int) int {
		if a+b == c {
			return at(a, 0)
		}
		return seat[a][b]
	}
	ground = mat.NewDense(idle+phases, idle+phases, nil)
	for a := range c {
		for b := range c - a {
			s := seat[a][b]
			move(ground, s, sit(a+1, b), lambda[0])
			move(ground, s, sit(a, b+1), lambda[1])
			if a > 0 {
				move(ground, s, sit(a-1, b), float64(a)*mu[0])
			}
			if b > 0 {
				move(ground, s, sit(a, b-1), float64(b)*mu[1])
			}
		}
	}
	up, stay, down := mat.NewDense(phases, phases,
		nil), mat.NewDense(phases, phases, nil), mat.NewDense(phases, phases, nil)
	for j := range c + 1 {
		done := [2]float64{float64(j) * mu[0], float64(c-j) * mu[1]}
		for q := range cut {
			s := at(j, q)
			p := s - idle
			up.Set(p, p, lambda[1])
			if q+1 < cut {
				move(ground, s, s+1, lambda[0])
				stay.Set(p, p+1, lambda[0])
			}
			for class, rate := range done {
				if rate == 0 {
					continue
				}
				left := j - (1 - class) // servers that still work for the first class
				if q > 0 {
					move(ground, s, at(left+1, q-1), rate)
					move(stay, p, at(left+1, q-1)-idle, rate)
					continue
				}
				move(ground, s, sit(left, c-1-left), rate)
				move(down, p, at(left, 0)-idle, rate)
			}
			stay.Set(p, p, -mat.Sum(stay.RowView(p))-mat.Sum(down.RowView(p))-lambda[1])
		}
	}
	for s := range idle + phases {
		out := mat.Sum(ground.RowView(s))
		if s >= idle {
			out += lambda[1]
		}
		ground.Set(s, s, -out)
	}
	return ground, levels{up, stay, down}
}

// firstQueueDecay returns by which factor the chance of one more of the first
// class waiting falls in the end. While there are any, servers take only these,
// so the number j of servers that work for them never falls and the factor is
// the greatest over j of the root r < 1 of j·μ₁r² − (λ₁ + j·μ₁ + (c−j)·μ₂)r + λ₁ = 0.
func firstQueueDecay(c int, first, second Class) float64 {
	most := 0.0
	for j := range c + 1 {
		own, other := float64(j)/first.ServiceTime, float64(c-j)/second.ServiceTime
		half := (first.ArrivalRate + own + other) / 2
		r := first.ArrivalRate / (half + math.Sqrt(half*half-own*first.ArrivalRate))
		most = math.Max(most, r)
	}
	return math.Min(most, 0.999)
}
