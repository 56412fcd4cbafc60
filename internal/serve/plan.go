package serve

import (
	"bytes"
	"context"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
)

// planQuestion is the whole scenario. It is read by a reader that knows no files:
// one that names any is refused. The example is a scenario as small as can be planned.
func planQuestion() question {
	return question{
		name: "plan", usage: "the whole scenario at once", answer: "plan", yaml: true,
		example: `{"load": {"rate": "60..72..90/min"}, "service": {"time": "100s"}, "objectives": {"max_blocking": "1%"},
  "machines": [{"name": "rack", "price": "0.42/h"}]}`,
		struct_: planner.PlanQuestion{},
		read: func(ctx context.Context, b *body) (asking, error) {
			q, err := b.scenario(ctx)
			if err != nil {
				return asking{}, err
			}
			return asking{
				// A plan does not tell how far it is.
				ask: func(ctx context.Context, _ func(done, of int)) (any, error) { return planner.Plan(ctx, q) },
				sections: func(a any) []*page.Section {
					d := report.New(q, a.(*planner.PlanAnswer), "")
					return append([]*page.Section{summary(d)}, d.Sections...)
				},
			}, nil
		},
	}
}

// scenario reads the body as a scenario.
func (b *body) scenario(ctx context.Context) (*planner.PlanQuestion, error) {
	return planner.ReadScenario(ctx, bytes.NewReader(b.content))
}

// summary is the first of what a report says, as a section. A page shows it above the sections.
func summary(d *page.Document) *page.Section {
	s := &page.Section{ID: "answer", Title: d.Title}
	s.Say("%s", d.Answer)
	for _, f := range d.Glance {
		s.Fact(f.Label, f.Value, f.Remark)
	}
	for _, p := range d.Points {
		s.Say("%s", p)
	}
	for _, p := range d.Problems {
		s.Say("No answer (%s): %s", p.Question, p.Reason)
	}
	s.Notes = d.Warnings
	return s
}
