package page

import (
	"bytes"
	_ "embed"
	"html"
	"html/template"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/internal/given"
)

//go:embed page.html.tmpl
var pageText string

//go:embed page.css
var style string

// Style is the style sheet of a page that shows sections.
func Style() string { return style }

// page is parsed when it is first asked for, since commands that write none start sooner without.
// Figures stand in the page twice, wide for screens and paper and narrow for phones; the style
// sheet shows one.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report").Funcs(template.FuncMap{
		"wide":   func(f Figure) (template.HTML, error) { return f.inline("wide", chart.Size{Width: 900, Height: 440}) },
		"narrow": func(f Figure) (template.HTML, error) { return f.inline("narrow", chart.Size{Width: 366, Height: 340}) },
		// On a narrow screen a row becomes a list, in which each cell stands with the head of its
		// column.
		"label": func(t *Table, column int) string {
			if column < len(t.Head) {
				return t.Head[column]
			}
			return ""
		},
		"style":     func() template.CSS { return template.CSS(style) },
		"held":      bounds.Replace,
		"wideTable": func(t *Table) bool { return len(t.Head) > 4 },
		"words":     func(t *Table, column int) bool { return column < max(t.Words, 1) },
	}).Parse(pageText))
})

// bounds keeps a limit on one line with its sign.
var bounds = strings.NewReplacer("≤ ", "≤\u00a0", "≥ ", "≥\u00a0", "< ", "<\u00a0", "> ", ">\u00a0")

// WriteHTML writes the document as one page that stands by itself. Texts are escaped by
// html/template, whatever file they come from. Sections have to be drawn before.
func (d *Document) WriteHTML(w io.Writer) error { return page().Execute(given.Writer(w), d) }

// WriteHTML writes the section as an element of a page, with the figures that
// were drawn; see [Style].
func (s *Section) WriteHTML(w io.Writer) error {
	return page().ExecuteTemplate(given.Writer(w), "section", s)
}

// The head of a drawing has a fixed size, which a page would not scale; fonts are those of the
// page.
var (
	svgHead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)^.*?<svg [^>]*?viewBox="([^"]*)"[^>]*>`)
	})
	svgFamily = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`font-family:[^;]*;font-variant:normal;font-weight:normal;font-style:normal;`)
	})
)

// The colours of package chart, as those of the page.
var themed = strings.NewReplacer(
	"#FFFFFF", "var(--card)", "#222222", "var(--ink)", "#555555", "var(--pale)", "#E4E4E4", "var(--grid)",
	"#0072B2", "var(--c1)", "#D55E00", "var(--c2)", "#009E73", "var(--c3)", "#CC79A7", "var(--c4)",
	"#E69F00", "var(--c5)", "#56B4E9", "var(--c6)", "#000000", "var(--c7)",
)

// inline returns the drawing as an element of the page. class is wide or narrow. The title of the
// drawing is what a screen reader says of it.
func (f *Figure) inline(class string, size chart.Size) (template.HTML, error) {
	// Two panels need more height than one, but not twice as much.
	if f.Top != nil {
		size.Height += 180
	}
	var b bytes.Buffer
	if err := f.write(&b, "svg", size); err != nil {
		return "", err
	}
	text := b.String()
	head := svgHead().FindStringSubmatch(text)
	title := f.Chart.Title
	if f.Top != nil {
		title = f.Top.Title
	}
	text = `<svg class="` + class + `" viewBox="` + head[1] + `" role="img" aria-label="` + html.EscapeString(title) +
		`">` + text[len(head[0]):]
	text = svgFamily().ReplaceAllString(text, "")
	// Drawn by package chart from numbers and labels, which it escapes.
	return template.HTML(themed.Replace(text)), nil
}
