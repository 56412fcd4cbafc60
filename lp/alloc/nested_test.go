package alloc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// tableBatch reads a batch from a row of testdata/bounds.csv.
func tableBatch(t testing.TB, row numtest.Row) *Batch {
	t.Helper()
	b := &Batch{Dependencies: []string{"x"}}
	for j, f := range strings.Fields(row.Text("capacities")) {
		r := Resource{ID: fmt.Sprint("r", j), Dependency: "x"}
		if _, err := fmt.Sscan(f, &r.PrimaryCapacity); err != nil {
			t.Fatal(err)
		}
		b.Resources = append(b.Resources, r)
	}
	for k, f := range strings.Split(row.Text("jobs"), "|") {
		job := Job{ID: fmt.Sprint("j", k), Levels: map[string][]Level{}}
		for _, pair := range strings.Fields(f) {
			var l Level
			if _, err := fmt.Sscanf(pair, "%d:%d", &l.Demand, &l.Revenue); err != nil {
				t.Fatal(err)
			}
			job.Levels["x"] = append(job.Levels["x"], l)
		}
		b.Jobs = append(b.Jobs, job)
	}
	return b
}

func TestBoundsAgainstExplicitPrograms(t *testing.T) {
	nestedMatters := 0
	for _, row := range numtest.Table(t, "testdata/bounds.csv") {
		s, err := New(tableBatch(t, row))
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Bounds(context.Background(), BoundOptions{})
		what := fmt.Sprintf("line %d: ", row.Line)
		if row.Text("eligible") == "infeasible" {
			if !errors.Is(err, ErrInfeasible) {
				t.Errorf("%serr = %v, want infeasible", what, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s%v", what, err)
			continue
		}
		numtest.Close(t, what+"published", *b.Published, row.Float("published"), 1e-9)
		numtest.Close(t, what+"lp", b.LP, row.Float("lp"), 1e-9)
		numtest.Close(t, what+"eligible", b.Eligible, row.Float("eligible"), 1e-9)
		p, _ := s.deps[0].primaryProblem().trimmed()
		if dropped := p.relax(sum(p.cap)).bound; dropped > b.Eligible*(1+1e-9) {
			nestedMatters++
		}
	}
	if nestedMatters < 10 {
		t.Errorf("the nested rows matter in only %d rows of the table", nestedMatters)
	}
}

// The nested bound ends with its work, and where rounding keeps it from its end; it is a bound whenever that is.
func TestNestedBoundEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	p := &problem{}
	const jobs = 2000
	for k := range jobs {
		p.first = append(p.first, int32(len(p.dem)))
		for d, v := r.Int64N(1000)+1, r.Int64N(50)+1; len(p.dem) < 4*(k+1); d, v = d+1+r.Int64N(500), v+1+r.Int64N(50) {
			p.dem, p.rev = append(p.dem, d), append(p.rev, v)
		}
		p.last = append(p.last, int32(len(p.dem)))
	}
	for range jobs {
		p.cap = append(p.cap, max(1000, r.Int64N(1500)))
	}
	q, _ := p.trimmed()
	capacity := sum(q.cap)
	pooled := q.relax(capacity)
	before, least := pooled.bound, 0.0
	for _, work := range []int{0, 10_000, 1_000_000, 5_000_000, 1_000_000_000} {
		n := newNested(q, work)
		least = n.bound(pooled, capacity)
		if least > before*(1+1e-9) || work-n.work > work+4*jobs {
			t.Errorf("of %d levels to look at %d were: a bound of %v, of fewer %v", work, work-n.work, least, before)
		}
		if work == 1_000_000_000 && work-n.work > 20_000_000 {
			t.Errorf("%d levels were looked at: it goes on where nothing is won", work-n.work)
		}
		before = least
		t.Logf("%d levels looked at: a bound of %v", work-n.work, least)
	}
	if least > 0.99*pooled.bound {
		t.Errorf("a bound of %v, pooled %v: the test shows nothing", least, pooled.bound)
	}
	var ks knapsack
	s, waiting := p.construct(t.Context(), &ks, effort{scales: 1}, math.MaxInt64)
	if len(waiting) == 0 && float64(s.value) > least {
		t.Errorf("a bound of %v on %d", least, s.value)
	}
}
