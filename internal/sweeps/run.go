package sweeps

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/pieces"
)

// A Sweep is one question at many points. What two runs must have in common, for
// one to go on with the rows of the other, stands in its fields. The package knows nothing of flags
// but their texts.
type Sweep struct {
	Version string
	Command string
	Flags   [][2]string // name and text of those that are not swept
	Over    []string    // the axes as they were given
	Axes    []Axis
	Files   []string // that the points read
	Stdin   []byte   // kept for all points; nil where none reads it

	// Answer answers a point: it gives the row its figures, or says why there
	// are none, and returns what it warns of.
	Answer func(ctx context.Context, point int, row *Row) (warnings []string, err error)
	// Warned, if set, is called with the warnings of points, in their order.
	Warned func(point int, warnings []string)
	// Progress, if set, is called with the number of points that are done.
	Progress func(points int)
}

// Run answers every row that is not done yet on all cores, and hands them to the
// file, if any, in order. It returns how many rows are done from the first on;
// the error is that of the first row, in order, that fails. Where ctx ends, the rows that are done
// are an answer.
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
	shown, last := 0, time.Now()
	var fileErr error
	// Points are numbered from the first that is left to do, for pieces, and from 0 for everybody
	// else.
	one := func(ctx context.Context, k int) (answered, error) { return s.answer(ctx, first+k, &rows[first+k]) }
	room := parallel.WithRoom(ctx, together)
	err := pieces.Fold(room, s.work(len(rows)-first), pieces.Form[answered]{}, one, func(k int, a answered) error {
		a.row.done = true
		if len(a.warnings) > 0 && s.Warned != nil {
			s.Warned(first+k, a.warnings)
		}
		// A bar that is moved for each of a million points would take most of the time.
		if shown++; shown == 32 || time.Since(last) > time.Second/10 {
			add(shown)
			shown, last = 0, time.Now()
		}
		if file != nil {
			fileErr = file.write(ctx, s, rows[:first+k+1])
		}
		return fileErr
	})
	if fileErr != nil {
		return fileErr
	}
	// An end that comes after the last row is none.
	if err := ctx.Err(); err != nil && slices.ContainsFunc(rows, func(row Row) bool { return !row.done }) {
		return err
	}
	return err
}

// together bounds what simulations of points that are answered side by side take together, in bytes: as much
// as that of one question, the default of package sim.
const together = 1e9

// work is that of some points.
func (s *Sweep) work(points int) pieces.Work {
	return pieces.Work{Name: "points", Count: points}
}

// answer answers a point.
func (s *Sweep) answer(ctx context.Context, point int, row *Row) (answered, error) {
	a := answered{row: row}
	var err error
	if a.warnings, err = s.Answer(ctx, point, row); err != nil {
		err = fmt.Errorf("at %s: %w", row.Describe(), err)
	}
	return a, err
}

// Shard answers the points that the keeper in the context chooses, and no others
// are laid out. The error is [pieces.ErrKept] where all went well. Rows are not kept in memory.
func (s *Sweep) Shard(ctx context.Context, g *Grid) error {
	form := pieces.Form[answered]{Write: func(to []byte, _ int, a answered, words pieces.Words) ([]byte, error) {
		return a.write(to, words)
	}}
	one := func(ctx context.Context, i int) (answered, error) {
		row := g.Row(i)
		return s.answer(ctx, i, &row)
	}
	return pieces.Fold(parallel.WithRoom(ctx, together), s.work(g.Len()), form, one, nil)
}

// Describe names the point of a row. It is used in errors and warnings.
func (r *Row) Describe() string {
	var parts []string
	for i, n := range r.of.swept {
		parts = append(parts, n+"="+r.Values[i])
	}
	return strings.Join(parts, ", ")
}
