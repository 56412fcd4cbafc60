package traffic

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

// Options say how to read a file. Their zero value reads what the header tells.
type Options struct {
	// Columns names columns whose names are not understood, or not as they are
	// meant.
	Columns map[Role]string
	// Zone is where days begin, and where times without an offset were written
	// down. nil: times keep the offset they have, and are of UTC without one.
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
//   - nothing else: then each row is one request.
//
// A column of durations beside them gives the service law. Times may be RFC
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
		return nil, &source.DomainError{
			Func:  "Read",
			Arg:   "Interval",
			Value: o.Interval,
			Want:  "a number of seconds >= 0",
		}
	}
	ctx = given.Context(ctx)
	lines, err := source.NewLineReader(ctx, name, in, form)
	if err != nil {
		return nil, err
	}
	r := &reader{LineReader: lines, options: o, clock: clock{zone: o.Zone, asRead: o.Zone == nil}}
	if r.clock.zone == nil {
		r.clock.zone = time.UTC
	}
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

// A pendingCell holds a number such as 1.234 that was read before a row told
// which mark is the decimal one.
type pendingCell struct {
	index int32
	mark  byte
	line  int
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
		column, problem := 0, err.Error()
		if e := (*csv.ParseError)(nil); errors.As(err, &e) {
			column, problem = e.Column, e.Err.Error()
		}
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
	if plainName(time.name) == "hour" {
		r.clock.unit = 3600
	}
	return nil
}

// blankCells are the texts of a cell without a value.
var blankCells = []string{"", "-", "nan", "null", "none", "n/a", "na", "nil"}

func isBlank(cell []byte) bool {
	return len(cell) < 5 && slices.Contains(blankCells, strings.ToLower(string(cell)))
}

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
	if r.clock.kind == clockOfDay {
		if v.unix < r.lastOfDay {
			return fault(timeColumn, "comes after "+r.previousTime, "times that rise within one day, or dates beside them")
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
		return r.bad(line, 0, fmt.Sprintf("more than %d million rows", maxRows/1_000_000), "a shorter record, or counts by interval")
	}
	r.rows = append(r.rows, v)
	return nil
}

// multiples are what may stand behind a number.
var multiples = map[string]float64{"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "Mio": 1e6}

func (r *reader) count(cell []byte) (v float64, problem, want string) {
	const form = "a count such as 1200, 1,200 or 1.2k"
	n, problem := r.numbers.read(cell, r.Line)
	if problem != "" {
		return 0, problem, form
	}
	factor, ok := multiples[n.suffix]
	if !ok {
		return 0, "is no count", form
	}
	return r.checked(n, factor, form)
}

func (r *reader) rate(cell []byte) (v float64, problem, want string) {
	form := "a rate such as 5/s, 120/min or 1.2k rps, or a column whose name tells the unit, such as rate_per_s"
	if r.native {
		form = "a finite rate >= 0 per second, such as 0.25"
	}
	n, problem := r.numbers.read(cell, r.Line)
	if problem != "" {
		return 0, problem, form
	}
	per := r.columns[RateColumn].unit
	factor, ok := multiples[n.suffix]
	if !ok {
		if factor, per, ok = rateSuffix(n.suffix); !ok {
			return 0, "is no rate", form
		}
	}
	if per == 0 {
		return 0, "has no unit of time", form
	}
	return r.checked(n, factor/per, form)
}

// checked bounds a number of requests and remembers one whose mark is not told.
func (r *reader) checked(n reading, factor float64, form string) (v float64, problem, want string) {
	v = n.value * factor
	if !(v >= 0 && v <= source.MaxField) {
		return 0, "is out of bounds", form + " from 0 to 1e15"
	}
	if n.pending {
		r.pending = append(r.pending, pendingCell{index: r.at, mark: n.mark, line: r.Line})
	}
	return v, "", ""
}

// rateSuffix reads what follows the number of a rate: rps, k rps, req/s, /min.
func rateSuffix(s string) (factor, per float64, ok bool) {
	factor = 1
	for _, k := range []string{"k", "K", "M", "G"} {
		if rest, found := strings.CutPrefix(s, k); found {
			s, factor = strings.TrimSpace(rest), multiples[k]
			break
		}
	}
	switch strings.ToLower(s) {
	case "rps", "qps", "tps", "ops", "hz":
		return factor, 1, true
	case "rpm", "cpm":
		return factor, 60, true
	}
	before, after, found := strings.Cut(s, "/")
	unit, known := perSecond[strings.TrimSpace(after)]
	switch strings.ToLower(strings.TrimSpace(before)) {
	case "", "req", "requests", "r", "calls", "jobs", "queries", "ops":
		return factor, unit, found && known
	}
	return 0, 0, false
}

// settle multiplies the numbers that were read before the file told its mark.
func (r *reader) settle() error {
	for _, cells := range []struct {
		pending []pendingCell
		of      func(*row) *float64
	}{
		{r.pending, func(v *row) *float64 { return &v.value }},
		{r.pendingTook, func(v *row) *float64 { return &v.took }},
	} {
		for _, p := range cells.pending {
			if r.numbers.decimal == 0 {
				return r.ambiguous(p)
			}
			*cells.of(&r.rows[p.index]) *= r.numbers.settle(p.mark)
		}
	}
	return nil
}

func (r *reader) ambiguous(p pendingCell) error {
	return &source.FileError{
		File: r.Name,
		Line: p.line,
		Problem: fmt.Sprintf("a number with one %q before three digits, here and wherever it has one: "+
			"a thousand times more, or not?", string(p.mark)),
		Want: "one number in the file that can be read in one way, such as 1234.5 or 1234,5",
		Err:  source.ErrMalformed,
	}
}

// record makes the record of the rows.
func (r *reader) record() (*Record, error) {
	if r.columns == nil {
		return nil, r.Fail("0 rows", source.ErrMalformed)
	}
	if len(r.rows) < 2 {
		return nil, r.Fail(fmt.Sprintf("%d rows", len(r.rows)), source.ErrMalformed)
	}
	if err := r.settle(); err != nil {
		return nil, err
	}
	out := &Record{
		Rows:  len(r.rows),
		Dated: r.clock.kind == clockUnix || r.clock.kind == clockDated,
		OfDay: r.clock.kind == clockOfDay,
	}
	if r.native {
		out.Dated = false
	}
	counts := r.columns[CountColumn].found
	if !counts && !r.columns[RateColumn].found {
		if err := r.requests(out); err != nil {
			return nil, err
		}
		r.notes(out)
		return out, nil
	}
	r.means(out)
	rows, added, moved := sorted(r.rows)
	if len(rows) < 2 {
		return nil, r.Fail("one time in all rows", source.ErrMalformed)
	}
	out.intervals(rows, counts, r.native)
	if added > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%d rows share their time with another: they are added up", added))
	}
	if moved {
		out.Notes = append(out.Notes, "the rows are not in order of time: they were sorted")
	}
	if out.Width == 0 && !r.native {
		out.Notes = append(out.Notes, "the rows keep no usual step: each holds until the next, and missing rows cannot be told")
	}
	r.notes(out)
	return out, nil
}

// means takes the durations of intervals: means, weighted by the requests.
func (r *reader) means(out *Record) {
	took := r.columns[DurationColumn]
	if !took.found {
		return
	}
	s := &Service{Source: "the column " + strconv.Quote(took.name) + ", means of intervals"}
	weight := 0.0
	for _, v := range r.rows {
		if !math.IsNaN(v.took) && v.value > 0 {
			weight += v.value
			s.Mean += (v.took - s.Mean) * (v.value / weight)
			s.N++
		}
	}
	if s.N == 0 || !(s.Mean > 0) {
		return
	}
	if r.columns[CountColumn].found && weight < 1e15 {
		s.N = int(math.Round(weight))
	}
	out.Service = s
}

// requests makes intervals of rows that are one request each.
func (r *reader) requests(out *Record) error {
	took := make([]float64, 0, len(r.rows))
	for _, v := range r.rows {
		if !math.IsNaN(v.took) {
			took = append(took, v.took)
		}
	}
	out.Service = ofSample(took, "the column "+strconv.Quote(r.columns[DurationColumn].name))
	for i := range r.rows {
		r.rows[i].value = 1
	}
	rows, _, _ := sorted(r.rows)
	first, last := rows[0], rows[len(rows)-1]
	span := last.unix - first.unix
	width := r.options.Interval
	if width == 0 {
		width = 1
		for _, w := range []float64{1, 10, 60, 300} {
			if w <= span/24 {
				width = w
			}
		}
	}
	// Bins begin at multiples of the width on the clock of the place; the first
	// and the last are seen in part, and left out where others remain.
	origin := math.Floor(first.wall/width) * width
	bins := math.Floor((first.wall+span-origin)/width) + 1
	if bins < 2 {
		return r.Fail(fmt.Sprintf("all requests within %s s", trim(span)), source.ErrMalformed).
			Wanting("a record longer than the interval of " + trim(width) + " s")
	}
	if bins > maxRows {
		return r.Fail(fmt.Sprintf("%s intervals of %s s", trim(bins), trim(width)), source.ErrMalformed).
			Wanting(fmt.Sprintf("at most %d million of them: a wider interval", maxRows/1_000_000))
	}
	counted := make([]float64, int(bins))
	for _, v := range rows {
		i := int((v.unix - first.unix + first.wall - origin) / width)
		counted[min(max(i, 0), len(counted)-1)] += v.value
	}
	shift := first.unix - first.wall
	for i, n := range counted {
		if (i == 0 || i == len(counted)-1) && len(counted) > 3 {
			continue
		}
		wall := origin + float64(i)*width
		out.Intervals = append(out.Intervals, Interval{Start: wall + shift, Wall: wall, Width: width, Rate: n / width})
	}
	out.Width = width
	out.Notes = append(out.Notes, fmt.Sprintf("each row is one request: they are counted in intervals of %s s", trim(width)))
	return nil
}

// missingRows begins the note of gaps.
const missingRows = "rows are missing"

// notes says what was passed over.
func (r *reader) notes(out *Record) {
	if r.blank > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%d rows hold no value", r.blank))
	}
	if len(r.unread) > 0 {
		names := r.unread
		more := ""
		if len(names) > 6 {
			names, more = names[:6], fmt.Sprintf(" and %d more", len(names)-6)
		}
		quoted := make([]string, len(names))
		for i, n := range names {
			quoted[i] = strconv.Quote(source.Shown([]byte(n)))
		}
		out.Notes = append(out.Notes, "columns that are not read: "+strings.Join(quoted, ", ")+more)
	}
	var missing, shut []Gap
	for _, g := range out.Gaps {
		if g.Closed {
			shut = append(shut, g)
		} else {
			missing = append(missing, g)
		}
	}
	named := func(gaps []Gap) string {
		var texts []string
		for _, g := range gaps[:min(len(gaps), 3)] {
			texts = append(texts, out.clockText(g.Wall)+" to "+out.clockText(g.Wall+g.End-g.Start))
		}
		text := strings.Join(texts, ", ")
		if len(gaps) > 3 {
			text += fmt.Sprintf(" and %d more", len(gaps)-3)
		}
		return text
	}
	if len(missing) > 0 {
		out.Notes = append(out.Notes, missingRows+", and stand at the greater rate beside them: "+named(missing))
	}
	if len(shut) > 0 {
		out.Notes = append(out.Notes, "no day has rows, and nobody is taken to come: "+named(shut))
	}
}

func trim(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
