package adversary

import (
	"context"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/report"
)

// A report is written of every plan that has an answer, whatever was asked.
func TestReports(t *testing.T) {
	from, to := span(t)
	written := 0
	for seed := from; seed < to; seed++ {
		d := drawerOf("report.New", seed)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		q := plan(d)
		if v := reflect.ValueOf(&q).Elem(); d.chance(0.3) {
			d.spoil(v, 8)
		}
		p := parallel.Catch(func() {
			a, err := planner.Plan(ctx, &q)
			if err != nil || a == nil {
				return
			}
			written++
			doc := report.New(&q, a, "capplan")
			for _, table := range doc.Data() {
				_ = table.Write(io.Discard, false)
			}
			if err := doc.Section(true).WriteText(io.Discard); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			if d.r = rand.New(rand.NewPCG(seed, 1)); !d.chance(0.1) {
				return // the drawings take most of the time
			}
			if err := doc.Draw(ctx); err != nil && ctx.Err() == nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			if err := doc.WriteHTML(io.Discard); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		})
		cancel()
		if p != nil {
			t.Errorf("seed %d: %v\n%s", seed, p, p.Stack)
		}
	}
	if written == 0 && to > from {
		t.Error("no plan has an answer")
	}
	t.Logf("%d reports of %d plans", written, to-from)
}
