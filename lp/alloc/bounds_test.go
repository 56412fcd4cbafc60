package alloc

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// answers are the reference values of a generated batch, computed by HiGHS on
// the explicit linear and integer programs.
type answers struct {
	MRPA map[string]struct {
		Published float64 `json:"lp_bound_published"`
		LP        float64 `json:"lp_bound"`
		Eligible  float64 `json:"lp_bound_eligible"`
		Objective int64   `json:"mip_objective"`
		MIPBound  float64 `json:"mip_best_bound"`
		Optimum   *int64  `json:"mip_optimum"`
	} `json:"mrpa"`
	MLBA map[string]struct {
		Primary []struct {
			Job, Resource string
			Level         int
		} `json:"given_primary"`
		Revenue        int64    `json:"primary_revenue"`
		Published      *float64 `json:"lp_loss_published_strict"`
		Strict         *float64 `json:"lp_loss_mckp_strict"`
		Soft           *float64 `json:"lp_loss_mckp_soft"`
		EligibleStrict *float64 `json:"lp_loss_eligible_strict"`
		EligibleSoft   *float64 `json:"lp_loss_eligible_soft"`
		DropSoft       *float64 `json:"lp_loss_drop_oversize_soft"`
		Homeless       int      `json:"jobs_without_any_backup_site"`
		SoftMIP        struct {
			Optimum     *int64 `json:"mip_optimum"`
			Unprotected int    `json:"unprotected"`
		} `json:"soft"`
		StrictMIP struct {
			Optimum *int64 `json:"mip_optimum"`
			Status  string `json:"status"`
		} `json:"strict"`
	} `json:"mlba"`
}

var batches = []string{"i02", "i06", "i13", "i17"}

func load(t testing.TB, name string) (*System, answers) {
	t.Helper()
	var b Batch
	var a answers
	for file, into := range map[string]any{name + ".json": &b, name + ".answers.json": &a} {
		data, err := os.ReadFile("../../testdata/alloc/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, into); err != nil {
			t.Fatal(file, err)
		}
	}
	s, err := New(&b)
	if err != nil {
		t.Fatal(err)
	}
	return s, a
}

func TestBoundsAgainstHiGHS(t *testing.T) {
	for _, name := range batches {
		s, a := load(t, name)
		b, err := s.Bounds(context.Background(), BoundOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range b.Dependencies {
			want := a.MRPA[d.Dependency]
			what := fmt.Sprintf("%s %s ", name, d.Dependency)
			numtest.Close(t, what+"lp_bound_published", *d.Published, want.Published, 1e-9)
			numtest.Close(t, what+"lp_bound", d.LP, want.LP, 1e-9)
			numtest.Close(t, what+"lp_bound_eligible", d.Eligible, want.Eligible, 1e-9)
			if d.Integer == nil {
				t.Errorf("%sinteger_bound not proven", what)
				continue
			}
			if *d.Integer < want.Objective {
				t.Errorf("%sinteger_bound = %d below the feasible %d", what, *d.Integer, want.Objective)
			}
			if float64(*d.Integer) > d.LP {
				t.Errorf("%sinteger_bound = %d above lp_bound %v", what, *d.Integer, d.LP)
			}
			t.Logf("%s lp %.2f integer %d best known %d", what, d.LP, *d.Integer, want.Objective)
		}
	}
}
