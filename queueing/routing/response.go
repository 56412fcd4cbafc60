package routing

import (
	"math"

	"github.com/capplan/capplan/queueing"
)

// A Route is one cluster's part in a split.
type Route struct {
	Name        string
	Rate        float64 // x ≥ 0, external requests/s
	Probability float64 // x/Λ
	Utilization float64 // u = ρ + xθ/c, local and external
	Response    float64 // T, s; with x = 0 that of the rare first request
	Marginal    float64 // F′(x): of the objective, per external request/s
}

// Response returns the mean response time T in s of an external request at a
// cluster that receives x of them per second, 0 ≤ x < [Cluster.Capacity]. With
// one server, exactly (InterGrid eq. 4, M/G/1 with preemptive-resume priority),
//
//	T = (1/(1−ρ)) (θ + (xω + λμ)/(2(1 − ρ − xθ))),   ρ = λτ
//
// With c servers the delay beyond service is scaled from the single server that
// is c times as fast (θ/c, ω/c² and so on), separately for all requests and for
// the local ones, by the Erlang C of the load over the utilization:
//
//	T = θ + [g(u) (x D(x) + b) − g(ρ) b] / x,   g(u) = C(c, cu)/u
//
// where D = T₁ − θ/c is the fast server's delay and b = ρλ(μ/c²)/(2(1−ρ)θ/c).
// It is exact for c = 1; for exponential service of one mean for both streams
// (M/M/c with preemption, by levels); without local requests it is
// Allen-Cunneen. Otherwise it is an approximation in the manner of Bondi and
// Buzen: see [Split.Warnings] for when it leaves its regime. xT is convex in x:
// it is a sum of products of the Erlang C, convex and increasing in the load,
// with factors that keep it so.
//
// Errors: *DomainError; *SaturatedError where x is at or beyond the capacity or
// the local stream alone saturates the cluster.
func (cl Cluster) Response(x float64) (float64, error) {
	r, err := cl.at("Cluster.Response", x)
	return r.Response, err
}

// Marginal returns d(xT)/dx in s, by how much one more external request per
// second raises the total of response times per second. With one server it is
//
//	ψ + (ω + θλμ/(1−ρ)) ((1−ρ)²/(1−ρ−xθ)² − 1) / (2θ(1−ρ))
//
// with ψ from [Cluster.LeastMarginal]; with several the derivative of
// [Cluster.Response]'s form. Errors are the same.
func (cl Cluster) Marginal(x float64) (float64, error) {
	r, err := cl.at("Cluster.Marginal", x)
	return r.Marginal, err
}

// LeastMarginal returns ψ, the marginal without external load and with it the
// response of the first external request, in s (InterGrid eq. 14 for c = 1):
//
//	ψ = θ/(1−ρ) + λμ/(2(1−ρ)²)
func (cl Cluster) LeastMarginal() (float64, error) {
	r, err := cl.at("Cluster.LeastMarginal", 0)
	return r.Marginal, err
}

// Capacity returns (1−ρ)c/θ, the external rate per s that saturates the
// cluster; it must stay below.
func (cl Cluster) Capacity() (float64, error) {
	s, err := cl.station("Cluster.Capacity", -1)
	if err != nil {
		return 0, err
	}
	return s.limit(), nil
}

// PreemptionRate returns how many times per second a local request preempts an
// external one at a cluster of one server that receives x of them:
//
//	λxθ
//
// for local arrivals see the server as it is on average, with an external
// request in service for the share xθ of time. Exact for Poisson local
// arrivals; not the regression of [Preemptions]. Several servers are a
// *DomainError; otherwise errors as for [Cluster.Response].
func (cl Cluster) PreemptionRate(x float64) (float64, error) {
	const fn = "Cluster.PreemptionRate"
	if _, err := cl.at(fn, x); err != nil {
		return 0, err
	}
	if c := cl.servers(); c != 1 {
		return 0, &DomainError{fn, label(&cl, -1), "servers", c, "1 server"}
	}
	return cl.LocalRate * x * cl.ServiceTime, nil
}

func (cl *Cluster) at(fn string, x float64) (Route, error) {
	s, err := cl.station(fn, -1)
	if err != nil {
		return Route{}, err
	}
	c := check{fn: fn, cluster: label(cl, -1)}
	c.atLeastZero("rate", x)
	if c.err != nil {
		return Route{}, c.err
	}
	r := Route{Name: cl.Name, Rate: x, Utilization: s.rho + x*s.theta}
	slack := s.slack(x)
	if slack <= 0 {
		return Route{}, &SaturatedError{Func: fn, Cluster: c.cluster, Utilization: math.Max(r.Utilization, 1)}
	}
	r.Response = s.response(x, slack)
	r.Marginal = s.curve(unweighted).marginal(x, slack)
	return r, nil
}

// slack is limit − x, to the last digit of idle − xθ.
func (s *station) slack(x float64) float64 { return math.FMA(-x, s.theta, s.idle) / s.theta }

// rounded is the part of a server's time below which what is left cannot be
// told from nothing: rates and times written in decimals, and their products,
// are off by some 2⁻⁵³ each. Without it a cluster whose load is 1 to the last
// digit typed would have a queue of 1e15 requests or none, at the whim of
// rounding.
const rounded = 4 * 0x1p-52

// saturated reports whether a share of a stream that far below the limit leaves no time.
// [Cluster.Response], whose rate is given, draws the line at 0.
func (s *station) saturated(slack float64) bool { return slack*s.theta <= rounded }

// response is T for x ≥ 0 with slack = limit − x > 0.
func (s *station) response(x, slack float64) float64 {
	work := (x*s.omega + s.local) / (2 * slack * s.theta)
	if s.c == 1 {
		return (s.theta + work) / s.idle
	}
	u, free := s.use(x, slack)
	g, _ := erlangShare(s.c, u, free)
	return s.c*s.theta + g*(s.theta*s.rho+work)/s.idle + s.balance()*s.rise(x, u, free)
}

// balance is b of Response.
func (s *station) balance() float64 { return s.rho * s.local / (2 * s.idle * s.theta) }

// rise is (g(u) − g(ρ))/x, or its limit for x → 0.
func (s *station) rise(x, u, free float64) float64 {
	if s.rho == 0 {
		return 0 // only ever multiplied by b = 0
	}
	g0, d0 := erlangShare(s.c, s.rho, s.idle)
	if x*s.theta > 1e-3*s.rho*s.idle {
		g, _ := erlangShare(s.c, u, free)
		return (g - g0) / x
	}
	// Simpson's rule for the mean derivative.
	h := x * s.theta
	_, d1 := erlangShare(s.c, s.rho+h/2, s.idle-h/2)
	_, d2 := erlangShare(s.c, s.rho+h, s.idle-h)
	return s.theta * (d0 + 4*d1 + d2) / 6
}

// use returns u and 1 − u.
func (s *station) use(x, slack float64) (u, free float64) {
	return s.rho + x*s.theta, slack * s.theta
}

// erlangShare returns g(u) = C(c, cu)/u and g′(u), for u > 0 and free = 1 − u.
// From dB/da = B(c/a − 1 + B), with C = B/(1 − u + uB):
//
//	C′(u) = (B′(1−u) + B(1−B))/(1 − u + uB)²
func erlangShare(c, u, free float64) (g, slope float64) {
	if c == 1 {
		return 1, 0
	}
	if u <= 0 {
		return 0, 0
	}
	b, err := queueing.ErlangB(c, c*u)
	if err != nil {
		return math.Inf(1), math.Inf(1) // cannot happen: c and u are checked
	}
	d := free + u*b
	db := c * b * (free/u + b)
	g = b / d / u
	return g, ((db*free+b*(1-b))/(d*d) - g) / u
}

// erlangCurvature returns g″(u) of [erlangShare], for u > 0. With C = B/D,
// D = 1 − u + uB and C′ = N/D²: N′ = B″(1−u) − 2BB′, D′ = uB′ − (1−B).
func erlangCurvature(c, u, free float64) float64 {
	b, err := queueing.ErlangB(c, c*u)
	if err != nil {
		return math.Inf(1) // cannot happen: c and u are checked
	}
	db := c * b * (free/u + b)
	ddb := c * (db*(free/u+b) + b*(db-1/(u*u)))
	d := free + u*b
	dd := u*db - (1 - b)
	n := db*free + b*(1-b)
	slope := (n/(d*d) - b/d/u) / u
	return ((ddb*free-2*b*db)/(d*d) - 2*n*dd/(d*d*d) - 2*slope) / u
}

// ServicePart returns the part of [Cluster.Response] in s that is in proportion
// to a request's own service time, θ/(1−ρ) with one server: a request a times
// as long has (a − 1) times this more. Errors are the same.
func (cl Cluster) ServicePart(x float64) (float64, error) {
	if _, err := cl.Response(x); err != nil {
		return 0, err
	}
	s, err := cl.station("Cluster.ServicePart", -1)
	if err != nil {
		return 0, err
	}
	return s.inService(x, s.slack(x)), nil
}
