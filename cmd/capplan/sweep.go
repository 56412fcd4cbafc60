package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
)

func sweepCommand() *command {
	return &command{
		name: "sweep", usage: "the same question over a range",
		description: `Takes a command with its flags, and one or two --over. A row is one point: the
swept flags and the scalar figures of the answer. A point whose question is
infeasible is a row that says so.

  $ capplan sweep size --max-blocking 1% --over load=100:140:20 --csv
  $ capplan sweep capacity --max-blocking 1% --over servers=10,100,1000 --csv`,
		children: []func() *command{
			func() *command { return sweepOf(sizeCommand) },
			func() *command { return sweepOf(capacityCommand) },
			func() *command { return sweepOf(checkCommand) },
			func() *command { return sweepOf(throughputCommand) },
			func() *command { return sweepGroup(queueCommand) },
			func() *command { return sweepOf(fitCommand) },
			func() *command { return sweepOf(replicasCommand) },
			func() *command { return sweepOf(epochCommand) },
			func() *command { return sweepOf(linkCommand) },
			func() *command { return sweepOf(checkpointCommand) },
			func() *command { return sweepOf(lifetimeCommand) },
			func() *command { return sweepOf(routeCommand) },
		},
	}
}

// sweepGroup makes the sweep of a command that has children.
func sweepGroup(make func() *command) *command {
	c := make()
	out := &command{name: c.name, usage: "sweep " + c.name, description: "Takes the flags of one queue, and --over. See capplan sweep --help."}
	for _, child := range c.children {
		out.children = append(out.children, func() *command { return sweepOf(child) })
	}
	return out
}

// sweepOf makes the sweep of one command: its flags are recorded as they were
// typed and given to each point anew.
func sweepOf(make func() *command) *command {
	inner := make()
	s := newFlags(true)
	r := &sweep{make: make, name: inner.name, axes: nil, flags: inner.flags}
	for _, f := range inner.flags.list {
		if s.has(f.Names()[0]) {
			continue // format, explain and plot are the sweep's own
		}
		s.list = append(s.list, r.record(f, s))
	}
	s.list = append(s.list,
		&cli.GenericFlag{Name: "over", Usage: "`FLAG=...` swept: " + overWant + "; at most twice", Value: &list{&r.over, overWant}},
	)
	toggle(s, "csv", &r.csv, "short for --format csv")
	text(s, "y", &r.y, "FIELD", "of the answer to plot (default: the first that varies)")
	return &command{
		name: inner.name, usage: "sweep " + inner.name, args: inner.args, maxArgs: inner.maxArgs, flags: s,
		description: "Takes the flags of " + inner.name + ", and --over. See capplan sweep --help.",
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if r.csv {
				s.output.format = "csv"
			}
			r.files = args
			return r.run(ctx, st)
		},
	}
}

// A sweep is one command at many points.
type sweep struct {
	make  func() *command
	name  string
	flags *flagSet    // of a template, to check values and names
	fixed [][2]string // name and text
	given map[string]bool
	over  []string
	axes  []axis
	files []string
	csv   bool
	y     string
}

// recorded checks a value by the flag it stands for and keeps its text.
type recorded struct {
	r     *sweep
	s     *flagSet
	name  string
	check cli.Generic // nil: anything goes
}

func (v *recorded) Set(s string) error {
	if v.check != nil {
		if err := v.check.Set(s); err != nil {
			v.s.failed = v.r.flags.failed
			return err
		}
	}
	v.r.keep(v.name, s)
	return nil
}

func (v *recorded) String() string { return "" }

// Want describes the value where the flag can.
func (v *recorded) Want() string {
	if w, ok := v.check.(interface{ Want() string }); ok {
		return w.Want()
	}
	return "a value"
}

func (r *sweep) keep(name, text string) {
	if r.given == nil {
		r.given = map[string]bool{}
	}
	r.given[name] = true
	r.fixed = append(r.fixed, [2]string{name, text})
}

// record returns a flag that stands for f.
func (r *sweep) record(f cli.Flag, s *flagSet) cli.Flag {
	switch f := f.(type) {
	case *cli.GenericFlag:
		return &cli.GenericFlag{Name: f.Name, Usage: f.Usage, Value: &recorded{r, s, f.Name, f.Value}}
	case *cli.StringFlag:
		return &cli.GenericFlag{Name: f.Name, Usage: f.Usage, Value: &recorded{r, s, f.Name, nil}}
	case *cli.BoolFlag:
		return &cli.BoolFlag{Name: f.Name, Usage: f.Usage, Action: func(_ *cli.Context, on bool) error {
			if on {
				r.keep(f.Name, "")
			}
			return nil
		}}
	}
	panic("capplan: a flag of a kind that sweep does not know")
}

// sweepAnswer is the JSON of a sweep.
type sweepAnswer struct {
	Command string     `json:"command"`
	Over    []string   `json:"over"` // the swept flags
	Rows    []sweepRow `json:"rows"`
}

// A sweepRow is one point: the swept flags by name, the scalar fields of the
// answer, and why it is infeasible if it is.
type sweepRow struct {
	swept      []string // names
	values     []string
	names      []string
	cells      []string
	infeasible string
	done       bool
}

// MarshalJSON writes the row as one object in the order of its columns.
func (r sweepRow) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	field := func(name string, v any) error {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return err
		}
		value, err := json.Marshal(v)
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
		return err
	}
	for i, n := range r.swept {
		// A swept value with a unit stays text: it is what was typed.
		if err := field("over_"+n, jsonScalar(r.values[i])); err != nil {
			return nil, err
		}
	}
	for i, n := range r.names {
		if err := field(n, jsonScalar(r.cells[i])); err != nil {
			return nil, err
		}
	}
	var why any
	if r.infeasible != "" {
		why = r.infeasible
	}
	if err := field("infeasible", why); err != nil {
		return nil, err
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

func (r *sweep) run(ctx context.Context, st *streams) (*result, error) {
	rows, err := r.points()
	if err != nil {
		return nil, err
	}
	runErr := r.all(ctx, st, rows)
	if runErr != nil && !errors.Is(runErr, context.Canceled) {
		return nil, runErr
	}
	// After Ctrl-C what is finished, from the start on, is still an answer.
	finished := 0
	for finished < len(rows) && rows[finished].done {
		finished++
	}
	rows = rows[:finished]
	names := columns(rows)
	if names == nil {
		names = r.columnsOfNone()
	}
	for i := range rows {
		if len(rows[i].names) == 0 { // infeasible: the same fields, null
			rows[i].names, rows[i].cells = names, make([]string, len(names))
		}
	}
	a := &sweepAnswer{Command: r.name, Rows: rows}
	for _, x := range r.axes {
		a.Over = append(a.Over, x.flag)
	}
	out := &result{value: a, exit: runErr}
	out.rows = func() [][]string { return sweepRows(r.axes, names, rows) }
	out.text = func(p *page) { p.table(sweepRows(r.axes, names, rows)) }
	out.draw = func(context.Context) (*drawing, error) { return r.draw(names, rows) }
	if runErr != nil {
		out.warnings = []string{fmt.Sprintf("interrupted after %d points", finished)}
	}
	return out, nil
}

// points lays out the rows, the last axis fastest.
func (r *sweep) points() ([]sweepRow, error) {
	if len(r.over) == 0 {
		return nil, &usageError{reason: "--over: nothing to sweep, want " + overWant}
	}
	if len(r.over) > 2 {
		return nil, &usageError{reason: "--over: at most two flags can be swept"}
	}
	total := 1
	for _, o := range r.over {
		a, err := parseOver(o)
		if err != nil {
			return nil, err
		}
		if len(a.flag) == 1 || a.flag == "format" || a.flag == "explain" || a.flag == "plot" || !r.flags.has(a.flag) {
			var names []string
			for _, f := range r.flags.list[3:] {
				names = append(names, f.Names()[0])
			}
			return nil, &usageError{reason: "--over: " + r.name + " has no flag " + quote(a.flag) + " to sweep" + suggest(a.flag, names)}
		}
		if r.given[a.flag] {
			return nil, &usageError{reason: "--over: " + a.flag + " is given as a flag as well"}
		}
		if len(r.axes) == 1 && r.axes[0].flag == a.flag {
			return nil, &usageError{reason: "--over: " + a.flag + " is swept twice"}
		}
		if total *= len(a.values); total > maxPoints {
			return nil, &usageError{reason: fmt.Sprintf("--over: more than %d points", maxPoints)}
		}
		r.axes = append(r.axes, a)
	}
	var swept []string
	for _, a := range r.axes {
		swept = append(swept, a.flag)
	}
	rows := make([]sweepRow, 0, total)
	for i, v := range r.axes[0].values {
		if len(r.axes) == 1 {
			rows = append(rows, sweepRow{swept: swept, values: r.axes[0].values[i : i+1 : i+1]})
			continue
		}
		for _, w := range r.axes[1].values {
			rows = append(rows, sweepRow{swept: swept, values: []string{v, w}})
		}
	}
	return rows, nil
}

// all answers every row on all cores; the error is that of the first row, in
// order, that fails.
func (r *sweep) all(ctx context.Context, st *streams, rows []sweepRow) error {
	add, finish := st.steps(len(rows), "sweep "+r.name)
	defer finish()
	const block = 32
	errs := make([]error, len(rows))
	next := make(chan int)
	stdin, err := r.stdin(st)
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(rows)) {
		wg.Go(func() {
			for from := range next {
				to := min(from+block, len(rows))
				for i := from; i < to && ctx.Err() == nil; i++ {
					quiet := &streams{in: bytes.NewReader(stdin), out: discard{}, err: discard{}}
					errs[i] = r.one(ctx, quiet, &rows[i])
				}
				add(to - from)
			}
		})
	}
	for from := 0; from < len(rows) && ctx.Err() == nil; from += block {
		next <- from
	}
	close(next)
	wg.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, err := range errs {
		if err != nil {
			return fmt.Errorf("at %s: %w", describe(&rows[i]), err)
		}
	}
	return nil
}

// maxStdin bounds what a sweep keeps of standard input.
const maxStdin = 256 << 20

// stdin reads standard input once, for all points, if any of them reads it.
func (r *sweep) stdin(st *streams) ([]byte, error) {
	reads := slices.Contains(r.files, "-")
	for _, f := range r.fixed {
		reads = reads || f[1] == "-"
	}
	for _, a := range r.axes {
		reads = reads || slices.Contains(a.values, "-")
	}
	if !reads {
		return nil, nil
	}
	data, err := io.ReadAll(io.LimitReader(st.in, maxStdin+1))
	if err == nil && len(data) > maxStdin {
		err = &usageError{reason: fmt.Sprintf("standard input holds more than %d bytes, which a sweep would have to keep: give a file", maxStdin)}
	}
	return data, err
}

func describe(row *sweepRow) string {
	var parts []string
	for i, n := range row.swept {
		parts = append(parts, n+"="+row.values[i])
	}
	return strings.Join(parts, ", ")
}

// one answers one row.
func (r *sweep) one(ctx context.Context, st *streams, row *sweepRow) error {
	c := r.make()
	c.path = "sweep " + c.name
	c.flags.command = c.path
	for _, f := range r.fixed {
		if err := c.flags.assign(f[0], f[1]); err != nil {
			return err
		}
	}
	for i, n := range row.swept {
		if err := c.flags.assign(n, row.values[i]); err != nil {
			return err
		}
	}
	answer, err := c.ask(ctx, st, r.files)
	if errors.Is(err, planner.ErrInfeasible) {
		row.infeasible, row.done = strings.TrimPrefix(err.Error(), "infeasible: "), true
		return nil
	}
	if err != nil {
		return &commandError{c, err}
	}
	row.names, row.cells = scalars(answer.value)
	row.done = true
	return nil
}

// columns returns the names of the scalar fields over all rows.
func columns(rows []sweepRow) []string {
	for _, r := range rows {
		if len(r.names) > 0 {
			return r.names
		}
	}
	return nil
}

func sweepRows(axes []axis, names []string, rows []sweepRow) [][]string {
	var header []string
	for _, a := range axes {
		header = append(header, "over_"+a.flag)
	}
	out := [][]string{append(append(header, names...), "infeasible")}
	for _, r := range rows {
		line := append([]string{}, r.values...)
		cells := map[string]string{}
		for i, n := range r.names {
			cells[n] = r.cells[i]
		}
		for _, n := range names {
			line = append(line, cells[n])
		}
		out = append(out, append(line, r.infeasible))
	}
	return out
}

// draw draws one field against the swept flag, one line for each value of a
// second one.
func (r *sweep) draw(names []string, rows []sweepRow) (*drawing, error) {
	field := r.y
	if field == "" {
		field = firstVarying(names, rows)
	}
	at := -1
	for i, n := range names {
		if n == field {
			at = i
		}
	}
	if at < 0 {
		return nil, &usageError{reason: "--y: the answer has no field " + quote(field) + suggest(field, names)}
	}
	c := chart.Chart{Title: field + " by " + r.axes[0].flag, XLabel: r.axes[0].flag, YLabel: field}
	xs, unit := axisValues(r.axes[0].values)
	if unit != "" {
		c.XLabel = r.axes[0].flag + " (" + unit + ")"
	}
	series := map[string]int{}
	for _, row := range rows {
		if len(row.cells) <= at || row.cells[at] == "" {
			continue
		}
		y, _, okY := plainValue(row.cells[at])
		x, ok := xs[row.values[0]]
		if !ok || !okY {
			return nil, &usageError{reason: "--plot: " + r.axes[0].flag + " or " + field + " is no number to draw"}
		}
		name := r.name
		if len(r.axes) == 2 {
			name = r.axes[1].flag + " " + row.values[1]
		}
		k, ok := series[name]
		if !ok {
			k = len(c.Series)
			series[name] = k
			c.Series = append(c.Series, chart.Series{Name: name, Style: chart.Line})
		}
		c.Series[k].X, c.Series[k].Y = append(c.Series[k].X, x), append(c.Series[k].Y, y)
	}
	if len(c.Series) == 0 || len(c.Series) > 8 {
		return nil, &usageError{reason: fmt.Sprintf("--plot: %d lines, want 1 to 8: sweep the flag with fewer values second", len(c.Series))}
	}
	return &drawing{bottom: c}, nil
}

// firstVarying returns the first field whose value is not the same in all rows.
func firstVarying(names []string, rows []sweepRow) string {
	for i, n := range names {
		first := ""
		for _, r := range rows {
			if len(r.cells) <= i {
				continue
			}
			if _, _, ok := plainValue(r.cells[i]); !ok {
				break
			}
			if first == "" {
				first = r.cells[i]
			} else if r.cells[i] != first {
				return n
			}
		}
	}
	if len(names) > 0 {
		return names[0]
	}
	return ""
}

// columnsOfNone returns the names of the scalar fields where no point has an
// answer to take them from.
func (r *sweep) columnsOfNone() []string {
	for name, v := range schemas() {
		if name == r.schema() {
			names, _ := scalars(v)
			return names
		}
	}
	return nil
}

// schema returns the name of the schema of the answers.
func (r *sweep) schema() string {
	for _, spec := range queueSpecs {
		if string(spec.model) == r.name {
			return "queue"
		}
	}
	return r.name
}
