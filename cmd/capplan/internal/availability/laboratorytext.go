package availability

import (
	"context"
	"io"
	"math"
	"runtime"
	"strconv"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

const (
	labBlock = 1 << 18 // bytes of rows that are written together
	labAhead = 1 << 27 // bytes of rows that may wait for those of the machines before
)

// A labPart is some rows of a machine, or what ended them.
type labPart struct {
	rows     []byte
	err      error
	panicked *parallel.Panic
}

// A labWriter writes a host trace, machine by machine; the next ones are generated beside, on all cores.
type labWriter struct {
	*machines.Laboratory
	ctx   context.Context
	spent chan []byte // blocks that were written
}

// writeLaboratory writes all machines. Times are unix seconds, loads shares of the processor with three digits,
// memory in MB with one. Errors: those of out, and that of the context.
func writeLaboratory(ctx context.Context, out io.Writer, l *machines.Laboratory, done func(part, parts int)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	side := runtime.GOMAXPROCS(0) + 1
	w := &labWriter{Laboratory: l, ctx: ctx, spent: make(chan []byte, labAhead/labBlock)}
	queue, slots := make(chan chan labPart, side), make(chan struct{}, side)
	parallel.Start(func() (none struct{}) {
		for m := range l.Machines {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				return none
			}
			parts := make(chan labPart, max(4, labAhead/labBlock/side))
			queue <- parts // which has room for as many as there are slots
			parallel.Start(func() (none struct{}) {
				defer close(parts)
				if p := parallel.Catch(func() { w.machine(m, parts) }); p != nil {
					w.send(parts, labPart{panicked: p})
				}
				return none
			})
		}
		return none
	})
	if _, err := io.WriteString(out, "time,host,cpu,free_mb\n"); err != nil {
		return err
	}
	for m := range l.Machines {
		var parts chan labPart
		select {
		case parts = <-queue:
		case <-ctx.Done():
			return ctx.Err()
		}
		for p := range parts {
			p.panicked.Again()
			if p.err != nil {
				return p.err
			}
			if _, err := out.Write(p.rows); err != nil {
				return err
			}
			select {
			case w.spent <- p.rows[:0]:
			default:
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		<-slots
		done(m+1, l.Machines)
	}
	return nil
}

// send hands a part over; false where nobody waits for it any more.
func (w *labWriter) send(parts chan labPart, p labPart) bool {
	select {
	case parts <- p:
		return true
	case <-w.ctx.Done():
		return false
	}
}

// machine makes the rows of a machine.
func (w *labWriter) machine(m int, parts chan labPart) {
	block := func() []byte {
		select {
		case b := <-w.spent:
			return b
		default:
			return make([]byte, 0, labBlock+100)
		}
	}
	name := "," + w.Name(m) + ","
	rows := block()
	err := w.EachSample(w.ctx, m, func(s smp.Sample) error {
		if s.Time == math.Trunc(s.Time) && math.Abs(s.Time) < 1e15 {
			rows = strconv.AppendInt(rows, int64(s.Time), 10)
		} else {
			rows = strconv.AppendFloat(rows, s.Time, 'f', -1, 64)
		}
		rows = appendFixed(append(rows, name...), s.Load, 3)
		rows = append(appendFixed(append(rows, ','), s.FreeMemory, 1), '\n')
		if len(rows) >= labBlock {
			if !w.send(parts, labPart{rows: rows}) {
				return w.ctx.Err()
			}
			rows = block()
		}
		return nil
	})
	w.send(parts, labPart{rows: rows, err: err})
}

// appendFixed is strconv.AppendFloat of format 'f' for up to three digits, several times as fast. Where a number
// is next to the middle between two, its exact value decides, which it leaves to strconv.
func appendFixed(to []byte, v float64, digits int) []byte {
	scale := [...]float64{1, 10, 100, 1000}[digits]
	x := v * scale
	if low := math.Floor(x); !(v > 0 && x < 1e9) || math.Abs(x-low-0.5) < 1e-6 {
		return strconv.AppendFloat(to, v, 'f', digits, 64)
	}
	n := int64(x + 0.5)
	to = strconv.AppendInt(to, n/int64(scale), 10)
	if digits > 0 {
		to = append(to, '.')
	}
	for d := int64(scale) / 10; d > 0; d /= 10 {
		to = append(to, byte('0'+n/d%10))
	}
	return to
}
