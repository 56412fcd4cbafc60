package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/capplan/capplan/planner/compare"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// Compare shows how and why two plans differ. It leads with how the main figure moved, then says
// which input moved it, then lists every figure that differs.
func Compare(a *compare.Answer) *page.Section {
	s := page.New("compare", "What changed, and why?", a.Warnings, nil)
	// Inputs can differ without an answer that does, and answers without an input, as between two
	// versions of the program.
	inputs, answers := 0, 0
	for _, d := range a.Differences {
		if d.Kind == compare.InputDifference {
			inputs++
		} else {
			answers++
		}
	}
	switch {
	case a.Same:
		s.Say("no difference between %s and %s", a.Names[0], a.Names[1])
		return s
	case answers == 0:
		s.Say("the same answer, though %s", say.Plural(inputs, "input differs", "inputs differ"))
	case a.From != nil && *a.From != *a.To:
		s.Say("%s: %s, was %s: %s", figureName(a.Figure), figureValue(a.Money, a.Figure, *a.To),
			figureValue(a.Money, a.Figure, *a.From), changeWords(a.Money, a.Figure, *a.To-*a.From))
	default:
		s.Say("%s of the answer differ", say.Plural(answers, "figure", "figures"))
	}
	t := s.Table("input", "before", "after", "alone changes "+figureName(a.Figure)+" by")
	// Three columns are words: values before and after may be texts.
	t.Caption, t.Words = "Effect of each input alone, with the others unchanged", 3
	// Without two scenarios, or where only one input differs, nothing is varied alone, and the table
	// only says what differs.
	if len(a.Causes) == 0 {
		t.Head, t.Caption = t.Head[:3], "Differences between the questions"
		for _, d := range a.Differences {
			if d.Kind == compare.InputDifference {
				t.Row(d.Name, d.From, d.To)
			}
		}
	}
	reasons := []string{}
	for _, c := range a.Causes {
		effect := "no answer"
		// An input alone, the others as before, may have no answer; the reason is told below the
		// table.
		if c.Effect == nil {
			reasons = append(reasons, c.Input+": "+c.Reason)
		}
		if c.Effect != nil {
			effect = signedFigure(a.Money, a.Figure, *c.Effect)
		}
		t.Row(c.Input, c.From, c.To, effect)
	}
	// What the causes add up to and what they do together differ where one weakens or strengthens
	// another.
	if a.Together != nil && len(a.Causes) > 1 {
		t.Rows = append(t.Rows,
			[]string{"beyond the sum of the single effects", "", "", signedFigure(a.Money, a.Figure, *a.Together)})
	}
	for _, r := range reasons {
		s.Say("%s", r)
	}
	t = s.Table("figure", "before", "after", "change")
	t.Caption, t.Words = "Differences between the answers", 3
	for _, d := range a.Differences {
		if d.Kind != compare.AnswerDifference {
			continue
		}
		row := []string{figureName(d.Name), d.From, d.To, ""}
		// A figure that only one of the plans has is a word, such as infeasible, or empty.
		if d.Before != nil {
			row[1] = figureValue(a.Money, d.Name, *d.Before)
		}
		if d.After != nil {
			row[2] = figureValue(a.Money, d.Name, *d.After)
		}
		if d.Before != nil && d.After != nil {
			row[3] = signedFigure(a.Money, d.Name, *d.After-*d.Before)
		}
		t.Line(row...)
	}
	// The CSV has words and numbers both: programs take the numbers, where there are any.
	rows := [][]string{strings.Fields("kind name from to from_value to_value")}
	for _, d := range a.Differences {
		rows = append(rows,
			[]string{string(d.Kind), d.Name, d.From, d.To, say.Optional(d.Before, say.Plain),
				say.Optional(d.After, say.Plain)})
	}
	s.Data = []page.Data{page.Rows("differences", rows)}
	return s
}

// figureValue writes a figure by its JSON name; what neither has a unit there nor is a share is a plain
// number.
func figureValue(form *units.PriceForm, name string, v float64) string {
	if strings.HasSuffix(name, "cost_per_h") {
		return say.Price(form, v)
	}
	if text, ok := say.Figure(name, v, 3); ok {
		return text
	}
	return say.Number(v, 6)
}

// figureName is a name without its unit, in words.
func figureName(name string) string {
	words, _ := say.FigureName(strings.TrimSuffix(name, "_per_h"))
	return strings.ReplaceAll(words, ".", " ")
}

// signedFigure writes a change.
func signedFigure(form *units.PriceForm, name string, v float64) string {
	if say.IsShare(name) {
		return points(v, 2)
	}
	write := func(v float64) string { return figureValue(form, name, v) }
	// A difference that is written as 0 gets no sign, since the digits shown do not tell it from
	// none.
	if write(math.Abs(v)) == write(0) {
		return "0"
	}
	return signed(v, write)
}

// changeWords writes a change as an amount more or less. The lead says it in words, the table with
// a sign.
func changeWords(form *units.PriceForm, name string, v float64) string {
	word := "more"
	if v < 0 {
		word, v = "less", -v
	}
	return fmt.Sprintf("%s %s", figureValue(form, name, v), word)
}
