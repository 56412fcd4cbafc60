package page

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/say"
)

// A Document is a plan as people read it: its sections under one answer. What a report shows
// besides, such as where it was made, is left out: the same plan gives the same bytes.
type Document struct {
	Title    string
	Answer   string   // one sentence, the first thing to read
	Glance   []Fact   // what somebody with ten seconds asks
	Points   []string // what stands beside it: what binds, what it rests on
	Problems []Problem
	Sections []*Section
	// Inputs echo what was asked; Warnings are those that stand beside no answer.
	Inputs   *Table
	Warnings []string
	// Seed is the seed of all draws; there were Draws of them.
	Seed    uint64
	Draws   int    // 0: nothing was drawn
	Program string // and version that made it
}

// A Problem is a question without an answer.
type Problem struct{ Question, Reason string }

// Draw draws the figures of all sections. An answer that has none is no error. Drawings are kept in
// the sections. Errors: those of a figure that could not be made.
func (d *Document) Draw(ctx context.Context) error {
	for _, s := range d.Sections {
		// ask.NotDrawn is an input error of the field plot.
		var input *ask.InputError
		if _, err := s.Draw(ctx); err != nil && !(errors.As(err, &input) && input.Field == "plot") {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}

// Data are the tables for programs of all sections.
func (d *Document) Data() []Data {
	var all []Data
	for _, s := range d.Sections {
		all = append(all, s.Data...)
	}
	return all
}

// figure returns the figure of an ID, or the first where it is empty; nil where there is none.
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
	// The text begins with the glance, as the page does.
	for _, f := range d.Glance {
		out.Fact(f.Label, f.Value, f.Remark)
	}
	if len(d.Points) > 0 {
		out.Say("  %s", strings.Join(d.Points, "\n  "))
	}
	for _, x := range d.Problems {
		out.Say("No answer (%s): %s", x.Question, x.Reason)
	}
	// A section whose lead is the answer is listed by its title alone.
	for _, s := range d.Sections {
		if s.Lead == d.Answer { // said already
			out.Say("%s", s.Title)
		} else {
			out.Say("%s %s", s.Title, s.Lead)
		}
		// Long tables are for the page; --format csv or the folder has them.
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
		out.Say("%s, seed %d", say.Plural(d.Draws, "draw"), d.Seed)
	}
	// All figures are drawn before one is chosen, since which exist is known only then.
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
