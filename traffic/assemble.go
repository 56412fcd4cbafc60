package traffic

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/source"
)

// record makes the record of the rows.
func (r *reader) record() (*Record, error) {
	if r.columns == nil {
		return nil, r.Fail("0 rows", source.ErrMalformed)
	}
	if len(r.rows) < 2 {
		return nil, r.Fail(fault.Count(len(r.rows), "row"), source.ErrMalformed)
	}
	if err := r.settle(); err != nil {
		return nil, err
	}
	r.clockBack()
	out := &Record{
		Rows:  len(r.rows),
		Dated: r.clock.kind == clockUnix || r.clock.kind == clockDated,
		OfDay: r.clock.kind == clockOfDay,
	}
	if r.native {
		out.Dated = false
	}
	// Rows without a count or a rate are single requests.
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
		out.Notes = append(out.Notes, fault.Count(added, "row shares its time with another: they are added up",
			"rows share their time with another: they are added up"))
	}
	if moved {
		out.Notes = append(out.Notes, "the rows are not in order of time: they were sorted")
	}
	if out.Width == 0 && !r.native {
		out.Notes = append(out.Notes,
			"the rows keep no usual step: each holds until the next, and missing rows cannot be told")
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
	// Counts are requests; rates only say how much more an interval weighs than another.
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
		// The widest that leaves 24 intervals: in wider ones peaks are lost, in narrower ones few requests
		// are counted and the rate is mostly chance.
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
	near := 0 // the request nearest to the bin, by whose clock the bin is read if no zone is given
	for i, n := range counted {
		if (i == 0 || i == len(counted)-1) && len(counted) > 3 {
			continue
		}
		wall := origin + float64(i)*width
		at := wall + shift
		for near+1 < len(rows) && rows[near+1].unix-at <= math.Abs(at-rows[near].unix) {
			near++
		}
		// Clocks were put forward or back by whole seconds since the first request.
		put := math.Round(rows[near].wall - rows[near].unix + shift)
		if r.clock.placed() {
			put = math.Round(r.clock.wallOf(at) - wall)
		}
		out.Intervals = append(out.Intervals, Interval{Start: at, Wall: wall + put, Width: width, Rate: n / width})
	}
	out.Width = width
	out.Notes = append(out.Notes,
		fmt.Sprintf("each row is one request: they are counted in intervals of %s s", trim(width)))
	return nil
}

// missingRows begins the note of gaps.
const missingRows = "rows are missing"

// notes says what was passed over.
func (r *reader) notes(out *Record) {
	if r.blank > 0 {
		out.Notes = append(out.Notes, fault.Count(r.blank, "row holds no value", "rows hold no value"))
	}
	// A separator at the end of the lines makes a column without a name.
	if names := slices.DeleteFunc(slices.Clone(r.unread), func(n string) bool { return n == "" }); len(names) > 0 {
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
	out.Notes = append(out.Notes, out.gapNotes()...)
}

// gapNotes says where rows are missing.
func (r *Record) gapNotes() []string {
	var missing, shut []Gap
	for _, g := range r.Gaps {
		if g.Closed {
			shut = append(shut, g)
		} else {
			missing = append(missing, g)
		}
	}
	named := func(gaps []Gap) string {
		var texts []string
		for _, g := range gaps[:min(len(gaps), 3)] {
			texts = append(texts, r.clockText(g.Wall)+" to "+r.clockText(g.Wall+g.End-g.Start))
		}
		text := strings.Join(texts, ", ")
		if len(gaps) > 3 {
			text += fmt.Sprintf(" and %d more", len(gaps)-3)
		}
		return text
	}
	var notes []string
	if len(missing) > 0 {
		notes = append(notes, missingRows+", and stand at the greater rate beside them: "+named(missing))
	}
	if len(shut) > 0 {
		notes = append(notes, "no day has rows, and nobody is taken to come: "+named(shut))
	}
	return notes
}

// trim writes a number of seconds without digits that nobody reads.
func trim(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
