package routing

import "fmt"

// regime returns a warning for each kind of approximation in use outside its
// regime, naming the first cluster and counting the others.
func regime(clusters []Cluster) []string {
	var several, gaps outside
	for j := range clusters {
		c := &clusters[j]
		if c.Servers > 1 {
			exponential := c.SecondMoment <= 3*c.ServiceTime*c.ServiceTime &&
				c.LocalSecondMoment <= 3*c.LocalServiceTime*c.LocalServiceTime
			ratio := 1.0
			if c.LocalRate > 0 {
				ratio = c.LocalServiceTime / c.ServiceTime
			}
			if !exponential || ratio > 3 || ratio < 1./3 {
				several.see(c, j)
			}
		}
		if c.ExcessSCV != 0 || c.LocalExcessSCV != 0 {
			gaps.see(c, j)
		}
	}
	var w []string
	if several.n > 0 {
		w = append(w, fmt.Sprintf(
			"the response of clusters with several servers is an approximation, good for squared coefficients of variation up to 2 and mean service times of the two streams within a factor of 3 of each other; %v outside it: confirm by simulation",
			several,
		))
	}
	if gaps.n > 0 {
		w = append(w, fmt.Sprintf(
			"arrivals that are not Poisson enter by the Allen-Cunneen factor, an approximation for utilizations of at least 0.5 and squared coefficients of variation up to 2; %v given such gaps: confirm by simulation",
			gaps,
		))
	}
	return w
}

// outside is a set of clusters, in words.
type outside struct {
	n     int
	first string
}

func (o *outside) see(c *Cluster, j int) {
	if o.n++; o.n == 1 {
		o.first = label(c, j)
	}
}

func (o outside) String() string {
	if o.n == 1 {
		return o.first + " is"
	}
	return fmt.Sprintf("%s and %d more are", o.first, o.n-1)
}
