package routes_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/units"
)

func scv(v float64) *units.Number {
	n := units.Number(v)
	return &n
}

func rateOf(v float64) *units.Range[units.Rate] {
	r := units.Point(units.Rate(v))
	return &r
}

func routeClusters() []routes.Cluster {
	cluster := func(name string, rate, local, external float64) routes.Cluster {
		return routes.Cluster{
			Name:     name,
			Local:    &routes.LocalStream{Rate: units.Point(units.Rate(rate)), ServiceTime: units.Duration(local), SCV: scv(0.01)},
			External: routes.ExternalStream{ServiceTime: units.Duration(external), SCV: scv(0.25)},
		}
	}
	return []routes.Cluster{cluster("C64", 0.3, 0.8, 1), cluster("C128", 0.5, 0.9, 0.5), cluster("C256", 0.4, 0.5, 0.25)}
}

// byHand is the mean response of rates x at the three clusters, by InterGrid
// eq. 4 written out, and that of each cluster.
func byHand(x [3]float64) (mean float64, each [3]float64) {
	lambda, tau, theta := [3]float64{0.3, 0.5, 0.4}, [3]float64{0.8, 0.9, 0.5}, [3]float64{1, 0.5, 0.25}
	total := 0.0
	for j := range x {
		rho, omega, mu := lambda[j]*tau[j], 1.25*theta[j]*theta[j], 1.01*tau[j]*tau[j]
		each[j] = (theta[j] + (x[j]*omega+lambda[j]*mu)/(2*(1-rho-x[j]*theta[j]))) / (1 - rho)
		mean += x[j] * each[j]
		total += x[j]
	}
	return mean / total, each
}

// The routing table that an independent convex solver made.
func TestRouteTable(t *testing.T) {
	for _, c := range []struct {
		rate, z float64
		x       [3]float64
		mean    float64
	}{
		{1, 0.697352789, [3]float64{0, 0, 1}, 0.516051136},
		{2, 1.711930104, [3]float64{0.07487716, 0.05206886, 1.87305399}, 0.831545175},
		{3, 3.430383375, [3]float64{0.31870029, 0.40190824, 2.27939147}, 1.355183706},
		{4, 12.187047099, [3]float64{0.53883916, 0.74349436, 2.71766648}, 2.617523482},
	} {
		a, err := routes.Route(context.Background(), &routes.Question{Clusters: routeClusters(), Rate: rateOf(c.rate)})
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "z", *a.Multiplier, c.z, 1e-9)
		numtest.Close(t, "mean response", a.MeanResponse, c.mean, 1e-9)
		numtest.Close(t, "least mean response", a.LeastMeanResponse, c.mean, 1e-9)
		_, each := byHand(c.x)
		for j, x := range c.x {
			if got := a.Clusters[j]; math.Abs(got.ExternalRate-x) > 6e-9 || math.Abs(got.Probability-x/c.rate) > 6e-9 {
				t.Errorf("rate %g: %s receives %.10g, want %.10g", c.rate, got.Name, got.ExternalRate, x)
			}
			numtest.Close(t, "response", a.Clusters[j].ExternalResponse, each[j], 1e-7)
		}
		numtest.Close(t, "greatest rate", a.MaxRate, 0.76+0.55/0.5+0.8/0.25, 1e-14)
	}
}

// Policies are priced against the optimum; one that saturates a cluster says
// which, and is infeasible when it is the one asked for.
func TestRoutePolicies(t *testing.T) {
	ctx := context.Background()
	a, err := routes.Route(ctx, &routes.Question{Clusters: routeClusters(), Rate: rateOf(3)})
	if err != nil {
		t.Fatal(err)
	}
	bcf, _ := byHand([3]float64{3. / 7, 6. / 7, 12. / 7})
	best := a.MeanResponse
	if len(a.Policies) != 4 || a.Policies[0].Policy != routes.PAP || *a.Policies[0].Price != 1 {
		t.Fatalf("policies: %+v", a.Policies)
	}
	numtest.Close(t, "bcf", *a.Policies[3].MeanResponse, bcf, 1e-13)
	numtest.Close(t, "price of bcf", *a.Policies[3].Price, bcf/best, 1e-13)
	rr := a.Policies[1]
	if rr.MeanResponse != nil || rr.Price != nil || *rr.Saturated != "C64" || rr.SaturatedClusters != 1 {
		t.Errorf("round robin at 3/s: %+v", rr)
	}
	numtest.Close(t, "its utilization", *rr.SaturatedUtilization, 1.24, 1e-14)

	_, err = routes.Route(ctx, &routes.Question{Clusters: routeClusters(), Rate: rateOf(3), Policy: routes.RR})
	var infeasible *ask.InfeasibleError
	if !errors.As(err, &infeasible) || infeasible.Constraint != "utilization" {
		t.Errorf("round robin at 3/s: %v", err)
	}
	b, err := routes.Route(ctx, &routes.Question{Clusters: routeClusters(), Rate: rateOf(1.5), Policy: routes.RR, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	even, _ := byHand([3]float64{0.5, 0.5, 0.5})
	numtest.Close(t, "round robin", b.MeanResponse, even, 1e-13)
	if b.Multiplier != nil || b.LeastMeanResponse >= b.MeanResponse || b.Explanation == nil {
		t.Errorf("round robin at 1.5/s: %+v", b)
	}
	_, err = routes.Route(ctx, &routes.Question{Clusters: routeClusters(), Rate: rateOf(6)})
	if !errors.As(err, &infeasible) || infeasible.Constraint != "rate" || infeasible.Limit != 6 || math.Abs(infeasible.Infimum-5.06) > 1e-12 {
		t.Errorf("beyond capacity: %v", err)
	}
}

// least searches the splits of a rate over the three clusters on a grid, then
// on ever finer ones about the best point.
func least(rate float64, f func(x [3]float64) float64) (best float64, at [3]float64) {
	limit := [3]float64{0.76, 1.1, 3.2}
	best, width := math.Inf(1), rate
	centre := [3]float64{rate / 5, rate / 5, rate * 3 / 5}
	for range 40 {
		from := centre
		for i := -10; i <= 10; i++ {
			for k := -10; k <= 10; k++ {
				x := [3]float64{from[0] + width*float64(i)/10, from[1] + width*float64(k)/10}
				x[0], x[1] = max(0, x[0]), max(0, x[1])
				x[2] = rate - x[0] - x[1]
				if x[2] < 0 || x[0] >= limit[0] || x[1] >= limit[1] || x[2] >= limit[2] {
					continue
				}
				if v := f(x); v < best {
					best, centre = v, x
				}
			}
		}
		width /= 2
	}
	return best, centre
}

// Other objectives against a search that knows nothing of multipliers.
func TestRouteObjectives(t *testing.T) {
	ctx := context.Background()
	priced := routeClusters()
	price := [3]float64{0.5, 3, 2}
	for j := range priced {
		priced[j].Price = &units.Amount{Number: units.Number(price[j])}
	}
	delay := units.Rate(0.8)
	for _, c := range []struct {
		name string
		q    routes.Question
		f    func(x [3]float64) float64
	}{
		{"response", routes.Question{}, func(x [3]float64) float64 { m, _ := byHand(x); return m }},
		{"cost", routes.Question{Objective: routes.Cost, DelayCost: &delay}, func(x [3]float64) float64 {
			m, _ := byHand(x)
			return 0.8*m + (x[0]*price[0]+x[1]*price[1]+x[2]*price[2])/(x[0]+x[1]+x[2])
		}},
		{"preemptions", routes.Question{Objective: routes.Preemptions, PreemptionModel: &routes.PreemptionModel{0.2, 0.05}}, func(x [3]float64) float64 {
			_, each := byHand(x)
			return (each[0] + each[1] + each[2] - 0.6) / 0.05
		}},
	} {
		q := c.q
		q.Clusters, q.Rate = priced, rateOf(2.5)
		a, err := routes.Route(ctx, &q)
		if err != nil {
			t.Fatal(err)
		}
		best, at := least(2.5, c.f)
		numtest.Close(t, c.name, *a.ObjectiveValue, best, 1e-12)
		for j := range at {
			if math.Abs(a.Clusters[j].ExternalRate-at[j]) > 1e-5 {
				t.Errorf("%s: %s receives %g, the search has %g", c.name, a.Clusters[j].Name, a.Clusters[j].ExternalRate, at[j])
			}
		}
		numtest.Close(t, c.name+" of bcf", *a.Policies[3].ObjectiveValue, c.f([3]float64{2.5 / 7, 5. / 7, 10. / 7}), 1e-12)
		numtest.Close(t, "price of bcf", *a.Policies[3].Price**a.ObjectiveValue, *a.Policies[3].ObjectiveValue, 1e-13)
		m, _ := least(2.5, func(x [3]float64) float64 { m, _ := byHand(x); return m })
		numtest.Close(t, c.name+": least mean response", a.LeastMeanResponse, m, 1e-12)
	}
}

// Preemptions are counted exactly, λxθ by hand, up to the bound of utilization: as
// many as fit go where λθ is least.
func TestRoutePreemptions(t *testing.T) {
	bound := units.Fraction(0.9)
	a, err := routes.Route(context.Background(), &routes.Question{Clusters: routeClusters(), Rate: rateOf(3), Objective: routes.Preemptions, MaxUtilization: &bound, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []float64{0, 0.2, 2.8} {
		numtest.Close(t, "rate", 1+a.Clusters[j].ExternalRate, 1+want, 1e-12)
	}
	numtest.Close(t, "preemptions per s", *a.ObjectiveValue, 0.2*0.25+2.8*0.1, 1e-12)
	numtest.Close(t, "those of the clusters", *a.PreemptionRate, *a.ObjectiveValue, 1e-13)
	if a.ByRegression || len(a.Warnings) > 0 || *a.Policies[3].ObjectiveValue < *a.ObjectiveValue {
		t.Errorf("%+v", a)
	}
	var infeasible *ask.InfeasibleError
	if _, err := routes.Route(context.Background(), &routes.Question{Clusters: routeClusters(), Rate: rateOf(4.6), Objective: routes.Preemptions, MaxUtilization: &bound}); !errors.As(err, &infeasible) || infeasible.Constraint != "max-utilization" {
		t.Errorf("%v, want the bound", err)
	}
	several := routeClusters()
	several[1].Servers = scv(2)
	if _, err := routes.Route(context.Background(), &routes.Question{Clusters: several, Rate: rateOf(3), Objective: routes.Preemptions}); err == nil || !strings.Contains(err.Error(), "one server, and C128 has 2") {
		t.Errorf("several servers: %v", err)
	}
}

// Below its intercept a regression would give a negative number of preemptions:
// none is given, and the exact rate λxθ is, by hand.
func TestRoutePreemptionsByRegression(t *testing.T) {
	model := &routes.PreemptionModel{Intercept: 3.09, Slope: 0.012}
	a, err := routes.Route(context.Background(), &routes.Question{Clusters: routeClusters(), Rate: rateOf(3), Objective: routes.Preemptions, PreemptionModel: model})
	if err != nil {
		t.Fatal(err)
	}
	if a.ObjectiveValue != nil || a.Policies[0].ObjectiveValue != nil || a.Policies[0].Price != nil || !a.ByRegression {
		t.Errorf("a count below the intercept: %+v", a)
	}
	if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "below its intercept") {
		t.Errorf("warnings %q", a.Warnings)
	}
	want := 0.0
	for j, c := range a.Clusters {
		cl := routeClusters()[j]
		want += float64(cl.Local.Rate.Nominal()) * c.ExternalRate * float64(cl.External.ServiceTime)
	}
	numtest.Close(t, "preemptions per s", *a.PreemptionRate, want, 1e-13)
	several := routeClusters()
	several[1].Servers = scv(2)
	if a, err = routes.Route(context.Background(), &routes.Question{Clusters: several, Rate: rateOf(3)}); err != nil || a.PreemptionRate != nil {
		t.Errorf("several servers: %v, %v", a.PreemptionRate, err)
	}
}

// Types of other service times: the mix by hand.
func TestRouteTypes(t *testing.T) {
	one := []routes.Cluster{{Name: "A", Local: &routes.LocalStream{Rate: units.Point(units.Rate(0.3)), ServiceTime: 0.8, SCV: scv(0.01)},
		External: routes.ExternalStream{ServiceTime: 1, SCV: scv(0.25)}}}
	types := []routes.RequestType{{Name: "urgent", Share: 0.25, Weight: scv(4), ServiceRatio: scv(0.5)}}
	a, err := routes.Route(context.Background(), &routes.Question{Clusters: one, Types: types, Rate: rateOf(0.4), Dispatch: 8})
	if err != nil {
		t.Fatal(err)
	}
	// Mean 0.25·0.5 + 0.75 s; second moment 1.25(0.25·0.25 + 0.75) s².
	theta, omega, rho := 0.875, 1.25*0.8125, 0.24
	wait := (0.4*omega + 0.3*1.01*0.64) / (2 * (1 - rho) * (1 - rho - 0.4*theta))
	urgent, other := 0.5/(1-rho)+wait, 1/(1-rho)+wait
	if len(a.Types) != 2 || a.Types[1].Name != "other" || a.Types[1].Share != 0.75 || a.Types[1].Weight != 1 {
		t.Fatalf("types: %+v", a.Types)
	}
	numtest.Close(t, "urgent", a.Types[0].MeanResponse, urgent, 1e-13)
	numtest.Close(t, "other", a.Types[1].MeanResponse, other, 1e-13)
	numtest.Close(t, "mean", a.MeanResponse, 0.25*urgent+0.75*other, 1e-13)
	numtest.Close(t, "weighted", *a.ObjectiveValue, urgent+0.75*other, 1e-13)
	if want := 2; len(a.DispatchTypes) != 8 || occurrences(a.DispatchTypes, "urgent") != want {
		t.Errorf("types of 8 requests: %v, want %d urgent", a.DispatchTypes, want)
	}

	types[0].Share = 0.5
	q := &routes.Question{Clusters: routeClusters(), Types: types, Rate: rateOf(3)}
	common, err := routes.Route(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	q.ByType, q.Dispatch = true, 100
	own, err := routes.Route(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if *own.ObjectiveValue > *common.ObjectiveValue || own.Multiplier != nil || own.Clusters[0].Marginal != nil {
		t.Errorf("by type %g, the same mix %g", *own.ObjectiveValue, *common.ObjectiveValue)
	}
	if ts := own.TypeSearch; ts == nil || !ts.Proven || ts.LowerBound > *own.ObjectiveValue || ts.SameMix != *common.ObjectiveValue {
		t.Errorf("search: %+v", ts)
	}
	// The local stream preempts for the share of time that external requests
	// of all types are in service.
	for j, c := range own.Clusters {
		cl, busy := routeClusters()[j], 0.0
		for i, typ := range own.Types {
			ratio := 1.0
			if types[0].ServiceRatio != nil && i == 0 {
				ratio = float64(*types[0].ServiceRatio)
			}
			busy += 3 * typ.Share * typ.Probabilities[j] * ratio * float64(cl.External.ServiceTime)
		}
		numtest.Close(t, "preemptions", *c.PreemptionRate, float64(cl.Local.Rate.Nominal())*busy, 1e-12)
	}
	for i, typ := range own.Types {
		numtest.Close(t, typ.Name+": Σp", typ.Probabilities[0]+typ.Probabilities[1]+typ.Probabilities[2], 1, 1e-12)
		numtest.Close(t, "share", typ.Share, 0.5, 1e-14)
		for j, c := range own.Clusters {
			n := 0
			for k, name := range own.Dispatch {
				if name == c.Name && own.DispatchTypes[k] == typ.Name {
					n++
				}
			}
			if math.Abs(float64(n)-50*typ.Probabilities[j]) > 2 {
				t.Errorf("type %d: %d of 50 requests to %s, probability %g", i, n, c.Name, typ.Probabilities[j])
			}
		}
	}
	numtest.Close(t, "mean of types", own.MeanResponse, 0.5*(own.Types[0].MeanResponse+own.Types[1].MeanResponse), 1e-13)
	numtest.Close(t, "weighted by type", *own.ObjectiveValue, 0.5*(4*own.Types[0].MeanResponse+own.Types[1].MeanResponse), 1e-12)
}

func occurrences(all []string, s string) (n int) {
	for _, v := range all {
		if v == s {
			n++
		}
	}
	return n
}

// The billiard sequence by its definition, with X of InterGrid algorithm 2
// unless it is asked not to, and its discrepancy by counting.
func TestRouteDispatch(t *testing.T) {
	const n = 2000
	clusters := routeClusters()
	fastest := 0
	for j := range clusters {
		if clusters[j].External.ServiceTime < clusters[fastest].External.ServiceTime {
			fastest = j
		}
	}
	for _, q := range []routes.Question{{}, {Offset: routes.OffsetFastest}, {Offset: routes.OffsetNone}, {Rule: routes.Balanced}} {
		q.Clusters, q.Rate, q.Dispatch = clusters, rateOf(3), n
		a, err := routes.Route(context.Background(), &q)
		if err != nil {
			t.Fatal(err)
		}
		var p, x, y [3]float64
		for j, c := range a.Clusters {
			p[j] = c.Probability
		}
		if q.Offset != routes.OffsetNone {
			x[fastest] = 1
		}
		ahead, behind := 0.0, 0.0
		for k, name := range a.Dispatch {
			best := 0
			for j := range y {
				if (x[j]+y[j])/p[j] < (x[best]+y[best])/p[best] {
					best = j
				}
			}
			if want := a.Clusters[best].Name; q.Rule != routes.Balanced && name != want {
				t.Fatalf("offset %q: request %d goes to %s, want %s", q.Offset, k+1, name, want)
			}
			y[slices.IndexFunc(a.Clusters, func(r routes.RoutedCluster) bool { return r.Name == name })]++
			for j := range y {
				ideal := float64(k+1) * p[j]
				ahead, behind = max(ahead, y[j]-ideal), max(behind, ideal-y[j])
			}
		}
		d := a.Discrepancy
		numtest.Close(t, "ahead", d.Ahead, ahead, 1e-9)
		numtest.Close(t, "behind", d.Behind, behind, 1e-9)
		numtest.Close(t, "mixed ahead, one type", d.MixedAhead, ahead, 1e-9)
		numtest.Close(t, "mixed behind, one type", d.MixedBehind, behind, 1e-9)
		want := map[bool]routes.DispatchOffset{true: routes.OffsetFastest, false: routes.OffsetNone}[x[fastest] == 1 && q.Rule != routes.Balanced]
		if d.Offset != want || (q.Rule == routes.Balanced) != (d.Rule == routes.Balanced) {
			t.Errorf("%+v: %+v", q.Offset, d)
		}
		if q.Rule == routes.Balanced && (d.Ahead >= 1 || d.Behind >= 1) {
			t.Errorf("balanced: %+v", d)
		}
		if q.Rule != routes.Balanced && (d.Ahead > 1 || d.Behind < 1) {
			t.Errorf("billiard with three clusters falls more than 1 behind: %+v", d)
		}
	}
}

// The list of all types is measured as it stands: each type is close to its own
// ideals, and together they add up to more.
func TestRouteDispatchMixed(t *testing.T) {
	share := func(v float64) units.Fraction { return units.Fraction(v) }
	types := []routes.RequestType{{Name: "a", Share: share(0.4)}, {Name: "b", Share: share(0.35)}, {Name: "c", Share: share(0.25)}}
	for _, byType := range []bool{false, true} {
		a, err := routes.Route(context.Background(), &routes.Question{Clusters: routeClusters(), Types: types, Rate: rateOf(3), Dispatch: 500, ByType: byType})
		if err != nil {
			t.Fatal(err)
		}
		ahead, behind := 0.0, 0.0
		count := map[string]float64{}
		for k, name := range a.Dispatch {
			count[name]++
			for _, c := range a.Clusters {
				off := count[c.Name] - float64(k+1)*c.Probability
				ahead, behind = max(ahead, off), max(behind, -off)
			}
		}
		numtest.Close(t, "mixed ahead", a.Discrepancy.MixedAhead, ahead, 1e-9)
		numtest.Close(t, "mixed behind", a.Discrepancy.MixedBehind, behind, 1e-9)
		if !byType && !(behind > a.Discrepancy.Behind) {
			t.Errorf("together %g behind, by type %g", behind, a.Discrepancy.Behind)
		}
	}
}

// Hedged splits minimise the mean response of all requests. Where the weights of types move the nominal
// split, which is to be least by these, the answer says so and recommends none.
func TestHedgesOfWeightedTypes(t *testing.T) {
	law := units.Triangular(units.Rate(1), 1.5, 2)
	for _, c := range []struct {
		weight, ratio units.Number
		recommended   bool
	}{{1, 2, true}, {3, 1, true}, {3, 2, false}} {
		q := &routes.Question{Clusters: routeClusters(), Rate: &law, Samples: 200, Types: []routes.RequestType{
			{Name: "long", Share: 0.5, Weight: new(c.weight), ServiceRatio: new(c.ratio)}}}
		a, err := routes.Route(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.Contains(w, "weights of types") })
		if (a.Recommended != nil) != c.recommended || said == c.recommended {
			t.Errorf("weight %v, service %v: recommended %+v, warnings %q", c.weight, c.ratio, a.Recommended, a.Warnings)
		}
	}
}

// The response increases with the rate, so its quantiles are the responses at
// the quantiles of the rate, within what 10,000 draws leave open.
func TestRouteUncertain(t *testing.T) {
	ctx := context.Background()
	law := units.Triangular(units.Rate(2), 3, 4)
	q := &routes.Question{Clusters: routeClusters(), Rate: &law, Seed: 7}
	a, err := routes.Route(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	u := a.Uncertainty
	if u.Samples != 10000 || u.Seed != 7 || len(u.Splits) != 3 || a.Hedge != routes.HedgeNone || a.Rate != 3 {
		t.Fatalf("uncertainty: %+v", u)
	}
	pap := u.Splits[0]
	at := func(share float64) float64 {
		rate, err := law.Quantile(share)
		if err != nil {
			t.Fatal(err)
		}
		var x [3]float64
		for j, p := range pap.Probabilities {
			x[j] = p * float64(rate)
		}
		m, _ := byHand(x)
		return m
	}
	for _, c := range []struct{ share, got float64 }{{0.05, *pap.P5}, {0.5, *pap.P50}, {0.95, *pap.P95}} {
		width := 4 * math.Sqrt(c.share*(1-c.share)/10000)
		if low, high := at(c.share-width), at(c.share+width); c.got < low || c.got > high {
			t.Errorf("quantile %g = %g, want within %g..%g", c.share, c.got, low, high)
		}
	}
	numtest.Close(t, "worst", *pap.Worst, at(1), 1e-12)
	if mean, worst := u.Splits[1], u.Splits[2]; *mean.Mean >= *pap.Mean || *worst.Worst >= *pap.Worst || *mean.Mean >= *worst.Mean || *worst.Worst >= *mean.Worst {
		t.Errorf("each hedge is best at its own: %+v", u.Splits)
	}
	// Unless a hedge is asked for, that of the least mean is recommended, and explained.
	if r := a.Recommended; r == nil || r.Split != "least-mean" || r.Reason != ask.Safe || r.MeanResponse <= a.MeanResponse {
		t.Errorf("recommended: %+v", r)
	}
	for j, c := range a.Recommended.Clusters {
		numtest.Close(t, "recommended", c.Probability, u.Splits[1].Probabilities[j], 1e-12)
	}
	q.Explain = true
	explained, err := routes.Route(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	steps := explained.Explanation.Steps
	if last := steps[len(steps)-1]; explained.Explanation.Of == "" || !strings.Contains(last.Numbers, ask.Digits(a.Recommended.MeanResponse)) {
		t.Errorf("explained: %q, %+v", explained.Explanation.Of, last)
	}
	q.Explain, q.Hedge = false, routes.HedgeNone
	if asked, err := routes.Route(ctx, q); err != nil || asked.Recommended != nil {
		t.Errorf("the nominal split was asked for: %+v, %v", asked, err)
	}
	// The split of least worst is the optimum at the upper end.
	top, err := routes.Route(ctx, &routes.Question{Clusters: routeClusters(), Rate: rateOf(4)})
	if err != nil {
		t.Fatal(err)
	}
	q.Hedge = routes.HedgeWorst
	b, err := routes.Route(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	for j, c := range top.Clusters {
		numtest.Close(t, "least worst", b.Clusters[j].Probability, c.Probability, 1e-12)
		numtest.Close(t, "its rate at the most likely", b.Clusters[j].ExternalRate, 3*c.Probability, 1e-12)
	}
	numtest.Close(t, "its worst", *b.Uncertainty.Splits[2].Worst, top.MeanResponse, 1e-12)
	if b.Multiplier != nil || b.Hedge != routes.HedgeWorst {
		t.Errorf("hedged: %+v", b)
	}

	// Local rates that may saturate a cluster: no split is safe, the nominal one
	// fails in the share of draws in which it is.
	wild := routeClusters()
	wild[2].Local.Rate = units.Triangular(units.Rate(0), 0.4, 4)
	c, err := routes.Route(ctx, &routes.Question{Clusters: wild, Rate: rateOf(1)})
	if err != nil {
		t.Fatal(err)
	}
	s := c.Uncertainty.Splits
	if s[1].Infeasible == nil || s[2].Infeasible == nil || s[0].Mean != nil || *s[0].Saturated != "C256" {
		t.Errorf("splits: %+v", s)
	}
	if r := c.Recommended; r == nil || r.Split != "pap" || r.Reason != ask.Safest {
		t.Errorf("recommended where none is safe: %+v", r)
	}
	// All go to C256: it saturates where λ·0.5 + 0.25 ≥ 1, λ ≥ 1.5.
	share := 2.5 * 2.5 / (4 * 3.6)
	if got := *s[0].Unstable; math.Abs(got-share) > 4*math.Sqrt(share*(1-share)/10000) {
		t.Errorf("saturated in %g of the draws, want %g", got, share)
	}
	if _, err := routes.Route(ctx, &routes.Question{Clusters: wild, Rate: rateOf(1), Hedge: routes.HedgeMean}); !errors.Is(err, ask.ErrInfeasible) {
		t.Errorf("hedge without a safe split: %v", err)
	}
}

func TestRouteBadQuestions(t *testing.T) {
	three := routeClusters()
	delay, zero := units.Rate(1), units.Rate(0)
	wide := units.Uniform(units.Rate(1), 2)
	speed := 100.0
	twice := append(routeClusters(), three[0])
	full := routeClusters()
	full[0].Local.Rate = units.Point(units.Rate(1.25))
	for field, q := range map[string]routes.Question{
		"rate":             {Clusters: three},
		"clusters":         {Rate: rateOf(1)},
		"clusters ":        {Clusters: twice, Rate: rateOf(1)},
		"clusters  ":       {Clusters: full, Rate: rateOf(1)},
		"policy":           {Clusters: three, Rate: rateOf(1), Policy: "best"},
		"objective":        {Clusters: three, Rate: rateOf(1), Objective: "fun"},
		"rule":             {Clusters: three, Rate: rateOf(1), Rule: "dice", Dispatch: 3},
		"dispatch":         {Clusters: three, Rate: rateOf(1), Rule: routes.Balanced},
		"dispatch ":        {Clusters: three, Rate: rateOf(1), Dispatch: -1},
		"delay_cost":       {Clusters: three, Rate: rateOf(1), Objective: routes.Cost},
		"delay_cost ":      {Clusters: three, Rate: rateOf(1), Objective: routes.Cost, DelayCost: &zero},
		"delay_cost  ":     {Clusters: three, Rate: rateOf(1), DelayCost: &delay},
		"preemption_model": {Clusters: three, Rate: rateOf(1), PreemptionModel: &routes.PreemptionModel{1, 1}},
		"preemption_model ": {Clusters: three, Rate: rateOf(1), Objective: routes.Preemptions,
			PreemptionModel: &routes.PreemptionModel{1, 0}},
		"hedge":             {Clusters: three, Rate: rateOf(1), Hedge: routes.HedgeMean},
		"hedge ":            {Clusters: three, Rate: &wide, Hedge: routes.HedgeMean, Policy: routes.RR},
		"hedge  ":           {Clusters: three, Rate: &wide, Hedge: "some"},
		"by_type":           {Clusters: three, Rate: rateOf(1), ByType: true},
		"samples":           {Clusters: three, Rate: rateOf(1), Samples: 10},
		"samples ":          {Clusters: three, Rate: &wide, Samples: 5_000_000},
		"workload":          {Workload: &routes.Workload{Name: "das3"}},
		"workload ":         {Clusters: three, Workload: &routes.Workload{Name: "das2", ReferenceSpeed: &speed}},
		"reference_speed":   {Workload: &routes.Workload{Name: "das2"}},
		"size_knee":         {Workload: &routes.Workload{Name: "das2", ReferenceSpeed: &speed, SizeKnee: &speed}},
		"gap_scale":         {Workload: &routes.Workload{Name: "das2", ReferenceSpeed: &speed, GapScale: &speed, LocalVaried: true}},
		"local_scale":       {Workload: &routes.Workload{Name: "das2", ReferenceSpeed: &speed, LocalScale: &speed}},
		"duration_log_mean": {Workload: &routes.Workload{Name: "das2", ReferenceSpeed: &speed, DurationLogMean: &speed}},
	} {
		_, err := routes.Route(context.Background(), &q)
		var input *ask.InputError
		if want := strings.TrimSpace(field); !errors.As(err, &input) || input.Field != want {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// Of several faults the same is told every time.
func TestRouteWorkloadFirstFault(t *testing.T) {
	speed, zero := 1.0, 0.0
	for range 20 {
		_, err := routes.Route(context.Background(), &routes.Question{Workload: &routes.Workload{Name: "das2", ReferenceSpeed: &speed,
			SizeKnee: &zero, DurationLogMean: &zero, GapScale: &zero}})
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != "size_knee" {
			t.Fatalf("%v, want size_knee", err)
		}
	}
}

// The workload of InterGrid table 2: a mean gap of 14 s, and the first request
// to a cluster takes θ = v̄d̄·reference/(elements·speed).
func TestRouteWorkload(t *testing.T) {
	speed := 100.0
	a, err := routes.Route(context.Background(), &routes.Question{Workload: &routes.Workload{Name: "das2", ReferenceSpeed: &speed}, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "rate", a.Rate, 1./14, 1e-14)
	// v̄ = 0.2 + 0.5·7.7613445378151255 + 0.3·5.3956690545418127, from
	// queueing/routing/testdata/moments.csv; d̄ = 420 s.
	v := 0.2 + 0.5*7.7613445378151255 + 0.3*5.3956690545418127
	for j, mips := range []float64{64 * 2000, 128 * 3000, 256 * 2100} {
		c := a.Clusters[j]
		numtest.Close(t, c.Name, (1-c.LocalUtilization)/c.MaxRate, v*420*100/mips, 1e-9)
	}
	if len(a.Warnings) == 0 {
		t.Error("the speed that the paper does not give is not warned of")
	}
}

// The curves run through what the command answers, and rise.
func TestRouteCurves(t *testing.T) {
	ctx := context.Background()
	q := &routes.Question{Clusters: routeClusters(), Rate: rateOf(3)}
	a, err := routes.Route(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	response, err := a.ResponsePlot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	top := *response.Y.Max
	for _, c := range response.Curves {
		n := len(c.X)
		if n < 30 || c.Y[n-1] < 0.99*top || c.Y[n-1] > top {
			t.Fatalf("%s: %d points up to %v of %g", c.Name, n, c.Y[max(0, n-1):], top)
		}
		for i := 1; i < n; i++ {
			if c.X[i] <= c.X[i-1] || c.Y[i] <= c.Y[i-1] {
				t.Fatalf("%s: no rise at %d", c.Name, i)
			}
		}
		k := n / 2
		x := map[routes.Policy][3]float64{routes.RR: {1. / 3, 1. / 3, 1. / 3}, routes.LRF: {0.9 / 2.4, 0.7 / 2.4, 0.8 / 2.4}, routes.BCF: {1. / 7, 2. / 7, 4. / 7}}[routes.Policy(c.Name)]
		if routes.Policy(c.Name) != routes.PAP {
			for j := range x {
				x[j] *= c.X[k]
			}
			m, _ := byHand(x)
			numtest.Close(t, fmt.Sprintf("%s at %g", c.Name, c.X[k]), c.Y[k], m, 1e-12)
		}
	}
	shares, err := a.SharesPlot(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(shares.X.Names) != 3 || shares.X.Names[2] != "C256" || shares.Curves[0].Y[2] != a.Clusters[2].Probability {
		t.Errorf("shares: %+v", shares)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := a.ResponsePlot(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func BenchmarkRoute(b *testing.B) {
	b.Run("clusters=1e5", func(b *testing.B) {
		clusters := make([]routes.Cluster, 100_000)
		for j := range clusters {
			clusters[j] = routeClusters()[j%3]
			clusters[j].Name = fmt.Sprint(j)
		}
		q := &routes.Question{Clusters: clusters, Rate: rateOf(90_000)}
		for b.Loop() {
			if _, err := routes.Route(context.Background(), q); err != nil {
				b.Fatal(err)
			}
		}
	})
}
