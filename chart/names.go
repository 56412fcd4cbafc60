package chart

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// checkNames checks that what stands on an axis of names is at one of them.
func (c *Chart) checkNames() error {
	if len(c.XNames) > 0 && (c.XLog || c.XMin != nil || c.XMax != nil) ||
		len(c.YNames) > 0 && (c.YLog || c.YMin != nil || c.YMax != nil) {
		return &DataError{"chart", "names on a logarithmic or limited axis, want neither with names"}
	}
	named := func(v float64, names []string, where, what string) error {
		if n := len(names); n > 0 && !(v >= -0.5 && v <= float64(n)-0.5) {
			return &DataError{where, fmt.Sprintf("%s = %v is beside the %d names, want 0 to %d", what, v, n, n-1)}
		}
		return nil
	}
	both := func(x, y float64, where string) error {
		if err := named(x, c.XNames, where, "x"); err != nil {
			return err
		}
		return named(y, c.YNames, where, "y")
	}
	for i := range c.Series {
		s := &c.Series[i]
		for j := range s.X {
			where := fmt.Sprintf("series %q, point %d", s.name(i), j+1)
			if err := named(s.X[j], c.XNames, where, "x"); err != nil {
				return err
			}
			for _, ys := range [][]float64{s.Y, s.YLow, s.YHigh} {
				if len(ys) == 0 {
					continue
				}
				if err := named(ys[j], c.YNames, where, "y"); err != nil {
					return err
				}
			}
		}
	}
	for i, m := range c.Marks {
		if err := both(m.X, m.Y, fmt.Sprintf("mark %d (%q)", i+1, m.Label)); err != nil {
			return err
		}
	}
	for i, r := range c.VLines {
		if err := named(r.Value, c.XNames, fmt.Sprintf("vertical line %d (%q)", i+1, r.Label), "value"); err != nil {
			return err
		}
	}
	for i, r := range c.HLines {
		if err := named(r.Value, c.YNames, fmt.Sprintf("horizontal line %d (%q)", i+1, r.Label), "value"); err != nil {
			return err
		}
	}
	if c.Heat == nil {
		return nil
	}
	for j, v := range c.Heat.X {
		if err := named(v, c.XNames, fmt.Sprintf("heat map, column %d", j+1), "place"); err != nil {
			return err
		}
	}
	for i, v := range c.Heat.Y {
		if err := named(v, c.YNames, fmt.Sprintf("heat map, row %d", i+1), "place"); err != nil {
			return err
		}
	}
	return nil
}

// topDown turns the chart over so that the first of the names of y is on top.
func (c *Chart) topDown() {
	n := float64(len(c.YNames))
	if n == 0 {
		return
	}
	turn := func(ys []float64) []float64 {
		if ys == nil {
			return nil
		}
		out := make([]float64, len(ys))
		for i, y := range ys {
			out[i] = n - 1 - y
		}
		return out
	}
	for i := range c.Series {
		s := &c.Series[i]
		s.Y = turn(s.Y)
		s.YLow, s.YHigh = turn(s.YHigh), turn(s.YLow)
	}
	for i := range c.HLines {
		c.HLines[i].Value = n - 1 - c.HLines[i].Value
	}
	for i := range c.Marks {
		c.Marks[i].Y = n - 1 - c.Marks[i].Y
	}
	names := make([]string, len(c.YNames))
	for i, s := range c.YNames {
		names[len(names)-1-i] = s
	}
	c.YNames = names
	if c.Heat != nil {
		h := *c.Heat
		rows := len(h.Y)
		h.Y, h.Value = make([]float64, rows), make([][]float64, rows)
		for i := range rows {
			h.Y[rows-1-i], h.Value[rows-1-i] = n-1-c.Heat.Y[i], c.Heat.Value[i]
		}
		c.Heat = &h
	}
}

// named makes a the axis of names.
func (a *axis) named(names []string) {
	a.min, a.max = -0.5, float64(len(names))-0.5
	a.ticks = nil
	for i, s := range names {
		a.ticks = append(a.ticks, tick{value: float64(i), label: s})
	}
}

// markXNames sets the names below the data: beside each other where they fit,
// then in two lines, then upright, and where even that is too dense only some.
func (p *panel) markXNames(width, height vg.Length) {
	p.x.named(p.XNames)
	p.upright = false
	sty := textStyle(smallSize, inkColor)
	slot := width/vg.Length(len(p.XNames)) - 6
	flat, two := true, true
	for _, s := range p.XNames {
		flat = flat && sty.Width(s) <= slot
		two = two && len(twoLines(s, slot)) > 0
	}
	every := 1
	switch {
	case flat:
	case two:
		for i := range p.x.ticks {
			p.x.ticks[i].label = twoLines(p.XNames[i], slot)
		}
	default:
		p.upright = true
		labels := shorten(p.XNames, height*2/5)
		every = max(1, int(math.Ceil(float64(smallSize*1.15/(slot+6)))))
		for i := range p.x.ticks {
			p.x.ticks[i].label = labels[i]
		}
	}
	kept := p.x.ticks[:0]
	for i, t := range p.x.ticks {
		if i%every == 0 {
			kept = append(kept, t)
		}
	}
	p.x.ticks = kept
}

// twoLines breaks s into lines no wider than width, or returns "".
func twoLines(s string, width vg.Length) string {
	sty := textStyle(smallSize, inkColor)
	lines := wrap(s, sty, width)
	text := ""
	for i, line := range lines {
		if i > 0 {
			text += "\n"
		}
		text += line
	}
	for i := range lines {
		if sty.Width(lines[i]) > width {
			return ""
		}
	}
	joined := ""
	for i, line := range lines {
		if i > 0 {
			joined += " "
		}
		joined += line
	}
	if joined != s { // cut short
		return ""
	}
	return text
}

// markYNames sets the names left of the data, cut where they are wider than a
// part of the drawing, and only some where they are too dense.
func (p *panel) markYNames(width, height vg.Length) {
	p.y.named(shorten(p.YNames, width*2/5))
	every := max(1, int(math.Ceil(float64(smallSize*1.15*vg.Length(len(p.YNames))/height))))
	kept := p.y.ticks[:0]
	for i, t := range p.y.ticks {
		if (len(p.y.ticks)-1-i)%every == 0 { // the first, on top, is kept
			kept = append(kept, t)
		}
	}
	p.y.ticks = kept
}

// context is how many letters of what all names share are kept beside that in which
// they differ.
const context = 8

// shorten cuts names that are wider than width. Where one is, all lose of their
// beginnings and ends what they share but for a little: machines of a site are told
// apart by a number in the middle of their names.
func shorten(names []string, width vg.Length) []string {
	sty := textStyle(smallSize, inkColor)
	wide := func(s string) bool { return sty.Width(s) > width }
	if !slices.ContainsFunc(names, wide) {
		return names
	}
	first := []rune(names[0])
	head, tail := len(first), len(first)
	for _, s := range names[1:] {
		r := []rune(s)
		head = alike(head, len(r), func(i int) bool { return r[i] == first[i] })
		tail = alike(tail, len(r), func(i int) bool { return r[len(r)-1-i] == first[len(first)-1-i] })
	}
	out := make([]string, len(names))
	for i, s := range names {
		r := []rune(s)
		from, to, before, behind := 0, len(r), "", ""
		if len(names) > 1 && head > 2*context {
			from, before = head-context, "..."
		}
		if cut := len(r) - tail + context; len(names) > 1 && tail > 2*context && cut > from {
			to, behind = cut, "..."
		}
		out[i] = fitName(before+string(r[from:to])+behind, sty, width)
	}
	return out
}

// alike counts the first places at which same holds, of as many as both have.
func alike(n, other int, same func(i int) bool) int {
	n = min(n, other)
	for i := range n {
		if !same(i) {
			return i
		}
	}
	return n
}
