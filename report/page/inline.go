package page

import (
	"bytes"
	_ "embed"
	"html"
	"regexp"
	"strings"

	"github.com/capplan/capplan/chart"
)

//go:embed page.css
var style string

// Style is the style sheet of a page that shows sections.
func Style() string { return style }

var (
	svgHead   = regexp.MustCompile(`(?s)^.*?<svg [^>]*?viewBox="([^"]*)"[^>]*>`)
	svgFamily = regexp.MustCompile(`font-family:[^;]*;font-variant:normal;font-weight:normal;font-style:normal;`)
)

// The colours of package chart, as those of the page.
var themed = strings.NewReplacer(
	"#FFFFFF", "var(--card)", "#222222", "var(--ink)", "#555555", "var(--pale)", "#E4E4E4", "var(--grid)",
	"#0072B2", "var(--c1)", "#D55E00", "var(--c2)", "#009E73", "var(--c3)", "#CC79A7", "var(--c4)",
	"#E69F00", "var(--c5)", "#56B4E9", "var(--c6)", "#000000", "var(--c7)",
)

// inline returns the drawing as an element of the page.
func (f *Figure) inline(class string, size chart.Size) (markup, error) {
	if f.Top != nil {
		size.Height += 180
	}
	var b bytes.Buffer
	if err := f.write(&b, "svg", size); err != nil {
		return "", err
	}
	text := b.String()
	head := svgHead.FindStringSubmatch(text)
	title := f.Chart.Title
	if f.Top != nil {
		title = f.Top.Title
	}
	text = `<svg class="` + class + `" viewBox="` + head[1] + `" role="img" aria-label="` + html.EscapeString(title) +
		`">` + text[len(head[0]):]
	text = svgFamily.ReplaceAllString(text, "")
	// Drawn by package chart from numbers and labels, which it escapes.
	return markup(themed.Replace(text)), nil
}
