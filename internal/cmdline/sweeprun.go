package cmdline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"unicode"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/prometheus"
	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/internal/sweeps"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/page"
)

// run answers the sweep, with the errors of package sweeps told by flags. Errors: *UsageError of a
// flag of the sweep; those of the first point that fails.
func (r *sweep) run(ctx context.Context, st *Streams) (*Result, error) {
	out, err := r.rows(ctx, st)
	if err != nil {
		return nil, byFlag(err)
	}
	// The figures are drawn later, and their errors name options as well.
	draws := out.Section.Draws
	out.Section.Draws = func(ctx context.Context) ([]page.Figure, error) {
		figures, err := draws(ctx)
		return figures, byFlag(err)
	}
	return out, nil
}

// byFlag says an error of package sweeps by the flag that it is about. Package sweeps knows
// options, and this one how they are typed.
func byFlag(err error) error {
	var option *sweeps.OptionError
	var file *sweeps.FileError
	switch {
	case errors.As(err, &option):
		return &UsageError{Reason: "--" + option.Option + ": " + option.Reason}
	case errors.As(err, &file):
		return OutError("out", file.Path, file.Err)
	}
	return err
}

// rows answers all points, as far as they are not in the file already. Errors: *sweeps.OptionError,
// *sweeps.FileError; those of a point.
func (r *sweep) rows(ctx context.Context, st *Streams) (*Result, error) {
	// A server is asked once for all points: otherwise they would be of different moments.
	ctx = document.Remember(prometheus.Remember(ctx))
	if err := r.readAxes(ctx); err != nil {
		return nil, err
	}
	if err := r.unused(); err != nil {
		return nil, err
	}
	grid, err := sweeps.NewGrid(r.axes)
	if err != nil {
		return nil, err
	}
	if err := r.readStdin(st); err != nil {
		return nil, err
	}
	add, removeBar := st.Steps(grid.Len(), "sweep "+r.name)
	s := &sweeps.Sweep{
		Version:  Version(),
		Command:  r.name,
		Flags:    r.fixed,
		Over:     r.over,
		Axes:     r.axes,
		Files:    r.files,
		Stdin:    r.stdin,
		Answer:   r.one,
		Warned:   r.heard.Add,
		Progress: add,
	}
	defer removeBar()
	if r.out == "-" {
		return nil, &sweeps.OptionError{Option: "out",
			Reason: spell.Quote(r.out) + " is not a file that can be continued: rows on standard output are --csv"}
	}
	// Rows are answered here, taken from shards, or answered in part as one shard, in which case
	// nothing is shown.
	switch {
	case pieces.Given(ctx):
		return r.merged(ctx, s, grid)
	case pieces.Parted(ctx):
		return nil, s.Shard(ctx, grid)
	}
	rows, err := grid.Rows(ctx)
	if err != nil {
		return nil, err
	}
	if r.simulates() && !r.resume {
		if err := r.refused(ctx, rows); err != nil {
			return nil, err
		}
	}
	var file *sweeps.File
	if r.out != "" {
		if file, err = s.Open(ctx, r.out, rows, r.resume, r.force); err != nil {
			return nil, err
		}
		defer file.Close()
	}
	finished, runErr := s.Run(ctx, rows, file)
	if runErr != nil && !errors.Is(runErr, context.Canceled) {
		return nil, runErr
	}
	// After Ctrl-C what is finished, from the start on, is still an answer.
	// The names are those of the first answer, or where no point has one, those
	// that the schema promises.
	names := sweeps.Columns(rows[:finished])
	if names == nil {
		names = r.promised()
	}
	// The file beside the rows goes when the last of them is there.
	if file != nil && finished == len(rows) && runErr == nil {
		if err := file.Finish(ctx, s, rows, names); err != nil {
			return nil, err
		}
	}
	return r.answered(ctx, rows[:finished], names, file, runErr)
}

// answered shows the finished rows, all of them or, where ended says why the sweep ended before its
// last point, those before.
func (r *sweep) answered(ctx context.Context, rows []sweeps.Row, names []string, file *sweeps.File,
	ended error) (*Result, error) {
	for i := range rows {
		rows[i].Fill(names)
	}
	shown := ctx
	if ended != nil { // what is finished is still shown
		shown = context.WithoutCancel(ctx)
	}
	// A long table takes a while, and Ctrl-C is not to wait for it.
	section, err := parallel.Await(shown, func() (*page.Section, error) {
		return r.view().Section(names, sweeps.Held(rows))
	})
	if err != nil {
		return nil, err
	}
	out := &Result{
		Value:    sweeps.NewAnswer(r.name, r.axes, sweeps.Held(rows)),
		Section:  section,
		Warnings: r.heard.Texts(),
		Exit:     ended,
	}
	if file != nil && file.Finished {
		out.Warnings = []string{fmt.Sprintf("%s holds all %s already: nothing was computed", r.out,
			fault.Count(len(rows), "row"))}
	}
	if ended != nil {
		text := "interrupted after " + fault.Count(len(rows), "point")
		if file != nil {
			text += "; the same command line with --resume continues"
		}
		out.Warnings = append(out.Warnings, text)
	}
	return out, nil
}

// view is how the rows are shown. Bare leaves out what only text shows.
func (r *sweep) view() *sweeps.View {
	return &sweeps.View{
		Command: r.name,
		Axes:    r.axes,
		Out:     r.out,
		Field:   r.y,
		Kind:    r.as,
		Unit:    r.flags.plainUnit,
		All:     r.known.Output.all,
		Bare:    r.known.Output.Format != "text",
	}
}

// merged answers with the rows of shards, which stay where they are. There may be more of them than
// memory holds.
func (r *sweep) merged(ctx context.Context, s *sweeps.Sweep, grid *sweeps.Grid) (*Result, error) {
	rows, err := s.Kept(ctx, grid, r.promised)
	if err != nil {
		return nil, err
	}
	if r.out != "" {
		if err := rows.Replace(r.out, r.force); err != nil {
			return nil, err
		}
	}
	section, err := parallel.Await(ctx, func() (*page.Section, error) { return r.view().Section(rows.Names(), rows) })
	if err != nil {
		return nil, err
	}
	return &Result{Value: sweeps.NewAnswer(r.name, r.axes, rows), Section: section, Warnings: r.heard.Texts()}, nil
}

// readAxes reads what is swept, and looks whether the command has such flags. Errors: *UsageError,
// *sweeps.OptionError.
func (r *sweep) readAxes(ctx context.Context) error {
	if len(r.over) == 0 {
		return &UsageError{Reason: "--over: nothing to sweep, want " + sweeps.AxisWant}
	}
	// A drawing has two axes and colour, and a third swept flag no place in it.
	if len(r.over) > 2 {
		return &UsageError{Reason: "--over: at most two flags can be swept"}
	}
	for _, o := range r.over {
		a, err := sweeps.ParseAxis(ctx, o)
		if err != nil {
			return err
		}
		if names := r.sweepable(); !slices.Contains(names, a.Flag) {
			return &UsageError{Reason: "--over: " + r.name + " has no flag " + spell.Quote(a.Flag) + " to sweep" +
				spell.Suggest(a.Flag, names)}
		}
		// A flag that is both given and swept would have two values.
		if r.given[a.Flag] {
			return &UsageError{Reason: "--over: " + a.Flag + " is also given as a flag"}
		}
		if len(r.axes) == 1 && r.axes[0].Flag == a.Flag {
			return &UsageError{Reason: "--over: " + a.Flag + " is swept twice"}
		}
		r.axes = append(r.axes, a)
	}
	return nil
}

// unused refuses a flag of the command, and not of the sweep, that says nothing without another, given or swept.
// Errors: *UsageError.
func (r *sweep) unused() error {
	all := FlagSet{command: r.known.command, Output: r.known.Output}
	names := r.sweepable()
	for _, n := range r.flags.need {
		if slices.Contains(names, n.flag) {
			all.need = append(all.need, n)
		}
	}
	return all.unused(func(flag string) bool {
		return r.known.given != nil && r.known.given(flag) ||
			slices.ContainsFunc(r.axes, func(a sweeps.Axis) bool { return a.Flag == flag })
	})
}

// sweepable returns the flags of the command that a sweep can vary.
func (r *sweep) sweepable() (names []string) {
	for _, f := range r.known.list[r.own:] {
		names = append(names, namesOf(f)[0])
	}
	return names
}

// maxStdin bounds what a sweep keeps of standard input.
const maxStdin = 256 << 20

// words are all that may name a file: arguments, the values of flags, and the swept values.
func (r *sweep) words() []string {
	words := slices.Clone(r.files)
	for _, f := range r.fixed {
		words = append(words, f[1])
	}
	for _, a := range r.axes {
		words = append(words, a.Values...)
	}
	return words
}

// refusePipes refuses a word that names a pipe, such as that of the shell's <(...): the first point
// would empty it, and the second find nothing there, or wait for another writer.
func refusePipes(words []string) error {
	for _, w := range words {
		// A range may have a million values, all numbers: they are not looked for among the files.
		if w == "" || unicode.IsDigit(rune(w[0])) {
			continue
		}
		if info, err := os.Stat(w); err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
			return &UsageError{Reason: spell.Quote(w) + " is a pipe, which can be read only once, but each point of " +
				"a sweep reads its files: give a file, or - for standard input, which is kept"}
		}
	}
	return nil
}

// readStdin reads standard input once, for all points, if any of them reads it. Errors: *UsageError
// where there is too much of it, or where a point would read another pipe.
func (r *sweep) readStdin(st *Streams) error {
	words := r.words()
	if err := refusePipes(words); err != nil {
		return err
	}
	if !slices.Contains(words, "-") {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(st.In, maxStdin+1))
	if err == nil && len(data) > maxStdin {
		err = &UsageError{Reason: fmt.Sprintf(
			"standard input holds more than %d bytes, too much for a sweep to keep: give a file", maxStdin,
		)}
	}
	r.stdin = data
	return err
}

// shared returns names as a row before had them, where they are the same. A million rows then hold
// one list of names.
func (r *sweep) shared(names []string) []string {
	if last := r.names.Load(); last != nil && slices.Equal(*last, names) {
		return *last
	}
	r.names.Store(&names)
	return names
}

// one answers one row. Errors: those of the question, told with the point by the caller.
func (r *sweep) one(ctx context.Context, _ int, row *sweeps.Row) ([]string, error) {
	ctx, end := document.Point(ctx)
	defer end()
	// Points write nothing: their answers are the rows.
	st := &Streams{In: bytes.NewReader(r.stdin), out: io.Discard, Err: io.Discard}
	// The command is made anew for each point, since its flags are bound to one question and points
	// are answered side by side.
	c := r.make()
	c.path = "sweep " + c.Name
	c.Flags.command = c.path
	for _, f := range r.fixed {
		if err := c.Flags.assign(f[0], f[1]); err != nil {
			return nil, err
		}
	}
	for i, n := range row.Swept() {
		if err := c.Flags.assign(n, row.Values[i]); err != nil {
			return nil, err
		}
	}
	answer, err := c.ask(ctx, st, r.files)
	// Infeasible is an answer, as it is to a single question; any other error ends the sweep.
	if infeasible := (*ask.InfeasibleError)(nil); errors.As(err, &infeasible) {
		row.Infeasible = infeasible.Reason
		return nil, nil
	}
	if err != nil {
		return nil, &commandError{c, err}
	}
	names, cells := scalars.WithParts(answer.Value)
	row.Answer(r.shared(names), cells)
	return answer.Warnings, nil
}
