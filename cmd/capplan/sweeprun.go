package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/capplan/capplan/planner"
)

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
