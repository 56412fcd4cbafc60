package drawn

import "math"

// Quantile returns the least need that covers a share p of the sorted needs. It
// is the quantile of the sample that is a value of it, not one between: servers
// are whole. Nil is infinity, where that share of draws has no answer.
func Quantile(needs Needs, p float64) (*int64, error) {
	i := int(math.Ceil(p*float64(needs.Count()))) - 1
	v, err := needs.At(max(i, 0))
	if err != nil || math.IsInf(v, 1) {
		return nil, err
	}
	return new(int64(v)), nil
}

// Regret returns the mean and the greatest regret of fleets by the number of servers: server cost
// times the servers too many, shortfall cost times those too few.
func (n Known) Regret(server, shortfall float64) func(float64) (mean, worst float64) {
	return func(servers float64) (mean, worst float64) {
		k, _ := n.Met(servers)
		fewer, all := 0.0, 0.0 // sums of the first k, and of all
		for i, need := range n {
			if i == k {
				fewer = all
			}
			all += need
		}
		if k == len(n) {
			fewer = all
		}
		over := servers*float64(k) - fewer
		under := all - fewer - servers*float64(len(n)-k)
		// The worst draw is at one of the ends, since the regret rises to both
		// sides.
		worst = math.Max(server*(servers-n[0]), shortfall*(n[len(n)-1]-servers))
		return (server*over + shortfall*under) / float64(len(n)), math.Max(worst, 0)
	}
}
