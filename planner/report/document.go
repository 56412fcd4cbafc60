package report

import (
	"fmt"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
)

// A Document is a plan as people read it.
type Document struct {
	Title    string
	Answer   string   // one sentence, the first thing to read
	Points   []string // what stands beside it: what binds, what it rests on
	Problems []Problem
	Sections []Section
	Inputs   Table
	Warnings []string
	Seed     uint64
	Draws    int    // 0: nothing was drawn
	Program  string // and version that made it
}

// A Problem is a question without an answer.
type Problem struct{ Question, Reason string }

// A Section is one question and its answer.
type Section struct {
	ID, Title   string
	Lead        string // the answer in one sentence
	Rows        []Row
	Tables      []Table
	Figures     []Figure
	Notes       []string
	Explanation *ask.Explanation
}

// A Row is one figure with its label.
type Row struct{ Label, Value, Remark string }

// A Table is rows of cells, flush right but for the first Words columns.
type Table struct {
	ID, Caption string
	Head        []string
	Rows        [][]string
	Words       int  // columns of words, at least 1
	Long        bool // left out of short texts
}

// A Figure is a drawing. Top, if set, stands above it on the same x axis.
type Figure struct {
	ID, Caption string
	Top         *chart.Chart
	Chart       chart.Chart
}

// row adds a figure to a section; one without a value is left out.
func (s *Section) row(label, value string, remark ...string) {
	if value == "" {
		return
	}
	r := Row{Label: label, Value: value}
	if len(remark) > 0 {
		r.Remark = remark[0]
	}
	s.Rows = append(s.Rows, r)
}

func (s *Section) figure(id, caption string, c chart.Chart) {
	s.Figures = append(s.Figures, Figure{ID: id, Caption: caption, Chart: c})
}

// New makes the document of a plan. program names what made it.
func New(q *planner.PlanQuestion, a *planner.PlanAnswer, program string) (*Document, error) {
	if q == nil || a == nil {
		return nil, ask.NoQuestion()
	}
	if len(a.Machines) > len(q.Machines) {
		return nil, ask.Inputf("machines", "the question has %d and the answer %d: they are of two plans", len(q.Machines), len(a.Machines))
	}
	d := &Document{Title: a.Name, Seed: a.Seed, Program: program, Warnings: a.Warnings}
	if d.Title == "" {
		d.Title = "Capacity plan"
	}
	if a.Uncertainty != nil {
		d.Draws = a.Uncertainty.Samples
	}
	for _, p := range a.Infeasible {
		d.Problems = append(d.Problems, Problem{p.Question, p.Reason})
	}
	for _, make := range []func(*planner.PlanQuestion, *planner.PlanAnswer) (*Section, error){
		loadSection, mixSection, machinesSection, frontierSection, uncertaintySection, sensitivitySection, sizeSection, routingSection,
		replicasSection, epochSection, linkSection, checkpointSection, availabilitySection, rankingSection, allocationSection,
	} {
		s, err := make(q, a)
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		if s != nil {
			d.Sections = append(d.Sections, *s)
		}
	}
	d.answer(q, a)
	d.Inputs = inputs(q)
	return d, nil
}

// answer says what the whole comes to.
func (d *Document) answer(q *planner.PlanQuestion, a *planner.PlanAnswer) {
	switch {
	case a.Mix != nil:
		d.Answer = mixSentence(q, a)
		d.Points = mixPoints(a)
		for i, p := range d.Problems {
			if p.Question == "mix" { // a limit from the other side: that is the answer
				d.Points = append([]string{"Without that limit: " + d.Answer}, d.Points...)
				d.Answer = capital(p.Reason) + "."
				d.Problems = append(d.Problems[:i:i], d.Problems[i+1:]...)
				break
			}
		}
	case len(d.Sections) > 0 && len(d.Sections) == 1:
		d.Answer = d.Sections[0].Lead
	case a.Size != nil:
		for _, s := range d.Sections {
			if s.ID == "size" {
				d.Answer = s.Lead
			}
		}
	case len(d.Sections) > 0:
		d.Answer = d.Sections[0].Lead
	default:
		d.Answer = "No question of this scenario has an answer."
	}
}
