package queueing

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// The law of responses under sharing is that of another program: the transform
// inverted for one server, the chain of one customer for more.
func TestSharingResponse(t *testing.T) {
	for _, row := range numtest.Table(t, "testdata/psresponse.csv") {
		servers, load, at := row.Float("servers"), row.Float("load"), row.Float("t")
		q := PS{ArrivalRate: load / 0.2, ServiceTime: 0.2, Servers: int(servers)}
		got, err := q.ResponseTail(0.2 * at)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "share", got, row.Float("share"), 1e-8)
		back, err := q.ResponsePercentile(1 - got)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "percentile", back, 0.2*at, 1e-7)
		f, err := MMCPS{q.ArrivalRate, q.ServiceTime}.At(servers)
		if err != nil {
			t.Fatal(err)
		}
		share, ok := f.ResponseLate(Offered, 0.2*at)
		if !ok {
			t.Fatal("no law of responses")
		}
		numtest.Close(t, "share of the model", share, got, 1e-14)
	}
}

// The mean of the law is that of the closed form, E[S]·(1 + C/(c − a)), also near
// saturation, where the limit stands for it, and for many servers.
func TestSharingResponseMean(t *testing.T) {
	for _, v := range []struct{ load, servers, tol float64 }{
		{0.5, 1, 1e-8}, {0.99, 1, 1e-8}, {0.9995, 1, 1e-8}, {0.99999, 1, 1e-4}, {9.5, 10, 1e-8}, {990, 1000, 1e-8},
		{1e5, 1.001e5, 1e-7},
	} {
		f, err := MMCPS{v.load, 1}.At(v.servers)
		if err != nil {
			t.Fatal(err)
		}
		// ∫ P(T > t) dt with t = e^u.
		sum := 0.0
		const step = 1. / 32
		for u := math.Log(f.MeanResponse) - 30; u < math.Log(f.MeanResponse)+7; u += step {
			sum += math.Exp(u) * f.response.Tail(math.Exp(u)) * step
		}
		numtest.Close(t, "mean response", sum, f.MeanResponse, v.tol)
	}
}

// Near saturation the number present hardly changes while a customer is served. It is
// then served at its full rate, or by the chance C slower by a factor of
// 1 + y/(c − a), y exponential:
//
//	P(T > t) = (1 − C)·e^(−t) + C·∫₀^∞ e^(−y − t/(1 + y/(c − a))) dy
//
// up to about 1 − ρ.
func TestSharingResponseNearSaturation(t *testing.T) {
	for _, v := range []struct{ load, servers float64 }{
		{1 - 4e-4, 1}, {1 - 1e-6, 1}, {1 - 1e-9, 1}, {1e3 - 1e-3, 1e3}, {1e6 - 0.01, 1e6},
	} {
		f, err := MMCPS{v.load, 1}.At(v.servers)
		if err != nil {
			t.Fatal(err)
		}
		busy, gap := f.WaitProbability, v.servers-v.load
		limit := func(t float64) float64 {
			const step = 1. / 32
			sum := 0.0
			for u := -45.0; u <= 5; u += step {
				y := math.Exp(u)
				sum += math.Exp(u - y - t/(1+y/gap))
			}
			return math.Min(1, (1-busy)*math.Exp(-t)+busy*sum*step)
		}
		tol := 10 * gap / v.servers * math.Sqrt(v.servers) // the number moves by its root
		for _, times := range []float64{0.1, 0.5, 1, 3} {
			at := times * f.MeanResponse
			numtest.Close(t, "limit", f.response.Tail(at), limit(at), math.Max(tol, 1e-9))
		}
	}
}

// Next to saturation, where the states of the chain cannot be counted, the law goes on
// from that of the chain, in units of its mean, and its mean is that of the closed form.
func TestSharingResponseSaturated(t *testing.T) {
	for _, servers := range []float64{1, 30, 1116, 1e5} {
		chain, err := MMCPS{servers * (1 - 1.5e-13), 1}.At(servers)
		if err != nil {
			t.Fatal(err)
		}
		for _, load := range []float64{math.Nextafter(servers, 0), servers * (1 - 2e-15), servers * (1 - 0.9e-13)} {
			f, err := MMCPS{load, 1}.At(servers)
			if err != nil {
				t.Fatal(err)
			}
			for _, times := range []float64{0.01, 0.5, 1, 20} {
				at := f.response.Tail(times * f.MeanResponse)
				numtest.Close(t, "share", at, chain.response.Tail(times*chain.MeanResponse),
					math.Max(1e-9, servers*1e-12)) // by which gap the two differ
				numtest.Close(t, "percentile", f.response.Quantile(1-at), times*f.MeanResponse, 1e-7)
			}
		}
	}
	// The gap of these is 8.8e-14, which the load as a float64 does not tell from none.
	m := MMCPS{3.9575017756842374e-06, 281996083.2}
	f, err := m.At(1116)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "share beyond the mean", f.response.Tail(f.MeanResponse), 0.279731763633, 1e-9)
}
