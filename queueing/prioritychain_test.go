package queueing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
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

func chainRow(t *testing.T, r numtest.Row) (q Priority, class int) {
	q = Priority{Preemptive: r.Text("preemptive") == "true", Servers: int(r.Float("servers"))}
	means := numbers(t, r.Text("means"))
	for i, rate := range numbers(t, r.Text("rates")) {
		q.Classes = append(q.Classes, PriorityClass{ArrivalRate: rate, ServiceTime: means[i], ServiceSCV: 1})
	}
	return q, int(r.Float("class")) - 1
}

// Exponential classes of unlike means, against the whole chain of all numbers.
func TestPriorityChainsByReference(t *testing.T) {
	scaled := 0
	for _, r := range numtest.Table(t, "testdata/prioritychain.csv") {
		q, k := chainRow(t, r)
		f, err := q.Figures()
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
	var found [2][len(prioritySpreads)][]float64
	for i, spread := range prioritySpreads {
		for _, q := range chainGrid(spread) {
			f, err := q.Figures()
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
			sameRange(t, fmt.Sprintf("kind %d, means %g times apart", kind, prioritySpreads[i]), e.ErrorRange, outwards(found[kind][i]))
		}
	}
}

// chainGrid has two exponential classes, either the longer, the first with a
// fifth or half of the load.
func chainGrid(spread float64) []Priority {
	var all []Priority
	for _, preemptive := range []bool{false, true} {
		for _, c := range []int{2, 4, 10} {
			for _, rho := range []float64{0.5, 0.85} {
				for _, share := range []float64{0.2, 0.5} {
					for _, mean := range []float64{spread, 1 / spread} {
						a := rho * float64(c)
						all = append(all, Priority{Preemptive: preemptive, Servers: c, Classes: []PriorityClass{
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
		q      Priority
		errors ErrorRange
		says   string
	}{
		{"idle class", Priority{Servers: 5, Classes: []PriorityClass{{"a", 2, 1, 1}, {"b", 0, 4, 1}}}, priorityErrors[0][1].ErrorRange, "5 times apart"},
		{"large and idle", Priority{Servers: 100, Classes: []PriorityClass{{"a", 20, 1, 1}, {"b", 10, 4, 1}}}, ErrorRange{}, "not measured below a utilization of 0.7 on 100 servers, where hardly anybody waits: here 5.7e-08 of a service"},
		{"large", Priority{Servers: 100, Classes: []PriorityClass{{"a", 20, 1, 1}, {"b", 18, 4, 1}}}, priorityMany[0][1].ErrorRange, "up to 300 servers"},
		{"too large", Priority{Servers: 301, Classes: []PriorityClass{{"a", 60, 1, 1}, {"b", 54, 4, 1}}}, ErrorRange{}, "not measured on more than 300 servers"},
		{"three", Priority{Servers: 3, Classes: []PriorityClass{{"a", 0.9, 1, 1}, {"b", 0.5, 2, 1}, {"c", 0.2, 1, 1}}}, priorityMany[0][0].ErrorRange, "2 to 8 exponential classes, non-preemptive, means up to 2 times apart"},
		{"four", Priority{Servers: 4, Preemptive: true, Classes: []PriorityClass{{"a", 0.9, 1, 1}, {"b", 0.7, 2, 1}, {"c", 0.3, 1, 1}, {"d", 0.2, 1, 1}}}, priorityMany[1][0].ErrorRange, "2 to 8 exponential classes, preemptive"},
		{"five", Priority{Servers: 4, Classes: []PriorityClass{{"a", 0.9, 1, 1}, {"b", 0.7, 2, 1}, {"c", 0.3, 1, 1}, {"d", 0.2, 1, 1}, {"e", 0.1, 1, 1}}}, priorityMany[0][0].ErrorRange, "2 to 8 exponential classes, non-preemptive"},
		{"nine", Priority{Servers: 4, Classes: slices.Repeat([]PriorityClass{{"a", 0.3, 1, 0}}, 9)}, ErrorRange{}, "not measured for 9 classes"},
		{"between", Priority{Servers: 170, Classes: []PriorityClass{{"a", 33, 1, 1}, {"b", 25, 4, 1}}}, priorityMany[0][1].ErrorRange, "up to 300 servers"},
		{"far and constant", Priority{Servers: 3, Classes: []PriorityClass{{"a", 0.5, 1, 0}, {"b", 0.1, 17, 0}}}, priorityService[0][2].ErrorRange, "means up to 20 times apart"},
		{"busy", Priority{Servers: 10, Preemptive: true, Classes: []PriorityClass{{"a", 9.5, 1, 1}, {"b", 0.2, 2, 1}}}, ErrorRange{}, "not measured above a utilization of 0.95"},
		{"far apart", Priority{Servers: 9, Classes: []PriorityClass{{"a", 2, 1, 1}, {"b", 0, 40, 1}}}, ErrorRange{}, "not measured for means that are 40 times apart"},
		{"constant", Priority{Servers: 2, Preemptive: true, Classes: []PriorityClass{{"a", 1, 1, 0}, {"b", 0.5, 1, 1}, {"c", 0.3, 1, 1}}}, priorityService[1][0].ErrorRange, "2 to 8 classes of SCV 0 or 4, preemptive"},
		{"two constant", Priority{Servers: 2, Classes: []PriorityClass{{"a", 1, 1, 0}, {"b", 0.8, 1, 1}}}, priorityService[0][0].ErrorRange, "2 to 8 classes of SCV 0 or 4, non-preemptive"},
		{"constant and idle", Priority{Servers: 2, Preemptive: true, Classes: []PriorityClass{{"a", 0.5, 1, 0}, {"b", 0.5, 1, 1}}}, priorityService[1][0].ErrorRange, "2 to 8 classes of SCV 0 or 4, preemptive"},
		{"uneven", Priority{Servers: 2, Classes: []PriorityClass{{"a", 1, 1, 9}, {"b", 0.8, 1, 1}}}, ErrorRange{}, "not measured for an SCV of 9"},
	} {
		f, err := c.q.Figures()
		if err != nil || f.Chained || f.Approximation == nil {
			t.Fatalf("%s: %v, chained %v, %v", c.name, err, f.Chained, f.Approximation)
		}
		if f.Approximation.MeanWait != c.errors || !strings.Contains(f.Warning.String(), c.says) {
			t.Errorf("%s: %v, %v", c.name, f.Approximation, f.Warning)
		}
		if unmeasured := c.errors == (ErrorRange{}); unmeasured != (f.Approximation.Source == "") {
			t.Errorf("%s: source %q", c.name, f.Approximation.Source)
		}
	}
}

// The response of the second class, as found by an independent chain.
func TestPriorityPreemptiveSecondClass(t *testing.T) {
	f, err := Priority{Preemptive: true, Servers: 2, Classes: []PriorityClass{
		{"a", 0.3, 1 / 1.2, 1}, {"b", 0.3, 1, 1}, {"c", 0.3, 1 / 0.8, 1},
	}}.Figures()
	if err != nil || f.Warning != nil {
		t.Fatalf("%v, %v", err, f.Warning)
	}
	numtest.Close(t, "second class", f.Classes[1].MeanResponse, 1.1300994, 5e-8)
}
