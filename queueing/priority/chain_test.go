package priority

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

func numbers(t *testing.T, cell string) []float64 {
	var all []float64
	for _, f := range strings.Fields(cell) {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func chainRow(t *testing.T, r numtest.Row) (q Queue, class int) {
	q = Queue{Preemptive: r.Text("preemptive") == "true", Servers: int(r.Float("servers"))}
	means := numbers(t, r.Text("means"))
	for i, rate := range numbers(t, r.Text("rates")) {
		q.Classes = append(q.Classes, Class{ArrivalRate: rate, ServiceTime: means[i], ServiceSCV: 1})
	}
	return q, int(r.Float("class")) - 1
}

// Exponential classes of unlike means, against the whole chain of all numbers.
func TestPriorityChainsByReference(t *testing.T) {
	scaled := 0
	for _, r := range numtest.Table(t, "testdata/prioritychain.csv") {
		q, k := chainRow(t, r)
		f, err := q.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if f.Chained == (f.Warning != nil) {
			t.Errorf("line %d: chained %v, %v", r.Line, f.Chained, f.Warning)
		}
		if !f.Chained { // its matrices would be too large
			scaled++
			continue
		}
		tolerance := 1e-7
		if len(q.Classes) == 3 {
			tolerance = 1e-6 // both chains are cut
		}
		number := f.Classes[k].OfferedLoad + f.Classes[k].MeanQueueLength
		numtest.Close(t, fmt.Sprintf("line %d: mean number", r.Line), number, r.Float("number"), tolerance)
	}
	if scaled != 2 {
		t.Errorf("%d rows were scaled, want 2", scaled)
	}
}

// The warning quotes what scaling does where the chain tells.
func TestPriorityErrorsAreMeasured(t *testing.T) {
	longtest.Skip(t)
	var found [2][len(prioritySpreads)][]float64
	for i, spread := range prioritySpreads {
		for _, q := range chainGrid(spread) {
			f, err := q.Figures(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !f.Chained {
				continue // too large
			}
			p := prioritySums{c: float64(q.Servers)}
			p.run(q.Classes)
			for k, class := range q.Classes {
				kind, wait := 0, p.residual/(p.gap[k]*p.gap[k+1])
				if q.Preemptive {
					kind, wait = 1, p.preemptiveWait(k, class)
				}
				if !q.Preemptive || k > 0 {
					found[kind][i] = append(found[kind][i], wait/f.Classes[k].MeanWait-1)
				}
			}
		}
	}
	for kind, quoted := range priorityErrors {
		for i, e := range quoted {
			numtest.SameRange(t, fmt.Sprintf("kind %d, means %g times apart", kind, prioritySpreads[i]), numtest.Range(e.Range), numtest.Outwards(found[kind][i]))
		}
	}
}

// chainGrid has two exponential classes, either the longer, the first with a
// fifth or half of the load.
func chainGrid(spread float64) []Queue {
	var all []Queue
	for _, preemptive := range []bool{false, true} {
		for _, c := range []int{2, 4, 10} {
			for _, rho := range []float64{0.5, 0.85} {
				for _, share := range []float64{0.2, 0.5} {
					for _, mean := range []float64{spread, 1 / spread} {
						a := rho * float64(c)
						all = append(all, Queue{Preemptive: preemptive, Servers: c, Classes: []Class{
							{"first", a * share / mean, mean, 1}, {"second", a * (1 - share), 1, 1},
						}})
					}
				}
			}
		}
	}
	return all
}

func TestPriorityApproximationSaysWhatWasMeasured(t *testing.T) {
	for _, c := range []struct {
		name   string
		q      Queue
		errors queueing.ErrorRange
		says   string
	}{
		{"idle class", Queue{Servers: 3, Classes: []Class{{"a", 0.9, 1, 1}, {"b", 0.5, 2, 1}, {"none", 0, 40, 9}, {"c", 0.2, 1, 1}}}, queueing.ErrorRange(priorityMany[0][0].Range), "means up to 2 times apart"},
		{"large and idle", Queue{Servers: 100, Classes: []Class{{"a", 20, 1, 1}, {"b", 10, 4, 1}}}, queueing.ErrorRange{}, "not measured below a utilization of 0.7 on 100 servers, where hardly anybody waits: here 5.7e-08 of a service"},
		{"large", Queue{Servers: 100, Classes: []Class{{"a", 20, 1, 1}, {"b", 18, 4, 1}}}, queueing.ErrorRange(priorityMany[0][1].Range), "up to 300 servers"},
		{"too large", Queue{Servers: 301, Classes: []Class{{"a", 60, 1, 1}, {"b", 54, 4, 1}}}, queueing.ErrorRange{}, "not measured on more than 300 servers"},
		{"three", Queue{Servers: 3, Classes: []Class{{"a", 0.9, 1, 1}, {"b", 0.5, 2, 1}, {"c", 0.2, 1, 1}}}, queueing.ErrorRange(priorityMany[0][0].Range), "2 to 8 exponential classes, non-preemptive, means up to 2 times apart"},
		{"four", Queue{Servers: 4, Preemptive: true, Classes: []Class{{"a", 0.9, 1, 1}, {"b", 0.7, 2, 1}, {"c", 0.3, 1, 1}, {"d", 0.2, 1, 1}}}, queueing.ErrorRange(priorityMany[1][0].Range), "2 to 8 exponential classes, preemptive"},
		{"five", Queue{Servers: 4, Classes: []Class{{"a", 0.9, 1, 1}, {"b", 0.7, 2, 1}, {"c", 0.3, 1, 1}, {"d", 0.2, 1, 1}, {"e", 0.1, 1, 1}}}, queueing.ErrorRange(priorityMany[0][0].Range), "2 to 8 exponential classes, non-preemptive"},
		{"nine", Queue{Servers: 4, Classes: slices.Repeat([]Class{{"a", 0.3, 1, 0}}, 9)}, queueing.ErrorRange{}, "not measured for 9 classes"},
		{"between", Queue{Servers: 170, Classes: []Class{{"a", 33, 1, 1}, {"b", 25, 4, 1}}}, queueing.ErrorRange(priorityMany[0][1].Range), "up to 300 servers"},
		{"far and constant", Queue{Servers: 3, Classes: []Class{{"a", 0.5, 1, 0}, {"b", 0.1, 17, 0}}}, queueing.ErrorRange(priorityService[0][2].Range), "means up to 20 times apart"},
		{"busy", Queue{Servers: 10, Preemptive: true, Classes: []Class{{"a", 9.5, 1, 1}, {"b", 0.2, 2, 1}}}, queueing.ErrorRange{}, "not measured above a utilization of 0.95"},
		{"far apart", Queue{Servers: 9, Classes: []Class{{"a", 2, 1, 1}, {"b", 0.1, 40, 1}, {"c", 0.1, 1, 1}}}, queueing.ErrorRange{}, "not measured for means that are 40 times apart"},
		{"constant", Queue{Servers: 2, Preemptive: true, Classes: []Class{{"a", 1, 1, 0}, {"b", 0.5, 1, 1}, {"c", 0.3, 1, 1}}}, queueing.ErrorRange(priorityService[1][0].Range), "2 to 8 classes of SCV 0 or 4, preemptive"},
		{"two constant", Queue{Servers: 2, Classes: []Class{{"a", 1, 1, 0}, {"b", 0.8, 1, 1}}}, queueing.ErrorRange(priorityService[0][0].Range), "2 to 8 classes of SCV 0 or 4, non-preemptive"},
		{"constant and idle", Queue{Servers: 2, Preemptive: true, Classes: []Class{{"a", 0.5, 1, 0}, {"b", 0.5, 1, 1}}}, queueing.ErrorRange(priorityService[1][0].Range), "2 to 8 classes of SCV 0 or 4, preemptive"},
		{"uneven", Queue{Servers: 2, Classes: []Class{{"a", 1, 1, 9}, {"b", 0.8, 1, 1}}}, queueing.ErrorRange{}, "not measured for an SCV of 9"},
	} {
		f, err := c.q.Figures(t.Context())
		if err != nil || f.Chained || f.Approximation == nil {
			t.Fatalf("%s: %v, chained %v, %v", c.name, err, f.Chained, f.Approximation)
		}
		if f.Approximation.MeanWait != c.errors || !strings.Contains(f.Warning.String(), c.says) {
			t.Errorf("%s: %v, %v", c.name, f.Approximation, f.Warning)
		}
		if unmeasured := c.errors == (queueing.ErrorRange{}); unmeasured != (f.Approximation.Source == "") {
			t.Errorf("%s: source %q", c.name, f.Approximation.Source)
		}
	}
}

// The response of the second class, as found by an independent chain.
func TestPriorityPreemptiveSecondClass(t *testing.T) {
	f, err := Queue{Preemptive: true, Servers: 2, Classes: []Class{
		{"a", 0.3, 1 / 1.2, 1}, {"b", 0.3, 1, 1}, {"c", 0.3, 1 / 0.8, 1},
	}}.Figures(t.Context())
	if err != nil || f.Warning != nil {
		t.Fatalf("%v, %v", err, f.Warning)
	}
	numtest.Close(t, "second class", f.Classes[1].MeanResponse, 1.1300994, 5e-8)
}

// A done context ends a question whose waits are those of chains.
func TestPriorityChainsStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, q := range []Queue{
		{Servers: 8, Preemptive: true, Classes: []Class{{"a", 4, 1, 1}, {"b", 1, 2, 1}}},
		{Servers: 2, Preemptive: true, Classes: []Class{{"a", .3, 1 / 1.2, 1}, {"b", .3, 1, 1}, {"c", .3, 1 / .8, 1}}},
		{Servers: 4, Classes: []Class{{"a", 1, 1, 1}, {"b", 1, 2, 1}}},
	} {
		if f, err := q.Figures(t.Context()); err != nil || !f.Chained {
			t.Errorf("%+v: chained %v, %v, want a chain", q, f.Chained, err)
		}
		if _, err := q.Figures(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v, want %v", q, err, context.Canceled)
		}
	}
}
