package report

import (
	_ "embed"
	"html/template"
	"io"

	"github.com/capplan/capplan/internal/given"
)

//go:embed report.html.tmpl
var pageText string

var page = template.Must(template.New("report").Funcs(template.FuncMap{
	"wide":   func(f Figure) (template.HTML, error) { return f.inline(false) },
	"narrow": func(f Figure) (template.HTML, error) { return f.inline(true) },
	"words":  func(t Table, column int) bool { return column < t.Words },
}).Parse(pageText))

// WriteHTML writes the document as one page that stands by itself.
func (d *Document) WriteHTML(w io.Writer) error { return page.Execute(given.Writer(w), d) }
