package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/planner/ask"
)

func (r *sweep) run(ctx context.Context, st *streams) (*result, error) {
	rows, err := r.points(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.readStdin(st); err != nil {
		return nil, err
	}
	var file *sweepFile
	if r.out != "" {
		if file, err = r.openOut(ctx, rows); err != nil {
			return nil, err
		}
		defer file.close()
	}
	runErr := r.all(ctx, st, rows, file)
	if runErr != nil && !errors.Is(runErr, context.Canceled) {
		return nil, runErr
	}
	// After Ctrl-C what is finished, from the start on, is still an answer.
	finished := 0
	for finished < len(rows) && rows[finished].done {
		finished++
	}
	names := r.columns(rows[:finished])
	if file != nil && finished == len(rows) {
		if err := file.finish(r, rows, names); err != nil {
			return nil, err
		}
	}
	rows = rows[:finished]
	for i := range rows {
		rows[i].fill(names)
	}
	a := &sweepAnswer{Command: r.name, Rows: rows}
	for _, x := range r.axes {
		a.Over = append(a.Over, x.flag)
	}
	out := &result{value: a, section: r.show(names, rows), exit: runErr}
	out.warnings = r.heard.texts()
	if file != nil && file.finished {
		out.warnings = []string{fmt.Sprintf("%s holds all %d rows already: nothing was computed", r.out, len(rows))}
	}
	if runErr != nil {
		text := fmt.Sprintf("interrupted after %d points", finished)
		if file != nil {
			text += "; the same command line with --resume goes on"
		}
		out.warnings = append(out.warnings, text)
	}
	return out, nil
}

// points lays out the rows, the last axis fastest.
func (r *sweep) points(ctx context.Context) ([]sweepRow, error) {
	if len(r.over) == 0 {
		return nil, &usageError{reason: "--over: nothing to sweep, want " + overWant}
	}
	if len(r.over) > 2 {
		return nil, &usageError{reason: "--over: at most two flags can be swept"}
	}
	total := 1
	for _, o := range r.over {
		a, err := parseOver(ctx, o)
		if err != nil {
			return nil, err
		}
		if names := r.sweepable(); !slices.Contains(names, a.flag) {
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
	of := &sweepPoints{swept}
	rows := make([]sweepRow, 0, total)
	var pairs []string
	if len(r.axes) == 2 {
		pairs = make([]string, 0, 2*total)
	}
	for i, v := range r.axes[0].values {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(r.axes) == 1 {
			rows = append(rows, sweepRow{of: of, values: r.axes[0].values[i : i+1 : i+1]})
			continue
		}
		for _, w := range r.axes[1].values {
			pairs = append(pairs, v, w)
			rows = append(rows, sweepRow{of: of, values: pairs[len(pairs)-2 : len(pairs) : len(pairs)]})
		}
	}
	return rows, nil
}

// sweepable returns the flags of the command that a sweep can vary.
func (r *sweep) sweepable() (names []string) {
	for _, f := range r.known.list[r.own:] {
		names = append(names, f.Names()[0])
	}
	return names
}

// all answers every row that is not done yet on all cores, and hands them to
// the file, if any, in order; the error is that of the first row, in order,
// that fails.
func (r *sweep) all(ctx context.Context, st *streams, rows []sweepRow, file *sweepFile) error {
	first := 0
	for first < len(rows) && rows[first].done {
		first++
	}
	add, finish := st.steps(len(rows), "sweep "+r.name)
	defer finish()
	add(first)
	var mu sync.Mutex // over done, shown and file
	shown, ready := 0, first
	var fileErr error
	done := func(i int) error {
		mu.Lock()
		defer mu.Unlock()
		rows[i].done = true
		for ready < len(rows) && rows[ready].done {
			ready++
		}
		if shown++; shown == 32 {
			add(shown)
			shown = 0
		}
		if file == nil || fileErr != nil {
			return nil
		}
		fileErr = file.write(r, rows[:ready])
		return fileErr
	}
	err := parallel.Each(ctx, 0, len(rows)-first, func(k int) error {
		i := first + k
		quiet := &streams{in: bytes.NewReader(r.stdin), out: discard{}, err: discard{}}
		if err := r.one(ctx, quiet, i, &rows[i]); err != nil {
			return fmt.Errorf("at %s: %w", describe(&rows[i]), err)
		}
		if err := ctx.Err(); err != nil {
			return err // the answer may be what there was when time ran out
		}
		return done(i)
	})
	if fileErr != nil {
		return fileErr
	}
	if err := ctx.Err(); err != nil && slices.ContainsFunc(rows, func(row sweepRow) bool { return !row.done }) {
		return err
	}
	return err
}

// maxStdin bounds what a sweep keeps of standard input.
const maxStdin = 256 << 20

// readStdin reads standard input once, for all points, if any of them reads it.
func (r *sweep) readStdin(st *streams) error {
	reads := slices.Contains(r.files, "-")
	for _, f := range r.fixed {
		reads = reads || f[1] == "-"
	}
	for _, a := range r.axes {
		reads = reads || slices.Contains(a.values, "-")
	}
	if !reads {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(st.in, maxStdin+1))
	if err == nil && len(data) > maxStdin {
		err = &usageError{reason: fmt.Sprintf("standard input holds more than %d bytes, which a sweep would have to keep: give a file", maxStdin)}
	}
	r.stdin = data
	return err
}

// shared returns names as a row before had them, where they are the same.
func (r *sweep) shared(names []string) []string {
	if last := r.names.Load(); last != nil && slices.Equal(*last, names) {
		return *last
	}
	r.names.Store(&names)
	return names
}

func describe(row *sweepRow) string {
	var parts []string
	for i, n := range row.of.swept {
		parts = append(parts, n+"="+row.values[i])
	}
	return strings.Join(parts, ", ")
}

// one answers one row.
func (r *sweep) one(ctx context.Context, st *streams, point int, row *sweepRow) error {
	c := r.make()
	c.path = "sweep " + c.name
	c.flags.command = c.path
	for _, f := range r.fixed {
		if err := c.flags.assign(f[0], f[1]); err != nil {
			return err
		}
	}
	for i, n := range row.of.swept {
		if err := c.flags.assign(n, row.values[i]); err != nil {
			return err
		}
	}
	answer, err := c.ask(ctx, st, r.files)
	if infeasible := (*ask.InfeasibleError)(nil); errors.As(err, &infeasible) {
		row.infeasible = infeasible.Reason
		return nil
	}
	if err != nil {
		return &commandError{c, err}
	}
	names, cells := scalars.WithParts(answer.value)
	row.names = r.shared(names)
	row.pack(cells)
	r.heard.add(point, answer.warnings)
	return nil
}
