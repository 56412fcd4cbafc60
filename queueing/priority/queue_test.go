package priority

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

func TestPriorityReference(t *testing.T) {
	worst := map[string]float64{}
	for _, r := range numtest.Table(t, "testdata/priority.csv") {
		rates, services, scvs := numtest.List(t, r.Text("rates")), numtest.List(t, r.Text("services")), numtest.List(t, r.Text("scvs"))
		q := Queue{Preemptive: r.Text("preemptive") == "1", Servers: int(r.Float("servers"))}
		for k := range rates {
			q.Classes = append(q.Classes, Class{"", rates[k], services[k], scvs[k]})
		}
		f, err := q.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := f.Classes[int(r.Float("class"))].MeanWait
		tol, unlike := 1e-8, r.Text("case") == "unlike"
		if unlike {
			tol = 1e-6 // where the reference chain is cut
		}
		if f.Warning != nil || f.Chained != unlike {
			t.Errorf("line %d: warning %v", r.Line, f.Warning)
		}
		numtest.Close(t, fmt.Sprintf("line %d: wait", r.Line), got, r.Float("wait"), tol)
		worst[r.Text("case")] = math.Max(worst[r.Text("case")], numtest.RelErr(got, r.Float("wait")))
	}
	t.Logf("greatest relative errors %v", worst)
}

// InterGrid eq. 4: T = (θ + (xω + λμ)/(2(1 − ρ − xθ)))/(1 − ρ), local requests
// having preemptive priority; ω and μ are second moments.
func TestPriorityInterGrid(t *testing.T) {
	lambda, tau, cvLoc := []float64{.3, .5, .4}, []float64{.8, .9, .5}, .1
	theta, cvExt := []float64{1, .5, .25}, .5
	x := []float64{0.07487716, 0.05206886, 1.87305399} // from the worked table, Λ = 2
	mean := 0.0
	for j := range x {
		f, err := Queue{Preemptive: true, Classes: []Class{
			{"local", lambda[j], tau[j], cvLoc * cvLoc}, {"external", x[j], theta[j], cvExt * cvExt},
		}}.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		omega, mu, rho := theta[j]*theta[j]*(1+cvExt*cvExt), tau[j]*tau[j]*(1+cvLoc*cvLoc), lambda[j]*tau[j]
		want := (theta[j] + (x[j]*omega+lambda[j]*mu)/(2*(1-rho-x[j]*theta[j]))) / (1 - rho)
		numtest.Close(t, "T", f.Classes[1].MeanResponse, want, 1e-14)
		mean += x[j] * f.Classes[1].MeanResponse / 2
	}
	numtest.Close(t, "mean response of the stream", mean, 0.831545175, 1e-8)
}

func TestPriorityLaws(t *testing.T) {
	classes := []Class{{"a", .2, 1, 2}, {"b", .1, 3, .5}, {"c", .3, 1, 1}}
	// Kleinrock's conservation law: Σ ρ_k W_k does not depend on the order.
	conserved := func(q Queue) float64 {
		f, err := q.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, c := range f.Classes {
			sum += c.OfferedLoad * c.MeanWait
		}
		return sum
	}
	swapped := []Class{classes[2], classes[0], classes[1]}
	numtest.Close(t, "conservation", conserved(Queue{Classes: swapped}), conserved(Queue{Classes: classes}), 1e-13)
	// One class is no priority at all.
	for _, servers := range []int{1, 4} {
		for _, preemptive := range []bool{false, true} {
			f, err := Queue{Classes: []Class{{"", 0.7 * float64(servers), 1, 1}}, Servers: servers, Preemptive: preemptive}.Figures(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			m, err := queueing.MMC{ArrivalRate: 0.7 * float64(servers), ServiceTime: 1}.At(float64(servers))
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, "one class", f.Classes[0].MeanWait, m.MeanWait, 1e-13)
		}
	}
	// Classes of no weight meet the limits of their neighbours without
	// cancellation; equal rates on the scaled path give the exact one.
	tiny := Queue{Preemptive: true, Servers: 3, Classes: []Class{{"", 1, 1, 1}, {"", 1e-12, 1, 1}, {"", 1, 1, 1}}}
	small, err := tiny.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tiny.Classes[1].ArrivalRate = 1e-3
	near, err := tiny.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "small class", small.Classes[1].MeanWait, near.Classes[1].MeanWait, 5e-3)
	scaled := Queue{Preemptive: true, Servers: 3, Classes: []Class{{"", 1, 1, 1}, {"", 1.1, 1, 1 + 1e-12}}}
	f, err := scaled.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if f.Warning == nil {
		t.Error("scaling without a warning")
	}
	numtest.Close(t, "scaled, equal rates", f.Classes[1].MeanWait, 1.0030448020878615, 1e-6)
}

// The mean of a derivative against the difference it stands for.
func TestLevelRise(t *testing.T) {
	number := func(c, a float64) float64 {
		f, err := queueing.MMC{ArrivalRate: a, ServiceTime: 1}.At(c)
		if err != nil {
			t.Fatal(err)
		}
		return a * f.MeanResponse
	}
	for _, v := range [][3]float64{{1, .5, .51}, {3, 1, 1.05}, {3, 2.9, 2.91}, {40, 30, 30.5}, {1000, 990, 990.9}, {5, 0, .4}} {
		c, a, b := v[0], v[1], v[2]
		numtest.Close(t, "rise", levelRise(c, a, b), (number(c, b)-number(c, a))/(b-a), 1e-9)
	}
}

func TestPrioritySaturated(t *testing.T) {
	q := Queue{Classes: []Class{{"gold", .3, 1, 1}, {"batch", .8, 1, 0}, {"spare", .1, 1, 1}}}
	f, err := q.Figures(t.Context())
	var saturated *queueing.SaturatedError
	var unstable *queueing.UnstableError
	if !errors.Is(err, queueing.ErrUnstable) || !errors.As(err, &saturated) || !errors.As(err, &unstable) || saturated.Name != "batch" {
		t.Fatalf("error %v, want batch saturated", err)
	}
	if !strings.Contains(err.Error(), `class "batch"`) {
		t.Errorf("message %q does not name the class", err)
	}
	// The server is never idle: gold finds itself at work or a batch job.
	want := (.3*2/2 + .7*1/2) / .7
	numtest.Close(t, "gold beside a saturated class", f.Classes[0].MeanWait, want, 1e-14)
	if !f.Classes[1].Saturated || !f.Classes[2].Saturated || f.Classes[0].Saturated {
		t.Errorf("saturated: %+v", f.Classes)
	}
	numtest.Close(t, "what is left for batch", f.Classes[1].Throughput, .7, 1e-14)
	q.Preemptive = true
	if f, _ = q.Figures(t.Context()); math.Abs(f.Classes[0].MeanWait-.3/.7) > 1e-15 {
		t.Errorf("preemptive gold waits %v", f.Classes[0].MeanWait)
	}
	for _, q := range []Queue{{}, {Classes: []Class{{"x", -1, 1, 1}}}, {Classes: []Class{{"x", 1, 0, 1}}}, {Classes: []Class{{"x", .1, 1, -1}}},
		{Classes: []Class{{"x", .1, 1, math.NaN()}}}, {Classes: []Class{{"x", .1, 1, 1}}, Servers: -2}} {
		var domain *queueing.DomainError
		if _, err := q.Figures(t.Context()); !errors.As(err, &domain) || len(q.Classes) > 0 && q.Servers == 0 && !strings.Contains(err.Error(), `"x"`) {
			t.Errorf("%+v: error %v", q, err)
		}
	}
}

func ExampleQueue() {
	f, err := Queue{Classes: []Class{
		{Name: "interactive", ArrivalRate: 5, ServiceTime: 0.05, ServiceSCV: 1},
		{Name: "batch", ArrivalRate: 0.1, ServiceTime: 6, ServiceSCV: 2},
	}}.Figures(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range f.Classes {
		fmt.Printf("%s waits %.2f s\n", c.Name, c.MeanWait)
	}
	// Output:
	// interactive waits 7.22 s
	// batch waits 48.11 s
}

// SJF of sizes that take few values is a priority queue with one class a size.
func TestPriorityIsSJF(t *testing.T) {
	for _, times := range [][]float64{{1}, {.5, 1, 1.5}} {
		for _, rho := range []float64{.3, .9, .9999} {
			var classes []Class
			for _, x := range times {
				classes = append(classes, Class{"", rho / float64(len(times)), x, 0})
			}
			for preemptive, d := range map[bool]queueing.Discipline{false: queueing.SJF, true: queueing.PSJF} {
				want, err := queueing.MG1{ArrivalRate: rho, Service: queueing.Empirical{Times: times}}.MeanResponseUnder(d)
				if err != nil {
					t.Fatal(err)
				}
				f, err := Queue{Classes: classes, Preemptive: preemptive}.Figures(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				numtest.Close(t, fmt.Sprintf("sizes %v rho %v %v", times, rho, d), f.MeanWait+1, want, 1e-12)
			}
		}
	}
}
