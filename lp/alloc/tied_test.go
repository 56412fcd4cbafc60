package alloc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// tiedRow is one batch of testdata/tied.json.
type tiedRow struct {
	Batch    Batch    `json:"batch"`
	LP       *float64 `json:"lp"`
	Eligible *float64 `json:"eligible"`
	Optimum  *float64 `json:"optimum"`
}

func tiedRows(t *testing.T) []tiedRow {
	t.Helper()
	data, err := os.ReadFile("testdata/tied.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []tiedRow
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestTiedBoundsAgainstHiGHS(t *testing.T) {
	infeasible := 0
	for n, row := range tiedRows(t) {
		what := fmt.Sprintf("batch %d: ", n)
		s, err := New(&row.Batch)
		if err != nil {
			t.Fatal(what, err)
		}
		b, err := s.Bounds(context.Background(), BoundOptions{})
		if row.LP == nil {
			infeasible++
			if !errors.Is(err, ErrInfeasible) {
				t.Errorf("%serr = %v, want infeasible", what, err)
			}
			continue
		}
		if err != nil {
			if row.Optimum != nil || !errors.Is(err, ErrInfeasible) {
				t.Errorf("%s%v", what, err)
			}
			continue
		}
		numtest.Close(t, what+"lp", b.LP, *row.LP, 1e-9)
		if row.Eligible != nil {
			numtest.Close(t, what+"eligible", b.Eligible, *row.Eligible, 1e-9)
		}
		if row.Optimum != nil {
			for name, bound := range map[string]*float64{"published": b.Published, "lp": &b.LP, "eligible": &b.Eligible, "best": p(b.Best())} {
				if bound != nil && *bound < *row.Optimum-1e-6 {
					t.Errorf("%s%s = %v below the optimum %v", what, name, *bound, *row.Optimum)
				}
			}
			if b.Integer != nil && float64(*b.Integer) < *row.Optimum-1e-6 {
				t.Errorf("%sinteger = %v below the optimum %v", what, *b.Integer, *row.Optimum)
			}
		}
	}
	t.Logf("%d infeasible", infeasible)
}

func p[T any](v T) *T { return &v }
