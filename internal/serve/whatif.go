package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
)

// A whatIf is a scenario with values that are to be changed. The page sends the whole scenario each
// time, and the server keeps nothing.
type whatIf struct {
	Scenario string            `json:"scenario"`
	Set      map[string]string `json:"set,omitempty"` // by the path of a field of the scenario
	// Draft asks for the nominal answer, for the while that somebody moves a slider.
	Draft bool `json:"draft,omitempty"`
}

// A whatIfAnswer is what the page shows.
type whatIfAnswer struct {
	HTML     string `json:"html"`
	Scenario string `json:"scenario"` // with what was changed
	Knobs    []knob `json:"knobs"`
	Draft    bool   `json:"draft"` // the nominal answer: there is more to say
}

// A knob is a value of a scenario that somebody may want to change.
type knob struct {
	Path  string `json:"path"`
	Label string `json:"label"`
	Value string `json:"value"`
}

// knobFields are those of a scenario that are worth a slider, with their labels. A list of all
// fields would be longer than a page.
var knobFields = []struct{ path, label string }{
	{"load.rate", "Arrivals"},
	{"load.erlangs", "Load in erlangs"},
	{"service.time", "Mean service time"},
	{"objectives.max_blocking", "Share blocked at most"},
	{"objectives.max_wait", "Longest wait"},
	{"objectives.max_response", "Longest wait and service"},
	{"objectives.percentile", "Share it holds for"},
	{"objectives.max_mean_wait", "Mean wait at most"},
	{"objectives.max_mean_response", "Mean wait and service at most"},
	{"objectives.max_utilization", "Busy share at most"},
	{"objectives.max_abandon", "Share that gives up at most"},
	{"objectives.availability", "Availability of a job"},
	{"objectives.budget", "Budget"},
	{"objectives.spare", "Any machines that may be lost"},
	{"objectives.zones", "Zones over which machines are spread"},
	{"objectives.survive", "Zones that may be lost"},
	{"objectives.max_public_share", "Public share at most"},
	{"costs.shortfall", "Cost of a missing server"},
}

// machineKnobs are those of each type of machine.
var machineKnobs = []struct{ field, label string }{
	{"price", "price"}, {"speed", "speed"}, {"availability", "share of time there"}, {"limit", "at most"},
}

// knobsOf lists what a scenario has of them. A value that is a list or an object has no slider.
func knobsOf(d *document.Document) []knob {
	all := []knob{}
	add := func(path, label string) {
		if n, ok := d.Find(path); ok && n.Kind == document.ScalarNode {
			all = append(all, knob{path, label, n.Text})
		}
	}
	for _, f := range knobFields {
		add(f.path, f.label)
	}
	if list := d.Root.Field("machines"); list != nil {
		// Machines are called by their names, and those without one by their number.
		for i, item := range list.Items {
			name := fmt.Sprintf("machine %d", i+1)
			if n := item.Field("name"); n != nil {
				name = n.Text
			}
			for _, f := range machineKnobs {
				add(fmt.Sprintf("machines[%d].%s", i, f.field), name+", "+f.label)
			}
		}
	}
	return all
}

// changed is the text of the scenario with its new values, comments and all. Only the text of the
// values changes, so that comments and order stay. Errors: *problem for a path that the scenario
// does not have.
func (x *whatIf) changed(d *document.Document) (string, error) {
	values := map[*document.Node]string{}
	// Sorted, so that of several wrong paths the same one is reported.
	for _, path := range slices.Sorted(maps.Keys(x.Set)) {
		n, ok := d.Find(path)
		if !ok {
			return "", &problem{status: http.StatusBadRequest, Field: path, Reason: "the scenario has no " + path}
		}
		values[n] = x.Set[path]
	}
	text, err := d.Replaced(values)
	return string(text), err
}

// read reads the scenario with its changes. The changed text is parsed anew, since a value may
// change the places behind it.
func (x *whatIf) read(ctx context.Context) (*body, *planner.PlanQuestion, error) {
	b, err := parseBody(ctx, []byte(x.Scenario), true)
	if err != nil {
		return nil, nil, err
	}
	text, err := x.changed(b.document)
	if err != nil {
		return nil, nil, err
	}
	if b, err = parseBody(ctx, []byte(text), true); err != nil {
		return nil, nil, err
	}
	q, err := b.scenario(ctx)
	return b, q, err
}

// asking is the handler of what the page asks of a scenario. The scenario comes with each request
// and has a place among the questions that run, so that a page of sliders cannot take all cores.
func (s *Server) asking(answer func(ctx context.Context, w http.ResponseWriter, x *whatIf) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, err := readBody(w, r, false)
		x := &whatIf{}
		if err == nil {
			if json.Unmarshal(content, x) != nil {
				err = &problem{status: http.StatusBadRequest, Reason: "this is not a request of the page"}
			}
		}
		// The limit is that of any question of the server.
		ctx, cancel := context.WithTimeout(r.Context(), s.limit)
		defer cancel()
		if err == nil {
			var release func()
			if ctx, release, err = s.places.take(ctx); err == nil {
				defer release()
				err = answer(ctx, w, x)
			}
		}
		if err != nil {
			problemOf(err, nil).send(w)
		}
	})
}

// plan answers a scenario for the page.
func (s *Server) plan(ctx context.Context, w http.ResponseWriter, x *whatIf) error {
	b, q, err := x.read(ctx)
	if err != nil {
		return err
	}
	answer := planner.Plan
	// A draft leaves out what varies the inputs, which takes most of the time.
	if x.Draft {
		answer = planner.Nominal
	}
	a, err := answer(ctx, q)
	if err != nil {
		return err
	}
	d := report.New(q, a, s.program)
	text, err := sectionsHTML(ctx, append([]*page.Section{summary(d)}, d.Sections...))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", asJSON)
	return gone(json.NewEncoder(w).Encode(whatIfAnswer{
		HTML:     string(text),
		Scenario: string(b.content),
		Knobs:    knobsOf(b.document),
		Draft:    x.Draft,
	}))
}

// report writes the report of a scenario, to be kept.
func (s *Server) report(ctx context.Context, w http.ResponseWriter, x *whatIf) error {
	_, q, err := x.read(ctx)
	if err != nil {
		return err
	}
	// A report that is kept is read without the page, and so has its formulas.
	q.Explain = true
	a, err := planner.Plan(ctx, q)
	if err != nil {
		return err
	}
	d := report.New(q, a, s.program)
	if err := d.Draw(ctx); err != nil {
		return err
	}
	var out strings.Builder
	if err := d.WriteHTML(&out); err != nil {
		return err
	}
	// Nothing is sent before the whole page is made, so that an error still has its status.
	kept(w, asHTML+"; charset=utf-8", "report.html", out.String())
	return nil
}

// scenario writes the scenario with its changes, to be kept.
func (s *Server) scenario(ctx context.Context, w http.ResponseWriter, x *whatIf) error {
	b, _, err := x.read(ctx)
	if err != nil {
		return err
	}
	kept(w, "application/yaml", "scenario.yaml", string(b.content))
	return nil
}

// kept sends a file that a browser keeps and does not show.
func kept(w http.ResponseWriter, kind, name, text string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, _ = w.Write([]byte(text)) // who left keeps nothing
}

// gone leaves out the errors of a client that has left, to whom nothing can be
// said any more.
func gone(err error) error {
	if _, ok := errors.AsType[*json.UnsupportedValueError](err); ok {
		return err
	}
	return nil
}
