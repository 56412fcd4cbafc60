package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/capplan/capplan/planner/ask"
)

// A page is an answer as aligned text: a headline, rows of label and value,
// and tables.
type page struct {
	blocks []string
	rows   [][]string
	right  bool // all columns but the first ones are flush right
	words  int  // of which there are so many; 0: 1
}

// headline is the answer itself.
func (p *page) headline(format string, args ...any) {
	p.flush()
	p.blocks = append(p.blocks, fmt.Sprintf(format, args...)+"\n")
}

// row adds label, value and an optional remark; an empty value adds nothing.
func (p *page) row(label, value string, remark ...string) {
	if value == "" {
		return
	}
	p.rows = append(p.rows, append([]string{label, value}, remark...))
}

// table adds rows of cells, the first being the header.
func (p *page) table(rows [][]string) {
	p.flush()
	p.rows, p.right = rows, true
	p.flush()
	p.right = false
}

// columns is table with the first columns, so many, flush left.
func (p *page) columns(rows [][]string, words int) {
	p.flush()
	p.words = words
	p.table(rows)
	p.words = 0
}

// list adds rows of words, flush left.
func (p *page) list(rows [][]string) {
	p.flush()
	p.rows = rows
	p.flush()
}

// explain adds the mathematics.
func (p *page) explain(e *ask.Explanation) {
	if e == nil {
		return
	}
	p.flush()
	var b strings.Builder
	fmt.Fprintf(&b, "Model: %s\n", e.Model)
	for _, s := range e.Steps {
		fmt.Fprintf(&b, "\n  %s: %s\n      %s\n      source: %s\n", s.Name, s.Formula, s.Numbers, s.Source)
	}
	if len(e.Assumptions) > 0 {
		b.WriteString("\nAssumed:\n")
	}
	for _, a := range e.Assumptions {
		fmt.Fprintf(&b, "  - %s\n", a)
	}
	p.blocks = append(p.blocks, b.String())
}

// flush lays out the rows gathered so far as one block.
func (p *page) flush() {
	if len(p.rows) == 0 {
		return
	}
	var width []int
	for _, r := range p.rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	for _, r := range p.rows {
		line := " "
		for i, c := range r {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if p.right && i >= max(p.words, 1) {
				line += " " + pad + c + " "
			} else {
				line += " " + c + pad + " "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	p.blocks = append(p.blocks, b.String())
	p.rows = nil
}

func (p *page) writeTo(w io.Writer) error {
	p.flush()
	_, err := io.WriteString(w, strings.Join(p.blocks, "\n"))
	return err
}
