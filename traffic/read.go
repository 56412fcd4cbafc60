package traffic

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/table"
)

// Options say how to read a file. With the zero value the header decides.
type Options struct {
	// Columns names columns whose names are not understood, or not as they are
	// meant.
	Columns map[Role]string
	// Zone is where days begin, and where times without an offset were written
	// down; where it puts its clocks back, the order of the rows tells the two passes
	// of an hour apart. nil: times keep the offset they have, and are of UTC without one.
	Zone *time.Location
	// Interval is the width in seconds of the intervals in which single requests
	// are counted; 0: from a second to five minutes, by how long the record is.
	Interval float64
}

const form = `a header such as "time,count" or "time_s,rate_per_s", and rows below it`

// maxRows bounds the memory of a record: 40 bytes each.
const maxRows = 4_000_000

// Read reads a record of traffic from CSV with a header, in any order of
// columns, of which it takes a time and
//
//   - a count of requests in the interval that begins there,
//   - a rate, with its unit in the name of the column (rate_per_s, rps,
//     calls_per_hour) or in the cells (5/s, 120/min, 1.2k rps), or
//   - a duration alone: then each row is one request.
//
// A column of durations beside the others gives the service law too. A time alone is refused: its
// other columns may hold a count under a name that is not known. Times may be RFC
// 3339, dates with or without a time and an offset, times of day, Unix seconds,
// ms, us or ns, or seconds from any start. Cells are parted by commas,
// semicolons, tabs or bars; with others than commas the decimal mark may be a
// comma, and marks or blanks may part thousands. k and M stand for a thousand
// and a million. A cell without a value (empty, -, null, NaN, n/a) is a missing
// row. Rows may be in any order; those of one time are added up.
//
// With the header time_s,rate_per_s alone each row holds until the next, however
// far, the last as long as the one before. In all other files rows keep a usual
// step, and where one is missing there is a gap. Lines that are blank or begin
// with '#' are passed over, and a UTF-8 byte order mark too.
//
// Whatever else is in the file gives a *FileError with line and column. name is
// used in messages only.
func Read(ctx context.Context, name string, in io.Reader, o Options) (*Record, error) {
	if !(o.Interval >= 0 && o.Interval <= source.MaxSeconds) {
		return nil, source.Outside("Read", "Interval", o.Interval, "a number of seconds >= 0")
	}
	ctx = given.Context(ctx)
	lines, err := source.NewLineReader(ctx, name, in, form)
	if err != nil {
		return nil, err
	}
	r := &reader{LineReader: lines, options: o, clock: clock{zone: o.Zone, asRead: o.Zone == nil}}
	r.clock.zone = cmp.Or(r.clock.zone, time.UTC)
	for {
		line, tooLong, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		trimmed := bytes.TrimSpace(line)
		switch {
		case len(trimmed) == 0 || trimmed[0] == '#':
			continue
		case tooLong:
			err = r.bad(line, 0, fmt.Sprintf("a line of more than %d bytes", source.MaxLine), form)
		case r.columns == nil:
			err = r.header(line)
		default:
			err = r.row(line)
		}
		if err != nil {
			return nil, err
		}
	}
	return r.record()
}

// A reader reads the rows of one file.
type reader struct {
	*source.LineReader
	options Options
	comma   byte
	columns map[Role]column
	width   int // cells of the header
	native  bool
	clock   clock
	numbers numerals
	unread  []string

	cells  [][]byte // of the line, kept to be filled again
	places []int

	rows         []row
	at           int32 // index of the row that is read
	blank        int   // rows without a value
	pending      []pendingCell
	pendingTook  []pendingCell
	lastOfDay    float64
	previousTime string
}

// bad is the error of a line; of a binary one its content says more than any
// cell.
func (r *reader) bad(line []byte, at int, problem, want string) error {
	e := &source.FileError{
		File:    r.Name,
		Line:    r.Line,
		Column:  at,
		Text:    source.Shown(line),
		Problem: problem,
		Want:    want,
		Err:     source.ErrMalformed,
	}
	if what := source.Sniff(line[:min(len(line), source.SniffLen)]); what != "" {
		e.Column, e.Problem, e.Want, e.Err = 0, "holds "+what, form, source.ErrBinary
	}
	return e
}

// split returns the cells of a line, trimmed, and their columns, until the next
// call.
func (r *reader) split(line []byte) (cells [][]byte, at []int, err error) {
	cells, at = r.cells[:0], r.places[:0]
	defer func() { r.cells, r.places = cells, at }()
	if bytes.IndexByte(line, '"') < 0 {
		for start := 0; ; {
			end := bytes.IndexByte(line[start:], r.comma)
			cell := line[start:]
			if end >= 0 {
				cell = cell[:end]
			}
			blanks := len(cell) - len(bytes.TrimLeft(cell, " \t"))
			cells, at = append(cells, bytes.TrimSpace(cell)), append(at, start+blanks+1)
			if end < 0 {
				return cells, at, nil
			}
			start += end + 1
		}
	}
	quoted := csv.NewReader(bytes.NewReader(line))
	quoted.Comma, quoted.TrimLeadingSpace = rune(r.comma), r.comma != '\t'
	texts, err := quoted.Read()
	if err != nil {
		column, problem := table.QuoteFault(err)
		return nil, nil, r.bad(line, column, problem, form)
	}
	for i, text := range texts {
		_, column := quoted.FieldPos(i)
		cells, at = append(cells, bytes.TrimSpace([]byte(text))), append(at, column)
	}
	return cells, at, nil
}

// mark finds what parts the cells of a header.
func (r *reader) mark(header []byte) {
	r.comma = ','
	for _, mark := range []byte{';', '\t', '|'} {
		if bytes.Count(header, []byte{mark}) > bytes.Count(header, []byte{r.comma}) {
			r.comma = mark
		}
	}
	if r.comma == ',' {
		r.numbers.decimal = '.'
	}
}

// header finds the columns and what they say of units.
func (r *reader) header(line []byte) error {
	r.mark(line)
	cells, at, err := r.split(line)
	if err != nil {
		return err
	}
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = string(c)
		if j := slices.Index(names[:i], names[i]); j >= 0 && names[i] != "" {
			return r.bad(line, at[i], fmt.Sprintf("column %q twice", names[i]), "it once")
		}
	}
	found, unread, fault := columns(names, r.options.Columns)
	if fault != nil {
		place := 0
		if fault.index >= 0 {
			place = at[fault.index]
		}
		return r.bad(line, place, fault.problem, fault.want)
	}
	r.columns, r.unread, r.width = found, unread, len(names)
	time, rate := found[TimeColumn], found[RateColumn]
	r.native = len(names) == 2 && time.name == "time_s" && rate.name == "rate_per_s"
	r.clock.unit = time.unit
	// A column of bare hours is in hours without saying so.
	if plainName(time.name) == "hour" {
		r.clock.unit = 3600
	}
	return nil
}

// row reads a line. One without arrivals is counted as blank and left out.
func (r *reader) row(line []byte) error {
	cells, at, err := r.split(line)
	if err != nil {
		return err
	}
	if len(cells) != r.width {
		return r.bad(line, 0, fmt.Sprintf("%d cells", len(cells)), fmt.Sprintf("%d, as the header has", r.width))
	}
	fault := func(c column, problem, want string) error {
		return r.bad(line, at[c.index], fmt.Sprintf("%s = %q %s", c.name, source.Shown(cells[c.index]), problem), want)
	}
	r.at = int32(len(r.rows))
	var v row
	v.took, v.weight = math.NaN(), 1
	timeColumn := r.columns[TimeColumn]
	text := cells[timeColumn.index]
	if date := r.columns[DateColumn]; date.found {
		text = slices.Concat(cells[date.index], []byte(" "), text)
	}
	var problem, want string
	if v.moment, problem = r.clock.read(text); problem != "" {
		if r.native {
			return fault(timeColumn, problem, "a number of seconds, such as 3600")
		}
		return fault(timeColumn, problem, clockForm)
	}
	// Without dates nothing would tell the next day from a row out of order.
	if r.clock.kind == clockOfDay {
		if v.unix < r.lastOfDay {
			return fault(timeColumn, "comes after "+r.previousTime,
				"times that rise within one day, or dates beside them")
		}
		r.lastOfDay, r.previousTime = v.unix, string(text)
	}
	if r.native && len(r.rows) > 0 && v.unix <= r.rows[len(r.rows)-1].unix {
		return r.bad(line, at[timeColumn.index], fmt.Sprintf("time_s = %v", v.unix),
			fmt.Sprintf("more than %v of the row before", r.rows[len(r.rows)-1].unix))
	}
	if count := r.columns[CountColumn]; count.found {
		if isBlank(cells[count.index]) {
			r.blank++
			return nil
		}
		if v.value, problem, want = r.count(cells[count.index]); problem != "" {
			return fault(count, problem, want)
		}
	}
	if rate := r.columns[RateColumn]; rate.found {
		if isBlank(cells[rate.index]) && !r.native {
			r.blank++
			return nil
		}
		if v.value, problem, want = r.rate(cells[rate.index]); problem != "" {
			return fault(rate, problem, want)
		}
	}
	if took := r.columns[DurationColumn]; took.found && !isBlank(cells[took.index]) {
		if v.took, problem, want = r.duration(cells[took.index]); problem != "" {
			return fault(took, problem, want)
		}
	}
	if len(r.rows) == maxRows {
		return r.bad(line, 0, fmt.Sprintf("more than %d million rows", maxRows/1_000_000),
			"a shorter record, or counts by interval")
	}
	r.rows = append(r.rows, v)
	return nil
}
