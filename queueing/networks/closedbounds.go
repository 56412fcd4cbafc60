package networks

import (
	"github.com/capplan/capplan/queueing"
	"math"
)

// ThroughputBounds are bounds on the throughput of a closed network of one
// class, per s.
type ThroughputBounds struct {
	Lower, Upper                 float64 // asymptotic
	BalancedLower, BalancedUpper float64 // balanced job bounds, at least as tight
	Saturation                   float64 // N* = (D + Z)/D_max, where the asymptotes cross
	Bottleneck                   int     // index of the station of greatest demand per server
}

// Bounds returns asymptotic and balanced job bounds for one class, Z being
// think time and delays, D the sum of the demands at the other stations:
//
//	N/(Z + N·D) ≤ X ≤ min(1/D_max, N/(D + Z))
//	N/(D + Z + D_max(N−1)/(1 + Z/(N·D))) ≤ X ≤ min(1/D_max, N/(D + Z + D/M·(N−1)/(1 + Z/D)))
//
// The first line is the asymptotic bounds, the second the balanced job bounds
// of single servers. A station of c servers lies between one such server and
// one that is c times as fast, and the throughput of a product-form network
// rises with every service rate: the lower balanced bound is that of the first
// network, the upper one that of the second, or the asymptotic one where that
// is lower; D_max on the right is D/c. Several classes, or no demand at any
// queueing station, are a *DomainError. Source: Zahorjan, Sevcik, Eager,
// Galler, Comm. ACM 25, 1982; Lazowska et al., Quantitative system performance,
// 1984, chapter 5; Shanthikumar, Yao, Oper. Res. 34, 1986 (rates).
func (n Closed) Bounds() (ThroughputBounds, error) {
	const fn = "networks.Closed.Bounds"
	if err := n.validate(fn); err != nil {
		return ThroughputBounds{}, err
	}
	if len(n.Classes) != 1 {
		return ThroughputBounds{}, &queueing.DomainError{Func: fn, Arg: "classes", Value: float64(len(n.Classes)), Want: "one class"}
	}
	class := n.Classes[0]
	customers := float64(class.Customers)
	think, queues := class.ThinkTime, 0.0
	total, longest := 0.0, 0.0 // D and D_max with one server a station
	fast, most := 0.0, 0.0     // and with one server c times as fast
	b := ThroughputBounds{Bottleneck: -1}
	for i, s := range n.Stations {
		d := class.Demands[i]
		if s.Delay {
			think += d
			continue
		}
		if d == 0 {
			continue
		}
		c := float64(s.servers())
		total += d
		longest = math.Max(longest, d)
		fast += d / c
		queues++
		if d/c > most {
			most, b.Bottleneck = d/c, i
		}
	}
	if total == 0 {
		return ThroughputBounds{}, &queueing.DomainError{Func: fn, Arg: "demands", Value: 0, Want: "a demand > 0 at a station with servers"}
	}
	b.Saturation = (total + think) / most
	if customers == 0 {
		return b, nil
	}
	b.Lower = customers / (think + customers*total)
	b.Upper = math.Min(1/most, customers/(total+think))
	b.BalancedLower = customers / (total + think + longest*(customers-1)/(1+think/(customers*total)))
	b.BalancedUpper = math.Min(b.Upper, customers/(fast+think+fast/queues*(customers-1)/(1+think/fast)))
	return b, nil
}
