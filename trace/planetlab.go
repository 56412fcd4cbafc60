package trace

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/source"
)

const (
	planetLabSamples = 288 // a day
	planetLabStep    = 300 // s
	planetLabForm    = "a tar archive of files DAY/HOST, such as 20110303/planetlab1_example_org, " +
		"of 288 whole percent values each, one per line"
)

// A planetLabSet gathers CPU traces of PlanetLab, as CloudSim ships them, which come
// in any order, and hands the days of each host on in order of time. A file's name is
// that of its host, its folder's the day; it holds 288 whole numbers, the percent of
// CPU in use every 5 minutes of the day.
//
// A file with another number of values (Columns), a value that is no whole number
// (Value) or above 100 (Range), more than 64 KiB (TooLong) or a host's day for the
// second time (Overlap) is malformed, and left out. In the log, Lines counts files,
// Rows host days. Sources: Park, Pai, CoMon, ACM SIGOPS Oper. Syst. Rev. 40 (2006) 65;
// Beloglazov, Buyya, Concurrency Computat.: Pract. Exper. 24 (2012) 1397.
type planetLabSet struct {
	first   string   // the first file, or its archive
	log     TraceLog // of the files so far; File is the one that is read
	strict  bool
	numbers map[string]int    // of hosts
	hosts   []string          // by number
	days    [][]*planetLabDay // by number
	seen    map[hostDay]bool
	text    []byte // of the file that is read
}

// A hostDay is a day of a host, by its number and the day's beginning.
type hostDay struct {
	host  int
	start float64
}

// A planetLabDay takes a byte a sample: a fleet has thousands of days.
type planetLabDay struct {
	start   float64 // unix seconds of the first sample, 0:00 UTC of the day
	percent [planetLabSamples]uint8
}

// parseDay reads a day such as 20110303 as the unix seconds of its beginning.
func parseDay(s string) (float64, bool) {
	t, err := time.Parse("20060102", s)
	return float64(t.Unix()), err == nil
}

// file reads one host day.
func (s *planetLabSet) file(m *machineReader, name string, f MachineFile, r io.Reader) error {
	if s.numbers == nil {
		s.first, s.strict = name, m.o.Strict
		s.numbers, s.seen = map[string]int{}, map[hostDay]bool{}
		s.text = make([]byte, source.MaxLine+1)
	}
	folder := dayOf(f.Path)
	if folder == "" {
		m.log.Undated++
		if m.o.Begin == nil {
			return noDate(name)
		}
		folder = dayName(*m.o.Begin)
	}
	s.log.File, s.log.Lines = name, s.log.Lines+1
	day := &planetLabDay{}
	day.start, _ = parseDay(folder)
	if ok, err := s.values(r, day); !ok {
		return err
	}
	host := path.Base(filepath.ToSlash(f.Name))
	number, known := s.numbers[host]
	if !known {
		number = len(s.hosts)
		s.numbers[host], s.hosts, s.days = number, append(s.hosts, host), append(s.days, nil)
	}
	if s.seen[hostDay{number, day.start}] {
		return s.bad(&s.log.Malformed.Overlap, 0, "", "day "+folder+" of this host came before")
	}
	s.seen[hostDay{number, day.start}] = true
	s.log.Rows++
	s.days[number] = append(s.days[number], day)
	return nil
}

// values reads the 288 numbers of a day; ok is false if they are malformed.
func (s *planetLabSet) values(r io.Reader, day *planetLabDay) (ok bool, err error) {
	n, err := io.ReadFull(r, s.text)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, archiveError(s.log.File, planetLabForm, err)
	}
	text := s.text[:n]
	m := &s.log.Malformed
	if n > source.MaxLine {
		return false, s.bad(&m.TooLong, 0, "", fmt.Sprintf("more than %d bytes", source.MaxLine))
	}
	if what := source.Sniff(text[:min(n, source.SniffLen)]); what != "" {
		return false, s.bad(&m.Value, 0, "", "holds "+what)
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
			return false, s.bad(&m.Value, line, source.Shown(text[from:i]), "no whole number")
		}
		if v > 100 {
			return false, s.bad(&m.Range, line, source.Shown(text[from:i]),
				fmt.Sprintf("%d is outside 0..100 percent", v))
		}
		if count < planetLabSamples {
			day.percent[count] = uint8(v)
		}
		count++
	}
	if count != planetLabSamples {
		return false, s.bad(&m.Columns, 0, "", fmt.Sprintf("%s, not %d", fault.Count(count, "value"), planetLabSamples))
	}
	return true, nil
}

// bad counts a file that is left out.
func (s *planetLabSet) bad(count *int, line int, text, problem string) error {
	return s.log.bad(count, &source.FileError{
		File:    s.log.File,
		Line:    line,
		Text:    text,
		Problem: problem,
		Want:    planetLabForm,
		Err:     source.ErrMalformed,
	}, s.strict)
}

// flush hands the host days on.
func (s *planetLabSet) flush(m *machineReader) error {
	if s.numbers == nil {
		return nil
	}
	s.log.File = s.first
	m.log.add(&s.log)
	if err := s.log.end(planetLabForm); err != nil {
		return err
	}
	for h, days := range s.days {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		sink, err := m.sink(s.hosts[h])
		if err != nil {
			return err
		}
		if sink == nil {
			continue
		}
		slices.SortFunc(days, func(a, b *planetLabDay) int { return cmp.Compare(a.start, b.start) })
		for i, d := range days {
			// Of days without a file nothing is known; before the first, it may go on
			// with an earlier record that it touches.
			if i == 0 || d.start > days[i-1].start+86400 {
				sink.Break()
			}
			for k, v := range d.percent {
				if err := sink.Sample(Sample{
					Host: h,
					Name: s.hosts[h],
					Time: d.start + float64(k)*planetLabStep,
					CPU:  float64(v) / 100,
				}); err != nil {
					return err
				}
			}
		}
		s.days[h] = nil
	}
	return nil
}
