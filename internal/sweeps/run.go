package sweeps

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/pieces"
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

	// Seed is that of the command, for whoever parts the sweep; nil: none is given.
	Seed *uint64
	// Answer answers a point: it gives the row its figures, or says why there
	// are none, and returns what it warns of.
	Answer func(ctx context.Context, point int, row *Row) (warnings []string, err error)
	// Warned, if set, is told what points warn of, in their order.
	Warned func(point int, warnings []string)
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
	shown := 0
	var fileErr error
	work := pieces.Work{Name: "points", Count: len(rows) - first, Seed: s.Seed}
	one := func(ctx context.Context, k int) (answered, error) {
		a := answered{row: &rows[first+k]}
		var err error
		if a.warnings, err = s.Answer(ctx, first+k, a.row); err != nil {
			err = fmt.Errorf("at %s: %w", a.row.Describe(), err)
		}
		return a, err
	}
	err := pieces.Fold(ctx, work, form(rows[first:]), one, func(k int, a answered) error {
		a.row.done = true
		if len(a.warnings) > 0 && s.Warned != nil {
			s.Warned(first+k, a.warnings)
		}
		if shown++; shown == 32 {
			add(shown)
			shown = 0
		}
		if file != nil {
			fileErr = file.write(s, rows[:first+k+1])
		}
		return fileErr
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
