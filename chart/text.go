package chart

import (
	"image/color"
	"sort"
	"strings"
	"sync"
	"unicode"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Font sizes in points: 16, 13 and 12 px.
const (
	titleSize = 12
	labelSize = 9.75
	smallSize = 9
)

var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

// faces holds the one font that is drawn with. The root package of gonum/plot would
// add eleven more, which nothing here asks for, and 4 MB to every program.
var faces = sync.OnceValue(func() *font.Cache {
	face, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		panic("chart: the font of this program is broken: " + err.Error())
	}
	return font.NewCache(font.Collection{{Font: sans, Face: face}})
})

// textStyle returns Liberation Sans of the given size.
func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color:   c,
		Font:    font.From(sans, size),
		Handler: text.Plain{Fonts: faces()},
	}
}

// clean makes one line of s that every format can hold: control characters
// become blanks and invalid UTF-8 the replacement character.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case r == 0xFFFE || r == 0xFFFF: // not allowed in XML
			return 0xFFFD
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// cleaned returns a copy of the chart with all its texts cleaned and the first
// of the names of y on top.
func (c Chart) cleaned() Chart {
	c.Title, c.Subtitle = clean(c.Title), clean(c.Subtitle)
	c.XLabel, c.YLabel = clean(c.XLabel), clean(c.YLabel)
	c.Series = append([]Series(nil), c.Series...)
	names := func(ss []string) []string {
		ss = append([]string(nil), ss...)
		for i := range ss {
			ss[i] = clean(ss[i])
		}
		return ss
	}
	for i := range c.Series {
		c.Series[i].Name = clean(c.Series[i].Name)
		c.Series[i].Labels = names(c.Series[i].Labels)
	}
	c.XNames, c.YNames = names(c.XNames), names(c.YNames)
	if c.Heat != nil {
		h := *c.Heat
		h.Label, h.Empty = clean(h.Label), clean(h.Empty)
		c.Heat = &h
	}
	rules := func(rs []Rule) []Rule {
		rs = append([]Rule(nil), rs...)
		for i := range rs {
			rs[i].Label = clean(rs[i].Label)
		}
		return rs
	}
	c.HLines, c.VLines = rules(c.HLines), rules(c.VLines)
	c.Marks = append([]Mark(nil), c.Marks...)
	for i := range c.Marks {
		c.Marks[i].Label = clean(c.Marks[i].Label)
	}
	c.topDown()
	return c
}

// fit shortens s until it is no wider than width.
func fit(s string, sty text.Style, width vg.Length) string {
	if sty.Width(s) <= width {
		return s
	}
	r := []rune(s)
	low, high := 0, len(r) // the first low runes fit
	for low < high {
		if mid := (low + high + 1) / 2; sty.Width(string(r[:mid])+"...") <= width {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return strings.TrimRight(string(r[:low]), " ") + "..."
}

// fitName is fit for a name: it loses its middle, since names that are long often
// begin alike, as those of the machines of a site do, or end so.
func fitName(s string, sty text.Style, width vg.Length) string {
	if sty.Width(s) <= width {
		return s
	}
	r := []rune(s)
	without := func(cut int) string {
		kept := len(r) - cut
		head, tail := r[:kept-kept/2], r[len(r)-kept/2:]
		return strings.TrimRight(string(head), " ") + "..." + strings.TrimLeft(string(tail), " ")
	}
	return without(sort.Search(len(r), func(cut int) bool { return sty.Width(without(cut)) <= width }))
}

// wrap breaks s into lines no wider than width, two at most.
func wrap(s string, sty text.Style, width vg.Length) []string {
	if s == "" {
		return nil
	}
	if sty.Width(s) <= width {
		return []string{s}
	}
	words := strings.Fields(s)
	first := words[0]
	n := 1
	for n < len(words) && sty.Width(first+" "+words[n]) <= width {
		first += " " + words[n]
		n++
	}
	if n == len(words) {
		return []string{fit(first, sty, width)}
	}
	return []string{fit(first, sty, width), fit(strings.Join(words[n:], " "), sty, width)}
}
