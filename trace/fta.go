package trace

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
)

// FTAOptions says how to read events. The zero value counts malformed lines.
type FTAOptions struct {
	// Strict makes the first malformed line an error; one out of order has an
	// *OrderError as its cause.
	Strict bool
}

const ftaForm = "nine tab-separated columns as in a Failure Trace Archive event_trace file, event_type 1 (up) " +
	"or 0 (down) and times in unix seconds"

// ftaColumns are the columns that are read; event_end_reason may follow.
var ftaColumns = [...]string{
	"event_id", "component_id", "node_id", "platform_id", "node_name",
	"event_type", "event_start_time", "event_stop_time",
}

// ReadFTA reads an event file of the Failure Trace Archive and hands the up and
// down intervals of each node to each. A line is an interval: its event_type is
// 1 for up and 0 for down. Cells may be padded with blanks; lines that start
// with '#' are comments, and one that names the columns must name these in this
// order.
//
// A node is a platform_id, node_id and component_id; its name is node_name, and
// for a component other than 0 " component N" after it. Intervals of different
// nodes may be mixed, those of one must be in order: one that runs backward or
// begins before the end of the one before is malformed, and left out. Intervals
// of a node that touch and have the same type are joined. One of 0 s is kept.
//
// A node's last interval is handed on at the end of the file. Errors are those
// of [joblog.ReadSWF], with ErrNoRows in place of ErrNoJobs. Time is linear in the
// bytes, memory in the nodes. Source: Kondo, Javadi, Iosup, Epema, The Failure
// Trace Archive, CCGrid 2010.
func ReadFTA(ctx context.Context, name string, r io.Reader, o FTAOptions,
	each func(Interval) error) (*TraceLog, error) {
	ctx = given.Context(ctx)
	t, log, err := openTrace(ctx, name, r, ftaForm, o.Strict)
	if err != nil {
		return log, err
	}
	f := &ftaReader{traceReader: t, nodes: map[ftaKey]*intervalNode{}}
	f.intervals = intervalStream{log: log, each: given.Each(each)}
	t.comment = f.header
	return f.intervals.finish(t.rows(f.event), t.Want)
}

// An ftaKey distinguishes nodes of one name.
type ftaKey struct{ platform, node, component int64 }

// An ftaReader is what ReadFTA keeps between lines.
type ftaReader struct {
	*traceReader
	intervals intervalStream
	nodes     map[ftaKey]*intervalNode
	last      *intervalNode // the node of lastCells
	lastCells []byte        // columns 2 to 5 of a line, as they stand there
}

// header checks the order of columns in a comment that names them.
func (f *ftaReader) header(line []byte) error {
	names := strings.Fields(strings.TrimLeft(string(line), "# \t"))
	if len(names) > 1 && slices.Contains([]string{"component_id", "node_id", "platform_id", "creator_id"}, names[0]) &&
		strings.Contains(names[1], "_") {
		return f.fatal(line, 0,
			"the header is that of another table of the archive, its first column "+names[0], source.ErrMalformed)
	}
	if len(names) == 0 || names[0] != ftaColumns[0] {
		return nil
	}
	for i, want := range ftaColumns {
		if i >= len(names) || names[i] != want {
			return f.fatal(line, 0, fmt.Sprintf("the header lacks %q as column %d", want, i+1), source.ErrMalformed)
		}
	}
	return nil
}

// event reads a line by the places of its tabs, without a slice of cells:
// archives have millions of lines.
func (f *ftaReader) event(line []byte) error {
	m := &f.log.Malformed
	// Ends of the columns; the tenth stays unset in a well-formed line.
	var tab [10]int
	n, from := 0, 0
	for n < len(tab) {
		i := bytes.IndexByte(line[from:], '\t')
		if i < 0 {
			tab[n] = len(line)
			n++
			break
		}
		tab[n] = from + i
		from = tab[n] + 1
		n++
	}
	if n != len(ftaColumns) && n != len(ftaColumns)+1 {
		return f.bad(line, &m.Columns, 0, fault.Count(bytes.Count(line, []byte{'\t'})+1, "column"))
	}
	cell := func(i int) []byte { return table.TrimBlank(line[tab[i-1]+1 : tab[i]]) }
	// Lines of one node often stand together, and its cells are then the same
	// bytes.
	node := f.last
	if cells := line[tab[0]+1 : tab[4]]; node == nil || !bytes.Equal(cells, f.lastCells) {
		var ok bool
		var err error
		if node, ok, err = f.node(line, cell); !ok {
			return err
		}
		f.last, f.lastCells = node, append(f.lastCells[:0], cells...)
	}
	kind := cell(5)
	if len(kind) != 1 || kind[0] != '0' && kind[0] != '1' {
		return f.bad(line, &m.Value, table.CellColumn(line, kind), fmt.Sprintf("event_type = %q", source.Shown(kind)))
	}
	start, ok, err := f.number(line, cell(6), ftaColumns[6], -source.MaxSeconds, source.MaxSeconds)
	if !ok {
		return err
	}
	end, ok, err := f.number(line, cell(7), ftaColumns[7], -source.MaxSeconds, source.MaxSeconds)
	if !ok {
		return err
	}
	if e := node.order(start, end, f.Line); e != nil {
		return f.badOrder(line, e)
	}
	return f.intervals.add(node, start, end, kind[0] == '1', f.Line)
}

// node finds or makes the node of a line; ok is false if it was malformed.
func (f *ftaReader) node(line []byte, cell func(int) []byte) (node *intervalNode, ok bool, err error) {
	var id [3]int64
	for i := range id {
		c := cell(1 + i)
		v, ok := source.ParseNumber(c)
		id[i] = int64(v)
		if !ok || v != float64(id[i]) || v > source.MaxField || v < -source.MaxField {
			return nil, false, f.bad(line, &f.log.Malformed.Value, table.CellColumn(line, c),
				fmt.Sprintf("%s = %q is not a whole number", ftaColumns[1+i], source.Shown(c)))
		}
	}
	key := ftaKey{component: id[0], node: id[1], platform: id[2]}
	if node = f.nodes[key]; node == nil {
		name := string(cell(4))
		if key.component != 0 {
			name += fmt.Sprintf(" component %d", key.component)
		}
		if err := f.enrol(name); err != nil {
			return nil, false, err
		}
		node = f.intervals.node(name)
		f.nodes[key] = node
	}
	return node, true, nil
}
