package trace

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
)

// LANLOptions says how to read failure records.
type LANLOptions struct {
	// Location is the time zone of the file's clock; nil means UTC, which keeps
	// clock times as they are and is up to an hour off where a failure spans a
	// change of the clocks.
	Location *time.Location
	// Strict makes the first malformed line an error.
	Strict bool
}

const lanlForm = `the failure records LA-UR-05-7318: CSV with the columns System, nodenumz, Prob Started, Prob Fixed and Down Time, times as "6/21/2005 10:54"`

// A LANLLog is a TraceLog of failures: Rows counts failures of known nodes,
// Skipped those without a node number, Joined those that began while the node
// was still down.
type LANLLog struct {
	TraceLog
	// DownTimeDiffers counts rows whose Down Time is not Prob Fixed less Prob
	// Started, to the minute; the two times are used.
	DownTimeDiffers int `json:"down_time_differs"`
}

// ReadLANL reads the failure records of the Los Alamos systems and hands the
// intervals of each node to each: down from Prob Started to Prob Fixed, and up
// between two failures. The time before the first failure of a node and after
// its last is not in the file, so that the up intervals are short on the whole;
// none is Cut or Censored. Failures of a node that overlap or touch are joined.
// A node is "SYSTEM/NODE" by the columns System and nodenumz.
//
// A failure that is fixed before it started, or that started before the one of
// the node above it, is malformed. Errors are those of [ReadFTA], and a header
// without the columns. Time is linear in the bytes, memory in the nodes.
// Source: Schroeder, Gibson, A large-scale study of failures in
// high-performance computing systems, DSN 2006.
func ReadLANL(ctx context.Context, name string, r io.Reader, o LANLOptions,
	each func(Interval) error) (*LANLLog, error) {
	ctx = given.Context(ctx)
	t, trace, err := openTrace(ctx, name, r, lanlForm, o.Strict)
	log := &LANLLog{TraceLog: *trace}
	if err != nil {
		return log, err
	}
	t.log = &log.TraceLog
	o.Location = cmp.Or(o.Location, time.UTC)
	l := &lanlReader{traceReader: t, lanl: log, zone: o.Location, nodes: map[string]*intervalNode{}}
	l.intervals = intervalStream{log: t.log, each: func(i Interval) error {
		i.Cut, i.Censored = false, false
		return given.Each(each)(i)
	}}
	_, err = l.intervals.finish(t.rows(l.failure), t.Want)
	return log, err
}

// A lanlReader is what ReadLANL keeps between lines.
type lanlReader struct {
	*traceReader
	lanl      *LANLLog
	zone      *time.Location
	intervals intervalStream
	nodes     map[string]*intervalNode
	key       []byte
	columns   []int // System, nodenumz, Prob Started, Prob Fixed, Down Time
	width     int
}

// failure reads a row, and puts the time up before it where the node had failed
// before.
func (l *lanlReader) failure(line []byte) (err error) {
	if l.columns == nil {
		l.columns, l.width, err = l.header(line, true, "System", "nodenumz", "Prob Started", "Prob Fixed", "Down Time")
		return err
	}
	cells, ok, err := l.row(line, l.width)
	if !ok {
		return err
	}
	var at [2]float64
	for i, name := range []string{"Prob Started", "Prob Fixed"} {
		cell := cells[l.columns[2+i]]
		if at[i], ok = parseSlashTime(cell, l.zone); !ok {
			return l.bad(line, &l.log.Malformed.Value, table.CellColumn(line, cell),
				fmt.Sprintf("%s = %q", name, source.Shown(cell)))
		}
	}
	start, end := at[0], at[1]
	if len(cells[l.columns[1]]) == 0 {
		l.log.Skipped++
		return nil
	}
	l.key = append(append(append(l.key[:0], cells[l.columns[0]]...), '/'), cells[l.columns[1]]...)
	node := l.nodes[string(l.key)]
	if node == nil {
		if err := l.enrol(string(l.key)); err != nil {
			return err
		}
		node = l.intervals.node(string(l.key))
		l.nodes[node.pending.Name] = node
	}
	if end < start || node.started && start < node.pending.Start {
		e := &OrderError{Node: node.pending.Name, Line: l.Line, Start: start, End: end, Zone: l.zone}
		if node.started {
			e.Before, e.BeforeLine = node.lastEnd, node.line
		}
		return l.badOrder(line, e)
	}
	if minutes, ok := source.ParseNumber(cells[l.columns[4]]); !ok || minutes != (end-start)/60 {
		l.lanl.DownTimeDiffers++
	}
	switch {
	case node.started && start < node.lastEnd:
		// add joins what touches.
		start, end = node.lastEnd, max(end, node.lastEnd)
	case node.started && start > node.lastEnd:
		if err := l.intervals.add(node, node.lastEnd, start, true, node.line); err != nil {
			return err
		}
		l.log.Rows-- // no row of the file
	}
	return l.intervals.add(node, start, end, false, l.Line)
}

// parseSlashTime reads "1/2/2006 15:04", month first, as unix seconds.
func parseSlashTime(b []byte, zone *time.Location) (float64, bool) {
	var n [5]int // month, day, year, hour, minute
	for i, end := range []string{"/", "/", " ", ":", ""} {
		part, rest := b, []byte(nil)
		if end != "" {
			var found bool
			if part, rest, found = bytes.Cut(b, []byte(end)); !found {
				return 0, false
			}
		}
		var ok bool
		if n[i], ok = source.Digits(part); !ok || len(part) > 4 {
			return 0, false
		}
		b = rest
	}
	if !source.ValidDate(n[2], n[0], n[1]) || n[3] > 23 || n[4] > 59 {
		return 0, false
	}
	return float64(time.Date(n[2], time.Month(n[0]), n[1], n[3], n[4], 0, 0, zone).Unix()), true
}
