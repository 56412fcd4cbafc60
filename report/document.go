package report

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
)

// A Document is a plan as people read it.
type Document struct {
	Title    string
	Answer   string   // one sentence, the first thing to read
	Glance   []Fact   // what somebody with ten seconds asks
	Points   []string // what stands beside it: what binds, what it rests on
	Problems []Problem
	Sections []*Section
	Inputs   *Table
	Warnings []string
	Seed     uint64
	Draws    int    // 0: nothing was drawn
	Program  string // and version that made it
}

// A Problem is a question without an answer.
type Problem struct{ Question, Reason string }

// New makes the document of a plan. program names what made it. Its figures are
// drawn by [Document.Draw], which a page and a folder of files want and text does
// not.
func New(q *planner.PlanQuestion, a *planner.PlanAnswer, program string) *Document {
	d := &Document{Title: a.Name, Seed: a.Seed, Program: program, Warnings: a.Warnings, Inputs: inputs(q)}
	if d.Title == "" {
		d.Title = "Capacity plan"
	}
	if a.Uncertainty != nil {
		d.Draws = a.Uncertainty.Samples
	}
	for _, p := range a.Infeasible {
		d.Problems = append(d.Problems, Problem{p.Question, p.Reason})
	}
	for _, s := range planSections(q, a) {
		if s == nil {
			continue
		}
		s.Lead = capital(s.Lead)
		d.Sections = append(d.Sections, s)
	}
	d.answer(q, a)
	return d
}

// Draw draws the figures of all sections. An answer that has none is no error.
func (d *Document) Draw(ctx context.Context) error {
	for _, s := range d.Sections {
		var input *ask.InputError
		if _, err := s.Draw(ctx); err != nil && !(errors.As(err, &input) && input.Field == "plot") {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}

// planSections are the sections of a plan in the order in which one thinks, nil
// for what it does not ask.
func planSections(q *planner.PlanQuestion, a *planner.PlanAnswer) []*Section {
	all := []*Section{loadSection(a), mixSection(q, a), machinesSection(q, a), frontierSection(a),
		uncertaintySection(a), sensitivitySection(a)}
	if a.Size != nil {
		word := "" // where machines of several speeds stand beside
		if len(a.Machines) > 0 {
			word = " of speed 1"
		}
		all = append(all, sizeOf(a.Size, word))
	}
	if a.Routing != nil {
		all = append(all, Route(a.Routing, "").ofLeading(a, routesMix(q)))
	}
	all = append(all, planReplicas(a.Replicas))
	if a.Epoch != nil {
		all = append(all, Epoch(a.Epoch).ofLeading(a, a.Epoch.PublicShare != nil))
	}
	if a.Link != nil {
		all = append(all, Link(a.Link).ofLeading(a, a.Link.PublicShare != nil))
	}
	if a.Checkpoint != nil {
		all = append(all, Checkpoint(a.Checkpoint))
	}
	if a.Bag != nil {
		all = append(all, Finish(a.Bag))
	}
	if a.Predict != nil {
		all = append(all, Predict(a.Predict))
	}
	if a.Rank != nil && len(a.Rank.Hosts) > 0 {
		all = append(all, Rank(a.Rank))
	}
	if a.Allocation != nil {
		all = append(all, Allocation(a.Allocation).ofLeading(a, allocatesMix(q)))
	}
	return all
}

// answer says what the whole comes to.
func (d *Document) answer(q *planner.PlanQuestion, a *planner.PlanAnswer) {
	d.Answer = "No question of this scenario has an answer."
	if len(d.Sections) > 0 {
		d.Answer = d.Sections[0].Lead
	}
	d.Glance = glance(q, a)
	switch {
	case a.Mix != nil:
		d.Answer = mixSentence(q, a)
		d.Points = mixPoints(q, a)
		for i, p := range d.Problems {
			if p.Question == "mix" { // a limit from the other side: that is the answer
				d.Points = append([]string{"Without that limit: " + d.Answer}, d.Points...)
				d.Answer = capital(p.Reason) + "."
				d.Glance = nil
				d.Problems = append(d.Problems[:i:i], d.Problems[i+1:]...)
				break
			}
		}
	case a.Size != nil:
		for _, s := range d.Sections {
			if s.ID == "size" {
				d.Answer = s.Lead
			}
		}
	}
}

// Data are the tables for programs of all sections.
func (d *Document) Data() []Data {
	var all []Data
	for _, s := range d.Sections {
		all = append(all, s.Data...)
	}
	return all
}

// figure returns the figure of an ID, or the first where it is empty; nil where
// there is none.
func (d *Document) figure(id string) *Figure {
	for _, s := range d.Sections {
		for i := range s.Drawn {
			if f := &s.Drawn[i]; f.ID == id || id == "" {
				return f
			}
		}
	}
	return nil
}

// Section puts the document into one section, for text: the answer first, no long
// table, formulas only where they are asked for. Its figure is the first of the
// given ones that there is; an empty ID is any.
func (d *Document) Section(formulas bool, figures ...string) *Section {
	out := &Section{ID: "plan", Lead: d.Answer}
	for _, f := range d.Glance {
		out.Fact(f.Label, f.Value, f.Remark)
	}
	if len(d.Points) > 0 {
		out.Say("  %s", strings.Join(d.Points, "\n  "))
	}
	for _, x := range d.Problems {
		out.Say("No answer (%s): %s", x.Question, x.Reason)
	}
	for _, s := range d.Sections {
		if s.Lead == d.Answer { // said already
			out.Say("%s", s.Title)
		} else {
			out.Say("%s %s", s.Title, s.Lead)
		}
		for _, p := range s.Parts {
			if p.Table == nil || !p.Table.Long {
				out.Parts = append(out.Parts, p)
			}
		}
		if formulas && s.Formulas != nil {
			out.Parts = append(out.Parts, Part{Text: strings.TrimSuffix(explained(s.Formulas), "\n")})
		}
	}
	if d.Draws > 0 {
		out.Say("%s, seed %d", Plural(d.Draws, "draw"), d.Seed)
	}
	out.Draws = func(ctx context.Context) ([]Figure, error) {
		if err := d.Draw(ctx); err != nil {
			return nil, err
		}
		for _, id := range figures {
			if f := d.figure(id); f != nil {
				return []Figure{*f}, nil
			}
		}
		return nil, nil
	}
	return out
}

// FileNames lists the files that the folder of a plan may hold, with / between
// folders: whoever replaces an earlier plan takes these away and no others.
func FileNames() []string {
	names := []string{"report.html", "result.json", "scenario.yaml", "scenario.json"}
	for _, t := range strings.Fields("mix machines frontier candidates sensitivity staffing routing availability ranking allocation finish") {
		names = append(names, t+".csv")
	}
	for _, f := range strings.Fields("mix frontier uncertainty sensitivity size staffing routing routing-2 replicas epoch link checkpoint finish availability ranking allocation") {
		names = append(names, "plots/"+f+".svg", "plots/"+f+".png")
	}
	return names
}
