package sweeps

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/capplan/capplan/internal/parallel"
)

// A Sweep is one question at many points. What two runs must have in common, for
// one to go on with the rows of the other, stands in its fields.
type Sweep struct {
	Version string
	Command string
	Flags   [][2]string // name and text of those that are not swept
	Over    []string    // the axes as they were given
	Axes    []Axis
	Files   []string // that the points read
	Stdin   []byte   // kept for all points; nil where none reads it

	// Answer answers a point: it gives the row its figures, or says why there
	// are none.
	Answer func(ctx context.Context, point int, row *Row) error
	// Progress, if set, is told of points that are done.
	Progress func(points int)
}

// Lay makes the rows of one or two axes, the last axis fastest.
func Lay(ctx context.Context, axes []Axis) ([]Row, error) {
	total := 1
	of := &points{}
	for _, a := range axes {
		if total *= len(a.Values); total > MostPoints {
			return nil, &OptionError{"over", fmt.Sprintf("more than %d points", MostPoints)}
		}
		of.swept = append(of.swept, a.Flag)
	}
	rows := make([]Row, 0, total)
	var pairs []string
	if len(axes) == 2 {
		pairs = make([]string, 0, 2*total)
	}
	for i, v := range axes[0].Values {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(axes) == 1 {
			rows = append(rows, Row{of: of, Values: axes[0].Values[i : i+1 : i+1]})
			continue
		}
		for _, w := range axes[1].Values {
			pairs = append(pairs, v, w)
			rows = append(rows, Row{of: of, Values: pairs[len(pairs)-2 : len(pairs) : len(pairs)]})
		}
	}
	return rows, nil
}

// Run answers every row that is not done yet on all cores, and hands them to the
// file, if any, in order. It returns how many rows are done from the first on;
// the error is that of the first row, in order, that fails.
func (s *Sweep) Run(ctx context.Context, rows []Row, file *File) (finished int, err error) {
	err = s.all(ctx, rows, file)
	for finished < len(rows) && rows[finished].done {
		finished++
	}
	return finished, err
}

func (s *Sweep) all(ctx context.Context, rows []Row, file *File) error {
	first := 0
	for first < len(rows) && rows[first].done {
		first++
	}
	add := s.Progress
	if add == nil {
		add = func(int) {}
	}
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
		fileErr = file.write(s, rows[:ready])
		return fileErr
	}
	err := parallel.Each(ctx, 0, len(rows)-first, func(k int) error {
		i := first + k
		if err := s.Answer(ctx, i, &rows[i]); err != nil {
			return fmt.Errorf("at %s: %w", rows[i].Describe(), err)
		}
		if err := ctx.Err(); err != nil {
			return err // the answer may be what there was when time ran out
		}
		return done(i)
	})
	if fileErr != nil {
		return fileErr
	}
	if err := ctx.Err(); err != nil && slices.ContainsFunc(rows, func(row Row) bool { return !row.done }) {
		return err
	}
	return err
}

// Describe names the point of a row.
func (r *Row) Describe() string {
	var parts []string
	for i, n := range r.of.swept {
		parts = append(parts, n+"="+r.Values[i])
	}
	return strings.Join(parts, ", ")
}
