package routing

import "math"

// weights are the coefficients of the terms of a cost that is linear in the
// rate, the time in service and the time waiting:
//
//	F(x) = price·x + service·x·(θ + stretch) + wait·x·(T − θ − stretch)
//
// where stretch is what preemptions add to the service time.
type weights struct{ service, wait, price float64 }

var unweighted = weights{1, 1, 0}

// hyperbola is the marginal of the weighted cost at a cluster of one server.
func (s *station) hyperbola(w weights) hyperbola {
	return hyperbola{
		start: w.price + (w.service*s.theta+w.wait*s.local/(2*s.idle))/s.idle,
		k:     2 * s.theta * s.idle / (w.wait * s.square()),
		limit: s.limit(),
	}
}

// curve is the weighted cost for any number of servers.
func (s *station) curve(w weights) curve {
	if s.c == 1 {
		h := s.hyperbola(w)
		return oneServer{h}
	}
	return &manyServers{*s, w}
}

// oneServer makes a hyperbola a curve.
type oneServer struct{ hyperbola }

func (o oneServer) limit() float64 { return o.hyperbola.limit }

func (o oneServer) marginal(x, slack float64) float64 { return o.hyperbola.marginal(x, slack) }

// manyServers is the weighted cost of the model in [Cluster.Response]:
//
//	F = price·x + service·x(θ + g θ₁ρ/(1−ρ)) + wait·[g(Q + b) − g(ρ)b]
//
// with θ₁ = θ/c and Q = x(xω₁ + λμ₁)/(2(1−ρ)(1−u)).
//
// Why it is convex, with C the Erlang C as a function of u: g·(stretch term) is
// C(1 − ρ/u) up to a factor, whose second derivative is C″(1 − ρ/u) +
// 2ρ(uC′ − C)/u³ ≥ 0. g(Q + b) is the sum of C/(1−u) and C(u−ρ)²/(u(1−u)) up
// to factors, each a product of convex increasing functions ≥ 0 on u ≥ ρ.
type manyServers struct {
	station
	w weights
}

func (m *manyServers) limit() float64 { return m.station.limit() }

func (m *manyServers) marginal(x, slack float64) float64 {
	if slack <= 0 {
		return math.Inf(1)
	}
	s := &m.station
	u, free := s.use(x, slack)
	g, slope := erlangShare(s.c, u, free)
	slope *= s.theta // per unit of x
	total := m.w.price + m.w.service*(s.c*s.theta+s.theta*s.rho/s.idle*(g+x*slope))
	q := x * (x*s.omega + s.local) / (2 * s.idle * free)
	// Q′ as of the single fast server without its service and stretch.
	r1 := x / slack
	dq := s.local/(2*s.idle*s.idle) + s.square()*r1*(r1+2)/(2*s.theta*s.idle)
	return total + m.w.wait*(slope*(q+s.balance())+g*dq)
}
