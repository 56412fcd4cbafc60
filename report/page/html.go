package page

import (
	"io"
	"strconv"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
)

// WriteHTML writes the document as one page that stands by itself.
func (d *Document) WriteHTML(w io.Writer) error {
	var p sheet
	p.head(d)
	p.put("<main>\n")
	for _, x := range d.Problems {
		p.within("\n<section class=\"problem\">\n<p><strong>No answer (", x.Question, "):</strong> ")
		p.within("", x.Reason, "</p>\n</section>\n")
	}
	p.put("\n")
	for _, s := range d.Sections {
		p.put("\n")
		if err := p.section(s); err != nil {
			return err
		}
	}
	p.put("\n<section id=\"inputs\">\n<h2>What was asked</h2>\n")
	p.table(d.Inputs)
	p.put("\n</section>\n")
	if len(d.Warnings) > 0 {
		p.put("<section id=\"warnings\">\n<h2>Warnings</h2>\n")
		p.list("<ul>", d.Warnings)
		p.put("\n</section>")
	}
	p.within("\n</main>\n<footer>\n<p>", d.Program, "")
	if d.Draws != 0 {
		p.put(markup("; " + strconv.Itoa(d.Draws) + " draws, seed " + strconv.FormatUint(d.Seed, 10)))
	}
	p.put(". The same scenario and seed give the same report.</p>\n</footer>\n</body>\n</html>\n\n\n")
	_, err := io.WriteString(given.Writer(w), p.String())
	return err
}

// WriteHTML writes the section as an element of a page, with the figures that
// were drawn; see [Style].
func (s *Section) WriteHTML(w io.Writer) error {
	var p sheet
	if err := p.section(s); err != nil {
		return err
	}
	_, err := io.WriteString(given.Writer(w), p.String())
	return err
}

// head writes what stands above the sections.
func (p *sheet) head(d *Document) {
	p.put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"color-scheme\" content=\"light dark\">\n")
	p.within(`<meta name="generator" content="`, d.Program, "\">\n")
	p.within("<title>", d.Title, "</title>\n<style>\n")
	p.put(markup(style))
	p.put("</style>\n</head>\n<body>\n<header>\n")
	p.within("<h1>", d.Title, "</h1>\n")
	p.held(`<p class="answer">`, d.Answer, "</p>\n")
	if len(d.Glance) > 0 {
		p.put(`<dl class="glance">`)
		for _, f := range d.Glance {
			p.put("\n<div>")
			p.fact(f)
			p.put("</div>")
		}
		p.put("\n</dl>")
	}
	p.put("\n")
	if len(d.Points) > 0 {
		held := make([]string, len(d.Points))
		for i, s := range d.Points {
			held[i] = bounds.Replace(s)
		}
		p.list(`<ul class="points">`, held)
	}
	p.put("\n<nav aria-label=\"Sections\"><ul>")
	for _, s := range d.Sections {
		p.put("\n<li>")
		p.anchor(s.ID, s.Title)
		p.put("</li>")
	}
	p.put("\n<li>")
	p.anchor("inputs", "What was asked")
	p.put("</li>\n</ul></nav>\n</header>\n")
}

func (p *sheet) section(s *Section) error {
	p.within(`<section id="`, s.ID, "\">\n")
	p.within("<h2>", s.Title, "</h2>\n")
	p.held(`<p class="lead">`, s.Lead, "</p>\n")
	for i := range s.Drawn {
		if err := p.figure(&s.Drawn[i]); err != nil {
			return err
		}
	}
	p.put("\n")
	for _, part := range s.Parts {
		p.part(&part)
	}
	p.put("\n")
	for _, note := range s.Notes {
		p.within(`<p class="note">`, note, "</p>\n")
	}
	p.put("\n")
	if s.Formulas != nil {
		p.formulas(s.Formulas)
	}
	p.put("\n</section>\n")
	return nil
}

// figure writes a drawing twice, of which the style sheet shows one: letters of the
// wide one could not be read on a telephone.
func (p *sheet) figure(f *Figure) error {
	wide, err := f.inline("wide", chart.Size{Width: 900, Height: 440})
	if err != nil {
		return err
	}
	narrow, err := f.inline("narrow", chart.Size{Width: 366, Height: 340})
	if err != nil {
		return err
	}
	p.put("<figure>\n" + wide + "\n" + narrow + "\n")
	p.within("<figcaption>", f.Caption, "</figcaption>\n</figure>\n")
	return nil
}

func (p *sheet) part(part *Part) {
	if part.Text != "" {
		p.held("<p>", part.Text, "</p>\n")
	}
	if len(part.Facts) > 0 {
		p.put("<dl>")
		for _, f := range part.Facts {
			p.put("\n")
			p.fact(f)
		}
		p.put("\n</dl>")
	}
	if part.Table != nil && part.Table.Len() > 0 {
		p.table(part.Table)
	}
}

func (p *sheet) fact(f Fact) {
	p.within("<dt>", f.Label, "</dt>")
	p.held("<dd>", f.Value, "")
	if f.Remark != "" {
		p.held("<span>", f.Remark, "</span>")
	}
	p.put("</dd>")
}

func (p *sheet) list(begin markup, items []string) {
	p.put(begin)
	for _, s := range items {
		p.within("\n<li>", s, "</li>")
	}
	p.put("\n</ul>")
}

// table writes a table in a frame that scrolls; one of many columns becomes a row of
// cards on a narrow screen, whose cells are labelled by data-label.
func (p *sheet) table(t *Table) {
	p.put(`<div class="scroll"><table`)
	if len(t.Head) > 4 {
		p.put(` class="cards"`)
	}
	p.put(">\n")
	if t.Caption != "" {
		p.within("<caption>", t.Caption, "</caption>")
	}
	p.put("\n")
	if len(t.Head) > 0 {
		p.put("<thead><tr>")
		for i, c := range t.Head {
			p.within(`<th scope="col"`+t.class(i)+">", c, "</th>")
		}
		p.put("</tr></thead>")
	}
	p.put("\n<tbody>")
	for _, row := range t.Filled() {
		p.put("\n<tr>")
		for i, c := range row {
			p.put("<td" + t.class(i))
			if i < len(t.Head) && t.Head[i] != "" {
				p.within(` data-label="`, t.Head[i], `"`)
			}
			p.within(">", c, "</td>")
		}
		p.put("</tr>")
	}
	if t.More != 0 {
		p.put(markup("\n<tr><td class=\"w\">and " + strconv.Itoa(t.More) + " more</td></tr>"))
	}
	p.put("\n</tbody>\n</table></div>\n")
}

// class is that of a column of words, which stands flush left.
func (t *Table) class(column int) markup {
	if column < max(t.Words, 1) {
		return ` class="w"`
	}
	return ""
}

// formulas writes how an answer is computed, folded until somebody asks.
func (p *sheet) formulas(f *ask.Explanation) {
	p.put("<details>\n<summary>How it is computed</summary>\n")
	p.within("<p>Model: ", f.Model, "</p>\n")
	for _, s := range f.Steps {
		p.within("<div class=\"step\">\n<p><strong>", s.Name, "</strong></p>\n")
		p.within(`<p class="formula">`, s.Formula, "</p>\n")
		p.within(`<p class="formula">`, s.Numbers, "</p>\n")
		p.within(`<p class="source">`, s.Source, "</p>\n</div>\n")
	}
	p.put("\n")
	if len(f.Assumptions) > 0 {
		p.put("<p><strong>Assumed</strong></p>\n")
		p.list("<ul>", f.Assumptions)
	}
	p.put("\n</details>")
}
