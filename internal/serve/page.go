package serve

import (
	"embed"
	"net/http"

	"github.com/capplan/capplan/report/page"
)

//go:embed page
var pageFiles embed.FS

// page serves the page and what it is made of. handle registers a pattern under a name of the
// metrics.
func (s *Server) page(handle func(pattern, name string, h http.Handler), o Options) {
	file := func(name string) []byte {
		text, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		return text
	}
	handle("GET /{$}", "page", content("text/html; charset=utf-8", file("page.html")))
	handle("GET /page.js", "page", content("text/javascript; charset=utf-8", file("page.js")))
	style := append([]byte(page.Style()), file("page.css")...)
	handle("GET /page.css", "page", content("text/css; charset=utf-8", style))
	handle("GET /page/scenario.yaml", "page", content("application/yaml", o.Scenario))
	handle("POST /page/plan", "page-plan", s.asking(s.plan))
	handle("POST /page/report", "page-report", s.asking(s.report))
	handle("POST /page/scenario", "page-scenario", s.asking(s.scenario))
}
