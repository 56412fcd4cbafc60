package lease

import (
	"fmt"
	"math/rand/v2"
	"sort"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/queueing/routing"
)

// A Policy is how the gateway chooses the cluster of an external request.
type Policy uint8

const (
	// PAPRTDP takes the split of PAP and a billiard sequence for each type of
	// request (InterGrid algorithms 1 and 2).
	PAPRTDP Policy = iota
	// PAPRND takes the split of PAP and draws.
	PAPRND
	// RoundRobin sends the same share everywhere (eq. 25).
	RoundRobin
	// LeastRateFirst sends the more, the lower the local rate (eq. 26).
	LeastRateFirst
	// BiggestClusterFirst sends in proportion to power (eq. 27).
	BiggestClusterFirst
	// LeastWorkLeft sends each request where the fewest node-seconds a node are
	// still to be done. The others know nothing of the clusters at the time: what
	// they lose against it is the price of that.
	LeastWorkLeft
	// PAPServersRTDP and PAPServersRND are PAP by the response of several servers
	// (section 4.1 of InterGrid), each the size of a mean request.
	PAPServersRTDP
	PAPServersRND
	policies
)

var policyNames = [policies]string{"pap-rtdp", "pap-rnd", "rr", "lrf", "bcf", "least-work-left", "pap-servers-rtdp",
	"pap-servers-rnd"}

func (p Policy) String() string {
	if p >= policies {
		return fmt.Sprintf("Policy(%d)", uint8(p))
	}
	return policyNames[p]
}

// Policies are all of them.
func Policies() []Policy {
	all := make([]Policy, policies)
	for i := range all {
		all[i] = Policy(i)
	}
	return all
}

// A Sequence is how shares become choices.
type Sequence uint8

const (
	AsPrinted     Sequence = iota // round robin deterministic, the others at random
	Random                        // each request by itself
	Deterministic                 // a billiard sequence
)

// Split returns the shares of the external requests by cluster; nil for
// LeastWorkLeft, which has none. PAP has no split where local requests alone
// saturate a cluster or all requests together the clusters: an error of package
// routing, which for the former wraps queueing.ErrUnstable.
func (s *System) Split() ([]float64, error) {
	if _, err := s.resolved("System.Split"); err != nil {
		return nil, err
	}
	return s.split()
}

func (s *System) split() ([]float64, error) {
	w := s.Workload
	c := routing.Conversion{ReferenceSpeed: s.ReferenceSpeed, LocalShare: s.LocalShare}
	by := routing.PolicyPAP
	switch s.Policy {
	case LeastWorkLeft:
		return nil, nil
	case RoundRobin, LeastRateFirst, BiggestClusterFirst:
		// They do not look at times, which therefore may be as short as to leave
		// every cluster stable.
		by = map[Policy]routing.Policy{
			RoundRobin:          routing.PolicyRR,
			LeastRateFirst:      routing.PolicyLRF,
			BiggestClusterFirst: routing.PolicyBCF,
		}[s.Policy]
		w = quick(w)
		c.ReferenceSpeed = 1
	case PAPServersRTDP, PAPServersRND:
		c.SeveralServers = true
	}
	switch {
	case by != routing.PolicyPAP:
	case s.SplitAsPrinted:
		c.ReferenceSpeed = 1
	case s.ReferenceSpeed == 0:
		// A lease lasts as long everywhere: clusters are alike in speed.
		c.ReferenceSpeed = 1
		w.Sites = append([]routing.Site(nil), w.Sites...)
		for j := range w.Sites {
			w.Sites[j].Speed = 1
		}
	}
	clusters, rate, err := w.Clusters(c)
	if err != nil {
		return nil, err
	}
	split, err := by.Apply(clusters, rate)
	if err != nil {
		return nil, err
	}
	return split.Probabilities(), nil
}

// quick returns the workload with durations short enough for any rate.
func quick(w routing.Workload) routing.Workload {
	short := law.LogNormal{Mu: -100}
	w.External.Duration = short
	w.Sites = append([]routing.Site(nil), w.Sites...)
	for j := range w.Sites {
		w.Sites[j].Local.Duration = short
	}
	return w
}

// A dispatcher chooses clusters in one replication.
type dispatcher struct {
	sums    []float64 // of the shares up to each cluster, for a draw
	rng     *rand.Rand
	regular *routing.Dispatcher
	byType  bool
	least   bool // work left
}

// newDispatcher returns the dispatcher of a policy with its split.
func (s *System) newDispatcher(split []float64, share [external]float64, rng *rand.Rand) (*dispatcher, error) {
	if s.Policy == LeastWorkLeft {
		return &dispatcher{least: true}, nil
	}
	var err error
	d := &dispatcher{rng: rng}
	switch rtdp := s.Policy == PAPRTDP || s.Policy == PAPServersRTDP; {
	case rtdp:
		d.byType = true
		offset := make([]float64, len(split))
		offset[s.fastest()] = 1
		d.regular, err = routing.NewDispatcher(split, share[:], routing.DispatchOptions{Offset: offset})
		return d, err
	case s.Policy == PAPRND || s.Policy == PAPServersRND || s.Sequence == Random,
		s.Sequence == AsPrinted && s.Policy != RoundRobin:
		sum := 0.0
		for _, p := range split {
			sum += p
			d.sums = append(d.sums, sum)
		}
		return d, nil
	}
	d.regular, err = routing.NewDispatcher(split, nil, routing.DispatchOptions{})
	return d, err
}

// fastest returns the cluster that serves an external request as one server the
// fastest, X of algorithm 2.
func (s *System) fastest() int {
	best := 0
	power := func(j int) float64 {
		site := s.Workload.Sites[j]
		if s.ReferenceSpeed == 0 && !s.SplitAsPrinted {
			return site.Elements
		}
		return site.Elements * site.Speed
	}
	for j := range s.Workload.Sites {
		if power(j) > power(best) {
			best = j
		}
	}
	return best
}

// pick returns the cluster of the next request.
func (d *dispatcher) pick(r request, clusters []*cluster, now float64) (int, error) {
	switch {
	case d.least:
		best, at := 0, 0.0
		for j, c := range clusters {
			work := (c.left(now) + float64(r.nodes)*r.work/c.speed) / float64(c.nodes)
			if j == 0 || work < at {
				best, at = j, work
			}
		}
		return best, nil
	case d.byType:
		return d.regular.Next(int(r.typ))
	case d.regular != nil:
		return d.regular.Next(0)
	}
	u := d.rng.Float64() * d.sums[len(d.sums)-1]
	return min(sort.Search(len(d.sums), func(j int) bool { return d.sums[j] > u }), len(d.sums)-1), nil
}
