package trace

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"syscall"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

const recordHeader = "time,cpu,free_mb"

// A HostTraceFile is a host trace that grows by a row a sample.
type HostTraceFile struct {
	Rows int     // that it had when it was opened
	Last float64 // unix seconds of its last row, with those added; 0 without one
	// Dropped is the cut last line that a kill or a full disk had left, and that
	// was removed; empty where there was none.
	Dropped string
	f       *os.File
}

// OpenHostTrace opens a host trace to add samples every period seconds: a new
// or empty file gets the header "time,cpu,free_mb"; one with this header and
// samples at that period, with gaps, goes on, and a last line
// without its end is removed first. Anything else is left as it is, and a
// *FileError: ErrMalformed for another kind of file, another period or samples
// later than now, unix seconds.
func OpenHostTrace(ctx context.Context, path string, period, now float64) (*HostTraceFile, error) {
	ctx = given.Context(ctx)
	fail := func(problem string, err error) error {
		return source.Whole(path, problem, `a new file, or a host trace with the header "time,cpu,free_mb"`, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if errors.Is(err, syscall.EISDIR) {
		return nil, fail("is a directory", source.ErrIsDirectory)
	} else if err != nil {
		return nil, fail(source.Cause(err), err)
	}
	h := &HostTraceFile{f: f}
	if err := h.check(ctx, path, period, now, fail); err != nil {
		f.Close()
		return nil, err
	}
	return h, nil
}

// check finds where to go on: after the header of a new file, or after the last
// whole row of one that has been written before.
func (h *HostTraceFile) check(ctx context.Context, path string, period, now float64,
	fail func(string, error) error) error {
	info, err := h.f.Stat()
	if err != nil {
		return fail(source.Cause(err), err)
	}
	if !info.Mode().IsRegular() {
		return fail("is not a regular file", source.ErrMalformed)
	}
	size := info.Size()
	if size == 0 {
		return h.begin(0)
	}
	text, err := bufio.NewReader(io.NewSectionReader(h.f, 0, size)).ReadSlice('\n')
	first := string(text)
	switch {
	case err == io.EOF && len(first) < len(recordHeader) && recordHeader[:len(first)] == first:
		return h.begin(0) // cut within the header
	case err != nil && err != io.EOF && err != bufio.ErrBufferFull:
		return fail(source.Cause(err), err)
	case first != recordHeader+"\n" && first != recordHeader && first != recordHeader+"\r\n":
		return fail(fmt.Sprintf("holds another kind of file, which begins %q: it is left as it is",
			source.Shown([]byte(first[:min(len(first), 40)]))), source.ErrMalformed)
	case err == io.EOF:
		return h.begin(0)
	}
	end, err := h.wholeLines(size)
	if err != nil {
		return fail(source.Cause(err), err)
	}
	if end > int64(len(first)) {
		if err := h.samples(ctx, path, io.NewSectionReader(h.f, 0, end), period, now, fail); err != nil {
			return err
		}
	}
	if end < size {
		cut := make([]byte, min(size-end, source.MaxShown))
		if _, err := h.f.ReadAt(cut, end); err != nil {
			return fail(source.Cause(err), err)
		}
		h.Dropped = string(cut)
		if err := h.f.Truncate(end); err != nil {
			return fail(source.Cause(err), err)
		}
	}
	_, err = h.f.Seek(end, io.SeekStart)
	return err
}

// begin writes the header over what is there.
func (h *HostTraceFile) begin(at int64) error {
	_, err := h.f.WriteAt([]byte(recordHeader+"\n"), at)
	if err == nil {
		_, err = h.f.Seek(0, io.SeekEnd)
	}
	return err
}

// longestTail bounds what may follow the last line end, in bytes: a crash leaves a
// part of a row, or blocks of zeros.
const longestTail = 1 << 20

// wholeLines returns where the last line end is.
func (h *HostTraceFile) wholeLines(size int64) (int64, error) {
	buf := make([]byte, 4096)
	for end := size; end > 0; {
		from := max(end-int64(len(buf)), 0)
		n, err := h.f.ReadAt(buf[:end-from], from)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		if end = from; size-end > longestTail {
			return 0, fmt.Errorf("ends in more than %d MiB without the end of a line", longestTail>>20)
		}
	}
	return 0, nil
}

// samples checks the rows.
func (h *HostTraceFile) samples(ctx context.Context, path string, r io.Reader, period, now float64,
	fail func(string, error) error) error {
	var gaps []float64
	_, err := ReadHostTrace(ctx, path, r, HostTraceOptions{}, func(s Sample) error {
		if h.Rows > 0 && len(gaps) < 1<<16 {
			gaps = append(gaps, s.Time-h.Last)
		}
		h.Rows++
		h.Last = s.Time
		return nil
	})
	if err != nil && !errors.Is(err, ErrNoRows) {
		return err
	}
	if h.Rows > 0 && h.Last > now {
		return fail(fmt.Sprintf("its last sample is %.6g s later than the clock of this machine", h.Last-now),
			source.ErrMalformed)
	}
	if len(gaps) == 0 {
		return nil
	}
	if had := otherPeriod(gaps, period); had > 0 {
		return fail(fmt.Sprintf("holds a sample every %.6g s, not every %.6g s", had, period), source.ErrMalformed)
	}
	return nil
}

// otherPeriod returns the period of samples with these gaps where it is not the
// one given, else 0. All samples of a recorder lie on one grid, so that after
// however many restarts a gap is a multiple of its period: with half of the gaps
// off that grid, or all of them on a coarser one, the samples are another's.
func otherPeriod(gaps []float64, period float64) float64 {
	slices.Sort(gaps)
	off := func(step float64) (n int) {
		for _, g := range gaps {
			if m := max(1, math.Round(g/step)); math.Abs(g-m*step) > 0.1*step {
				n++
			}
		}
		return n
	}
	switch least := gaps[0]; {
	case 2*off(period) >= len(gaps):
		return gaps[len(gaps)/2]
	case len(gaps) > 1 && least > 1.1*period && off(least) == 0:
		return least
	}
	return 0
}

// Add writes a row at once: time in unix seconds, to the millisecond, the CPU
// share in use, to 1e-4, and the free memory in bytes, to 1e5.
func (h *HostTraceFile) Add(time, cpu, free float64) error {
	row := strconv.AppendFloat(nil, math.Round(time*1e3)/1e3, 'f', -1, 64)
	row = append(row, ',')
	row = strconv.AppendFloat(row, math.Round(cpu*1e4)/1e4, 'f', -1, 64)
	row = append(row, ',')
	row = strconv.AppendFloat(row, math.Round(free/1e5)/10, 'f', -1, 64)
	if _, err := h.f.Write(append(row, '\n')); err != nil {
		return err
	}
	h.Last = time
	return nil
}

// Close closes the file.
func (h *HostTraceFile) Close() error { return h.f.Close() }
