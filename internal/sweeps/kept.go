package sweeps

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/capplan/capplan/internal/pieces"
)

// Kept are the rows that shards keep. They may be more than memory holds: each walk
// through them reads the shards anew.
type Kept struct {
	ctx   context.Context
	sweep *Sweep
	grid  *Grid
	names []string
	known columns
}

// Kept returns the rows of the giver in the context, after looking at all of them: Warned is called
// with their warnings. Their columns are those of the first row with an answer, or else those
// promised. Errors: those of the giver.
func (s *Sweep) Kept(ctx context.Context, g *Grid, promised func() []string) (*Kept, error) {
	k := &Kept{ctx: ctx, sweep: s, grid: g}
	var mu sync.Mutex
	// Shards are read on all cores in any order; the columns are those of the first row of all.
	var first atomic.Int64 // row with an answer
	first.Store(int64(g.Len()))
	err := pieces.Skim(ctx, s.work(g.Len()), func(p pieces.Kept) error {
		l := list{rest: p.Text}
		number, warnings := l.begin(true)
		if l.bad {
			return &pieces.FormError{Index: p.Index}
		}
		if len(warnings) > 0 && s.Warned != nil {
			s.Warned(p.Index, warnings)
		}
		// A row without an answer has no columns of its own.
		if number < 0 {
			return nil
		}
		names, err := k.known.of(number, p.Said)
		if err != nil {
			return &pieces.FormError{Index: p.Index}
		}
		if len(names) == 0 || int64(p.Index) >= first.Load() {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		if int64(p.Index) < first.Load() {
			first.Store(int64(p.Index))
			k.names = names
		}
		return nil
	})
	if err == nil && k.names == nil {
		// Where no point has an answer, the columns are those that the command would have.
		k.names = promised()
	}
	return k, err
}

// Names are those of the columns. They are known without another walk.
func (k *Kept) Names() []string { return k.names }

// Len is how many rows there are.
func (k *Kept) Len() int { return k.grid.Len() }

// Each hands out the rows.
func (k *Kept) Each(row func(i int, r *Row) error) error {
	// Rows are read in portions, which keeps the cores busy between two hand-overs.
	type portion struct {
		first int
		rows  []Row
	}
	read := func(some []pieces.Kept) (portion, error) {
		p := portion{some[0].Index, make([]Row, len(some))}
		for i, s := range some {
			p.rows[i] = k.grid.Row(s.Index)
			if err := k.read(&p.rows[i], s); err != nil {
				return p, err
			}
		}
		return p, nil
	}
	return pieces.Again(k.ctx, k.sweep.work(k.Len()), read, func(p portion) error {
		for i := range p.rows {
			if err := row(p.first+i, &p.rows[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// read reads one row, with the columns of all.
func (k *Kept) read(r *Row, p pieces.Kept) error {
	a := answered{row: r}
	if err := a.read(p.Text, p.Said, &k.known); err != nil {
		return &pieces.FormError{Index: p.Index}
	}
	// A row with other columns, as of another model, is laid out by those of all.
	if !sameNames(r.names, k.names) {
		r.Fill(k.names)
	}
	return nil
}

// WriteCSV writes the rows below a header, the bytes that [Lines] and a csv.Writer
// come to: a portion of them on each core.
func (k *Kept) WriteCSV(w io.Writer) error {
	top, err := csvLine(header(k.grid.axes, k.names))
	if err != nil {
		return err
	}
	if _, err := w.Write(top); err != nil {
		return err
	}
	// Buffers are used again, since there is one for each portion.
	buffers := sync.Pool{New: func() any { return new([]byte) }}
	read := func(some []pieces.Kept) (*[]byte, error) {
		text := buffers.Get().(*[]byte)
		*text = (*text)[:0]
		for _, s := range some {
			var err error
			if *text, err = k.appendLine(*text, s); err != nil {
				return text, &pieces.FormError{Index: s.Index}
			}
		}
		return text, nil
	}
	return pieces.Again(k.ctx, k.sweep.work(k.Len()), read, func(text *[]byte) error {
		_, err := w.Write(*text)
		buffers.Put(text)
		return err
	})
}

// appendLine appends a row as a line of CSV. Where its columns are those of all, its
// cells go from one text to the other as they are.
func (k *Kept) appendLine(to []byte, p pieces.Kept) ([]byte, error) {
	l := list{rest: p.Text}
	number, _ := l.begin(false)
	row := k.grid.Row(p.Index)
	for _, v := range row.Values {
		to = append(appendCell(to, v), ',')
	}
	// Empty cells and the reason behind them are the form of a row without an answer.
	if number < 0 {
		why, err := l.reason()
		for range k.names {
			to = append(to, ',')
		}
		return append(appendCell(to, why), '\n'), err
	}
	names, err := k.known.of(number, p.Said)
	if err != nil {
		return nil, err
	}
	if !sameNames(names, k.names) {
		if err := k.read(&row, p); err != nil {
			return nil, err
		}
		for _, c := range row.Cells(nil) {
			to = append(appendCell(to, c), ',')
		}
		return append(to, '\n'), nil
	}
	to, cells, ok := appendCells(to, l.rest)
	if l.bad || !ok || cells != len(names) {
		return nil, errForm
	}
	return append(to, '\n'), nil
}
