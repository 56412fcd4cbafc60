package unlike

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// The responses are those of the full chain of the servers, and of a tagged job
// that waits, solved by another program.
func TestUnlikeResponse(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/unlikeresponse.csv") {
		m := Queue{ArrivalRate: r.Float("rate"), ServiceTime: 1, WhenFull: Queued}
		for _, text := range strings.Fields(r.Text("speeds")) {
			speed, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			m.Beside = append(m.Beside, Group{1, speed})
		}
		f, err := m.At(0)
		if err != nil {
			t.Fatal(err)
		}
		at := r.Float("t")
		share, ok := f.ResponseLate(queueing.Offered, at)
		if !ok {
			t.Fatal("no law of responses")
		}
		numtest.Close(t, "share", share, r.Float("share"), r.Float("tolerance"))
		back, _ := f.ResponsePercentile(queueing.Offered, 1-share)
		numtest.Close(t, "percentile", back, at, 1e-7)
		later, _ := f.InUnits(60).ResponseLate(queueing.Offered, 60*at)
		numtest.Close(t, "in minutes", later, share, 1e-12)
	}
}

// The mean of the law is the mean response, of servers of many speeds, of few
// jobs, and of machines that come and go.
func TestUnlikeResponseMean(t *testing.T) {
	groups := []Group{{3, 1}, {2, 0.25}, {1.5, 4}}
	for name, m := range map[string]queueing.Model{
		"unlike":  Queue{ArrivalRate: 8, ServiceTime: 1, Beside: groups, WhenFull: Queued},
		"nobody":  Queue{ArrivalRate: 0, ServiceTime: 1, Beside: groups, WhenFull: Queued},
		"alike":   Queue{ArrivalRate: 2, ServiceTime: 1, Beside: []Group{{4, 2}}, WhenFull: Queued},
		"varying": Varying{Queue{ArrivalRate: 3, ServiceTime: 1, Beside: groups, WhenFull: Queued}, []Coming{independent(6, 0.7, 0.5, 1)}},
	} {
		f, err := m.At(0)
		if err != nil {
			t.Fatal(err)
		}
		sum, width := 0.0, 1e-3
		for k := range 200_000 {
			share, ok := f.ResponseLate(queueing.Offered, (float64(k)+0.5)*width)
			if !ok {
				t.Fatal(name, "no law of responses")
			}
			sum += share * width
		}
		if math.Abs(sum-f.MeanResponse) > 1e-6*f.MeanResponse {
			t.Errorf("%s: the law has the mean %v, want %v", name, sum, f.MeanResponse)
		}
	}
	// Of who gives up among unlike servers the law is not known.
	f, err := Queue{ArrivalRate: 8, ServiceTime: 1, Beside: groups, WhenFull: Impatient, Patience: 1}.At(0)
	if _, ok := f.ResponseLate(queueing.Offered, 1); ok || err != nil {
		t.Errorf("a law of responses under abandonment, %v", err)
	}
}

// The law of the responses of many states is work too: a fleet of many kinds takes more steps with it than
// where responses have no law. It is that of the states one by one.
func TestResponsesOfStates(t *testing.T) {
	var kinds []Coming
	for j := range 12 {
		kinds = append(kinds, independent(3, 0.8, 0.6+0.1*float64(j), 1))
	}
	steps := func(scv float64) float64 {
		work := &Work{}
		m := Queue{ArrivalRate: 20, ServiceTime: 1, WhenFull: Queued, ArrivalSCV: scv, ServiceSCV: 1, Work: work}
		f, err := Varying{m, kinds}.At(0)
		if err != nil {
			t.Fatal(err)
		}
		law, ok := f.Laws().Response.(*mixtureLaw)
		if ok != (scv == 1) {
			t.Fatalf("SCV %v: a law of responses: %v", scv, ok)
		}
		for _, at := range []float64{0.01, 1, 7} {
			if !ok {
				break
			}
			sum := law.never
			for i, c := range law.chances {
				sum += c * law.laws[i].Tail(at)
			}
			numtest.Close(t, "tail", law.Tail(at), sum, 1e-14)
		}
		return work.Steps
	}
	told, untold := steps(1), steps(1.5)
	states := 300.0 // more are evaluated
	if told-untold < responseSteps*states*float64(len(kinds)) {
		t.Errorf("%.3g steps with responses, %.3g without", told, untold)
	}
}
