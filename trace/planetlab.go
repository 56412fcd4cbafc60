package trace

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

const (
	planetLabSamples = 288 // a day
	planetLabStep    = 300 // s
	planetLabForm    = "a tar archive of files DAY/HOST, such as 20110303/planetlab1_example_org, of 288 whole percent values each, one per line"
)

// A HostDay is the CPU use of one host on one day.
type HostDay struct {
	Host  int     // number from 0, in order of first appearance
	Name  string  // of the host
	Day   string  // as in the archive: 20110303
	Start float64 // unix seconds of the first sample, 0:00 UTC of the day
	Step  float64 // 300 s
	// CPU holds 288 shares in use, 0..1. It is overwritten after the callback.
	CPU []float64
}

// PlanetLabOptions says how to read PlanetLab files.
type PlanetLabOptions struct {
	// Strict makes the first malformed file an error.
	Strict bool
}

// ReadPlanetLab reads a tar archive (decompressed: [source.Open] with Archive set) of
// PlanetLab CPU traces, as CloudSim ships them, and hands the host days to each
// in the order of the archive, in which a host's days need not follow in time.
// A file's name is that of its host, its folder's the day; it holds 288 whole
// numbers, the percent of CPU in use every 5 minutes of the day.
//
// A file with another number of values (Columns), a value that is no whole
// number (Value) or above 100 (Range), more than 64 KiB (TooLong) or a host's
// day for the second time (Overlap) is malformed, and left out. Files that do
// not lie in a folder named like a day are Skipped. In the log, Lines counts
// files, Rows host days.
//
// Errors are those of [ReadFTA], with ErrTruncated for an archive that ends
// early and ErrMalformed for no archive. Time is linear in the bytes, memory in
// the host days, of which it holds 8 bytes each. Source: Park, Pai, CoMon, ACM
// SIGOPS Oper. Syst. Rev. 40 (2006) 65; Beloglazov, Buyya, Concurrency
// Computat.: Pract. Exper. 24 (2012) 1397.
func ReadPlanetLab(ctx context.Context, name string, r io.Reader, o PlanetLabOptions,
	each func(HostDay) error) (*TraceLog, error) {
	ctx = given.Context(ctx)
	log := &TraceLog{File: name}
	p := &planetLabReader{
		want: planetLabForm, log: log, strict: o.Strict,
		hosts: map[string]int{}, days: map[string]float64{}, seen: map[[2]int32]bool{},
		text: make([]byte, source.MaxLine+1),
	}
	tail := &zeroTail{r: given.Reader(r)}
	archive := tar.NewReader(tail)
	for {
		if err := ctx.Err(); err != nil {
			return log, fmt.Errorf("%s: stopped after file %d: %w", name, log.Lines, err)
		}
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return log, p.archiveError(err)
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		log.Lines++
		day, ok, err := p.member(header, archive)
		if err == nil && ok {
			err = given.Each(each)(day)
		}
		if err != nil {
			return log, err
		}
	}
	switch {
	case tail.read == 0:
		return log, source.Whole(name, "holds no content", planetLabForm, source.ErrEmpty)
	case tail.zeros < tarEnd:
		return log, p.archiveError(io.ErrUnexpectedEOF)
	}
	return log, log.end(planetLabForm)
}

// tarEnd is the number of zero bytes that end an archive; without them it was
// cut short, which archive/tar takes for the end.
const tarEnd = 1024

// A zeroTail counts the zero bytes at the end of what was read.
type zeroTail struct {
	r           io.Reader
	read, zeros int64
}

// Read counts anew whenever a byte is not zero.
func (z *zeroTail) Read(p []byte) (int, error) {
	n, err := z.r.Read(p)
	z.read += int64(n)
	end := n
	for end > 0 && p[end-1] == 0 {
		end--
	}
	if end > 0 {
		z.zeros = 0
	}
	z.zeros += int64(n - end)
	return n, err
}

// ReadPlanetLabDay reads one file of such an archive. host and day ("20110303")
// are the names that it and its folder have there; r is its content.
func ReadPlanetLabDay(name, host, day string, r io.Reader) (HostDay, error) {
	p := &planetLabReader{
		want:   planetLabForm,
		log:    &TraceLog{File: name},
		strict: true,
		text:   make([]byte, source.MaxLine+1),
	}
	start, ok := parseDay(day)
	if !ok {
		return HostDay{}, source.Outside("ReadPlanetLabDay", "day", fmt.Sprintf("%q", day),
			`a date such as "20110303"`)
	}
	p.file = name
	ok, err := p.values(r)
	if err == nil && !ok {
		err = &source.FileError{File: name, Problem: "no values", Want: planetLabForm, Err: source.ErrEmpty}
	}
	if err != nil {
		return HostDay{}, err
	}
	return HostDay{Name: host, Day: day, Start: start, Step: planetLabStep, CPU: p.cpu[:]}, nil
}

// A planetLabReader reads host days, of an archive or of single files.
type planetLabReader struct {
	want   string
	log    *TraceLog
	strict bool
	file   string // archive and member, for messages
	hosts  map[string]int
	days   map[string]float64 // start of a day by its folder
	seen   map[[2]int32]bool  // host and day number
	text   []byte
	cpu    [planetLabSamples]float64
}

// parseDay reads a day such as 20110303 as the unix seconds of its beginning.
func parseDay(s string) (float64, bool) {
	t, err := time.Parse("20060102", s)
	return float64(t.Unix()), err == nil
}

// member reads a file of the archive; ok is false if there is no host day.
func (p *planetLabReader) member(header *tar.Header, r io.Reader) (d HostDay, ok bool, err error) {
	folder, host := path.Split(path.Clean(header.Name))
	return p.hostDay(p.log.File+": "+header.Name, path.Base(folder), host, r)
}

// hostDay reads the day of a host from a file; ok is false if there is none.
func (p *planetLabReader) hostDay(file, day, host string, r io.Reader) (d HostDay, ok bool, err error) {
	start, known := p.days[day]
	if !known {
		if start, known = parseDay(day); !known {
			p.log.Skipped++
			return d, false, nil
		}
		p.days[strings.Clone(day)] = start
	}
	p.file = file
	if ok, err := p.values(r); !ok {
		return d, false, err
	}
	number, known := p.hosts[host]
	if !known {
		number = len(p.hosts)
		p.hosts[strings.Clone(host)] = number
		p.log.Nodes++
	}
	key := [2]int32{int32(number), int32(start / 86400)}
	if p.seen[key] {
		return d, false, p.bad(&p.log.Malformed.Overlap, 0, "", "day "+day+" of this host came before")
	}
	p.seen[key] = true
	p.log.span(start, start+planetLabStep*(planetLabSamples-1))
	p.log.Rows++
	return HostDay{number, host, day, start, planetLabStep, p.cpu[:]}, true, nil
}

// values reads 288 numbers into p.cpu; ok is false if they are malformed.
func (p *planetLabReader) values(r io.Reader) (ok bool, err error) {
	n, err := io.ReadFull(r, p.text)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, p.archiveError(err)
	}
	text := p.text[:n]
	m := &p.log.Malformed
	if n > source.MaxLine {
		return false, p.bad(&m.TooLong, 0, "", fmt.Sprintf("more than %d bytes", source.MaxLine))
	}
	if what := source.Sniff(text[:min(n, source.SniffLen)]); what != "" {
		return false, p.bad(&m.Value, 0, "", "holds "+what)
	}
	count, line := 0, 1
	for i := 0; i < n; {
		c := text[i]
		if source.IsBlank(c) || c == '\n' {
			if c == '\n' {
				line++
			}
			i++
			continue
		}
		v, from := 0, i
		// Nine digits are more than any percentage, and fit an int.
		for i < n && '0' <= text[i] && text[i] <= '9' && i-from < 9 {
			v = 10*v + int(text[i]-'0')
			i++
		}
		if i == from || i < n && !source.IsBlank(text[i]) && text[i] != '\n' {
			for i < n && text[i] != '\n' {
				i++
			}
			return false, p.bad(&m.Value, line, source.Shown(text[from:i]), "no whole number")
		}
		if v > 100 {
			return false, p.bad(&m.Range, line, source.Shown(text[from:i]),
				fmt.Sprintf("%d is outside 0..100 percent", v))
		}
		if count < planetLabSamples {
			p.cpu[count] = float64(v) / 100
		}
		count++
	}
	if count != planetLabSamples {
		return false, p.bad(&m.Columns, 0, "", fmt.Sprintf("%d values, not %d", count, planetLabSamples))
	}
	return true, nil
}

// bad counts a file that is left out.
func (p *planetLabReader) bad(count *int, line int, text, problem string) error {
	return p.log.bad(count, &source.FileError{
		File:    p.file,
		Line:    line,
		Column:  0,
		Text:    text,
		Problem: problem,
		Want:    planetLabForm,
		Err:     source.ErrMalformed,
	}, p.strict)
}

// archiveError names the archive; the problem of a Source's error is kept.
func (p *planetLabReader) archiveError(err error) error {
	e := &source.FileError{File: p.log.File, Want: p.want}
	f := (*source.FileError)(nil)
	switch {
	case errors.As(err, &f):
		e.Problem, e.Err = f.Problem, f.Err
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Problem, e.Err = "the archive ends early", source.ErrTruncated
	case errors.Is(err, tar.ErrFieldTooLong):
		e.Problem, e.Err = "a header of the archive is too long", source.ErrMalformed
	case errors.Is(err, tar.ErrHeader):
		e.Problem, e.Err = "no tar archive, or a damaged one", source.ErrMalformed
	default:
		e.Problem, e.Err = source.Cause(err), err
	}
	return e
}
