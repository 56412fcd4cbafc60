package trace

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/capplan/capplan/internal/given"
)

// CloudWatchOptions says how to read a metric.
type CloudWatchOptions struct {
	// Host is the name of the host; empty means the name of the file.
	Host string
	// Fraction says that the values are 0..1, not percent.
	Fraction bool
	// Strict makes the first malformed line an error.
	Strict bool
}

const cloudWatchForm = `a header "timestamp,value" and rows such as "2014-02-14 14:30:00,13.2": UTC and percent`

// ReadCloudWatch reads the CPU use of one host from CSV with the columns
// timestamp ("2006-01-02 15:04:05" in UTC, or as in [ReadHostTrace]) and value
// (percent), in either order and no others, and hands the samples to each.
// What is malformed or missing, and the errors, are as in [ReadHostTrace].
func ReadCloudWatch(ctx context.Context, name string, r io.Reader, o CloudWatchOptions,
	each func(Sample) error) (*SampleLog, error) {
	ctx = given.Context(ctx)
	t, log, err := openSamples(ctx, name, r, cloudWatchForm, o.Strict, !o.Fraction)
	if err != nil {
		return log, err
	}
	o.Host = cmp.Or(o.Host, name)
	clock := sampleClock{name: o.Host}
	var columns []int
	var width int
	err = t.rows(func(line []byte) (err error) {
		if columns == nil {
			columns, width, err = t.header(line, false, "timestamp", "value")
			return err
		}
		cells, ok, err := t.row(line, width)
		if !ok {
			return err
		}
		s := Sample{Name: o.Host, Line: t.Line}
		if s.Time, ok, err = t.time(line, cells[columns[0]], time.UTC); !ok {
			return err
		}
		if len(cells[columns[1]]) == 0 {
			log.Skipped++
			log.empty++
			return nil
		}
		if s.CPU, ok, err = t.cpu(log, line, cells[columns[1]], "value"); !ok {
			return err
		}
		last, started := clock.last, clock.started
		if ok, err = t.inOrder(line, &clock, s.Time); !ok {
			return err
		}
		log.Nodes = 1
		log.sampled(started, last, s.Time)
		return given.Each(each)(s)
	})
	if err != nil {
		return log, err
	}
	return log, log.finish(t.Want)
}
