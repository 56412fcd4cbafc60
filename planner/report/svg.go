package report

import (
	"bytes"
	"html"
	"html/template"
	"io"
	"regexp"
	"strings"

	"github.com/capplan/capplan/chart"
)

// Write draws a figure in the format svg, png or pdf, at the size of a wide
// screen.
func (f *Figure) Write(w io.Writer, format string) error { return f.write(w, format, false) }

func (f *Figure) write(w io.Writer, format string, narrow bool) error {
	size := chart.Size{Width: 900, Height: 440}
	if narrow {
		size = chart.Size{Width: 366, Height: 340}
	}
	if n := float64(len(f.Chart.YNames)); n > 0 {
		bars := 1.0
		if f.Chart.Arrange == chart.Grouped {
			bars = float64(len(f.Chart.Series))
		}
		size.Height = max(220, 150+n*(14+14*bars))
	}
	if f.Top != nil {
		size.Height += 180
		return chart.WritePanels(w, *f.Top, f.Chart, format, size)
	}
	return chart.Write(w, f.Chart, format, size)
}

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
func (f *Figure) inline(narrow bool) (template.HTML, error) {
	var b bytes.Buffer
	if err := f.write(&b, "svg", narrow); err != nil {
		return "", err
	}
	text := b.String()
	head := svgHead.FindStringSubmatch(text)
	class := "wide"
	if narrow {
		class = "narrow"
	}
	title := f.Chart.Title
	if f.Top != nil {
		title = f.Top.Title
	}
	text = `<svg class="` + class + `" viewBox="` + head[1] + `" role="img" aria-label="` + html.EscapeString(title) + `">` + text[len(head[0]):]
	text = svgFamily.ReplaceAllString(text, "")
	// Drawn by package chart from numbers and labels, which it escapes.
	return template.HTML(themed.Replace(text)), nil
}
