package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/growth"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/report/page"
)

// scenarioWant says what a scenario is, for every message about a file that is none.
const scenarioWant = "a scenario in YAML or JSON: capplan init writes a commented example"

// planFlags change the question of a scenario, or say what becomes of its answer. Flags of the
// question stand in groups that each apply themselves to the scenario. A year ahead, a fleet that
// may lose machines, limits and a live load are asked of one scenario again and again, and so do
// not need a change of the file.
type planFlags struct {
	simulation *simulateFlags
	growth     growthFlags
	room       headroomFlags
	response   responseFlags
	live       scenarioLive
	dir        string
	force      bool
}

// planCommand asks every question of a scenario, and writes the report where --out names a folder.
func planCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	f := &planFlags{}
	f.flags(s)
	return &cmdline.Command{
		Name: "plan", Usage: "the whole scenario at once", Args: "SCENARIO.yaml", MaxArgs: 1, Flags: s,
		NoArgs: "no scenario given, want " + scenarioWant,
		Description: `Answers every question in the scenario, in a planner's order: the cheapest mix of
machines that meets the objectives, what less risk costs, how sure the answer is and what
it depends on; then servers, routing, replicas, epoch, link, checkpoints, a bag of tasks,
availability and allocation. If a part has no answer, it is named, the other parts are
answered, and the exit code is 3. - reads the scenario from stdin.

Headroom (--spare, --zones) and max_public_share can also stand among the scenario's
objectives; the answer says what each of them costs. A machine type with groups: 4 and
group_availability: 98% comes in four pools that leave as wholes. --objective and
--max-response replace the scenario's limits on the response, and the --prometheus flags
its load and service.

  $ capplan plan testdata/scenario.yaml
  $ capplan plan testdata/scenario.yaml --out plan
  $ capplan plan testdata/scenario.yaml --simulate --replications 20
  $ capplan plan testdata/scenario.yaml --times 1.5
  $ capplan plan testdata/mix.yaml --zones 3 --spare 1
  $ capplan plan testdata/mix.yaml --prometheus http://localhost:9090 --rate-query 'sum(rate(http_requests_total[5m]))' --day p95
  $ capplan plan testdata/scenario.yaml --plot frontier.svg --explain`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			return f.ask(ctx, st, args[0], s.Output.Explain)
		},
	}
}

// flags binds the flags.
func (f *planFlags) flags(s *cmdline.FlagSet) {
	f.simulation = newSimulateFlags(s)
	s.Text("out", &f.dir, "DIR",
		"folder for report.html, result.json, tables in CSV and drawings; it appears whole or not at all")
	s.Toggle("force", &f.force,
		"with --out: replace the files of an earlier plan in a folder that is not empty; other files stay")
	f.growth.flags(s)
	f.room.flags(s)
	f.response.flags(s)
	f.live.flags(s)
}

// ask reads the scenario, answers it, and writes the report where one is asked for.
func (f *planFlags) ask(ctx context.Context, st *cmdline.Streams, path string, explain bool) (*cmdline.Result, error) {
	// Before anything is asked: a plan may take a minute, and is not to end with a folder
	// that cannot be written.
	folder, err := cmdline.NewFolder(f.dir, f.force)
	if err != nil {
		return nil, err
	}
	in, err := f.question(ctx, st, path)
	if err != nil {
		return nil, err
	}
	// The report always shows the formulas; what is printed only where they are asked for.
	in.question.Explain = explain || f.dir != ""
	defer watched(st, in.question.Simulate)()
	said := func() {}
	if types := in.question.Machines; slowMix(types) {
		said = st.Slow(fmt.Sprintf("the choice among mixes of %d types of machines takes a while", len(types)))
	}
	a, err := planner.Plan(ctx, in.question)
	said()
	if err != nil {
		return nil, err
	}
	// The document is made once; the text on stdout is an excerpt of it, so that it and the
	// report cannot differ.
	doc := report.New(in.question, a, "capplan "+cmdline.Version())
	r := &cmdline.Result{
		Value:    a,
		Section:  planSection(a, doc, explain, f.dir),
		Warnings: append(in.warnings, a.Warnings...),
		Exit:     infeasibleParts(a),
	}
	if folder != nil {
		// Drawing takes most of the time of a report, and is left out where no folder is
		// asked for.
		if err := doc.Draw(ctx); err != nil {
			return nil, err
		}
		files, err := planFiles(ctx, in, a, doc)
		if err != nil {
			return nil, err
		}
		// Files of names that no plan writes stay in the folder, whoever put them there.
		if err := folder.Write(ctx, files, report.FileNames()); err != nil {
			return nil, err
		}
		// The folder is there: a signal from here on comes too late to say that nothing was done.
		r.Stoppable, r.Ended = true, true
		// They were made for the report; JSON of the same command must not depend on --out.
		if !explain {
			withoutExplanations(reflect.ValueOf(a))
		}
	}
	return r, nil
}

// question reads the scenario, and lets each group of flags replace what it names there.
func (f *planFlags) question(ctx context.Context, st *cmdline.Streams, path string) (*scenarioInput, error) {
	// A wrong flag is not a wrong field of the scenario.
	if err := f.simulation.question().Check(); err != nil {
		return nil, err
	}
	in, err := readScenario(ctx, path, &f.live, st)
	if err != nil {
		return nil, err
	}
	if err := grow(in.question, f.growth.growth()); err != nil {
		return nil, err
	}
	f.room.ask(in.question)
	f.response.ask(in.question)
	q := f.simulation.question()
	// A seed of the command line goes before that of the file, which is also that of the draws.
	if q != nil && in.question.Seed != nil && !f.simulation.set.Gave("seed") {
		q.Seed = uint64(*in.question.Seed)
	}
	in.question.Simulate = q
	return in, nil
}

// slowMix reports whether a mix may take more than some seconds to choose: with many types of
// machines, or a few whose machines come and go.
func slowMix(types []scenario.MachineType) bool {
	coming := 0
	for i := range types {
		if types[i].Kind == scenario.Public || types[i].Groups != nil {
			coming++
		}
	}
	return len(types) >= 8 || coming >= 3
}

// grow puts growth from the command line in the place of that in the scenario. Errors:
// *ask.InputError of the field growth.
func grow(q *planner.PlanQuestion, g *growth.Growth) error {
	// Without a load the growth would change nothing, in silence.
	switch {
	case g == nil:
		return nil
	case q.Load == nil:
		return &ask.InputError{Field: "growth", Reason: "the scenario has no load that could grow"}
	}
	// Each of the four goes before that of the scenario by itself: a --growth keeps the date that the
	// scenario has.
	l := q.Load
	l.Times, l.Growth = cmp.Or(g.Times, l.Times), cmp.Or(g.Rate, l.Growth)
	l.Until, l.AsOf = cmp.Or(g.Until, l.Until), cmp.Or(g.AsOf, l.AsOf)
	for field, given := range map[string]bool{"times": g.Times != nil, "growth": g.Rate != nil, "until": g.Until != nil,
		"as_of": g.AsOf != nil} {
		if given {
			q.Over("load."+field, field)
		}
	}
	return nil
}

// infeasibleParts makes the exit code of a plan with a part that has no
// answer. nil where every part has an answer. The other parts are answered all the same, and the
// exit code is 3.
func infeasibleParts(a *planner.PlanAnswer) error {
	if len(a.Infeasible) == 0 {
		return nil
	}
	var reasons []string
	for _, p := range a.Infeasible {
		reasons = append(reasons, p.Question+": "+p.Reason)
	}
	// The error has room for one constraint; its text names all parts that have no answer.
	first := a.Infeasible[0]
	return &ask.InfeasibleError{
		Constraint: first.Constraint,
		Limit:      first.Limit,
		Infimum:    first.Infimum,
		Reason:     strings.Join(reasons, "; "),
	}
}

// planSection shows the document as one section: its text, what a planner looks
// at first as a figure, and the scalar fields of each answer as data.
func planSection(a *planner.PlanAnswer, d *page.Document, explain bool, dir string) *page.Section {
	s := d.Section(explain, "frontier", "sensitivity", "")
	if dir != "" {
		s.Say("written to %s", dir)
	}
	s.Data = []page.Data{page.Rows("plan", planRows(a))}
	return s
}

// planRows lists the scalar fields of each answer.
func planRows(a *planner.PlanAnswer) [][]string {
	rows := [][]string{{"question", "name", "value"}}
	// The fields of the answer are walked by reflection, so that a new part of a plan has its rows
	// without a line here. The pointer is that of an answer, which is never nil here.
	v := reflect.ValueOf(a).Elem()
	for i := range v.NumField() {
		question, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		var parts []reflect.Value
		switch f := v.Field(i); f.Kind() {
		// A pointer that is nil is a question that the scenario does not ask.
		case reflect.Pointer:
			if !f.IsNil() && question != "explanation" {
				parts = append(parts, f.Elem())
			}
		// A part that is a list of answers has the rows of each by its number.
		case reflect.Slice:
			for k := range f.Len() {
				if f.Index(k).Kind() == reflect.Struct {
					parts = append(parts, f.Index(k))
				}
			}
		}
		for k, part := range parts {
			name := question
			if v.Field(i).Kind() == reflect.Slice {
				name = fmt.Sprintf("%s[%d]", question, k)
			}
			names, cells := scalars.Of(part.Interface())
			for j := range names {
				rows = append(rows, []string{name, names[j], cells[j]})
			}
		}
	}
	// A mix lists its machines in a field of its own; each gets the rows of its figures.
	if m := a.Mix; m != nil {
		for _, x := range m.Machines {
			names, cells := scalars.Of(&x)
			for j := range names {
				rows = append(rows, []string{"mix." + x.Name, names[j], cells[j]})
			}
		}
	}
	return rows
}

// withoutExplanations takes the formulas out of an answer that was not asked
// for them. It goes through pointers, structs and slices of structs, which is all that answers are
// made of.
func withoutExplanations(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if v.Type() == reflect.TypeFor[*ask.Explanation]() && v.CanSet() {
			v.SetZero()
			return
		}
		withoutExplanations(v.Elem())
	case reflect.Struct:
		// A field that is not exported is none of the JSON, and reflection may not set it.
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				withoutExplanations(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			for i := range v.Len() {
				withoutExplanations(v.Index(i))
			}
		}
	}
}

// writeJSON writes an answer as --format json does. HTML is not escaped, as in the answers on
// stdout: a < in a reason stays readable.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
