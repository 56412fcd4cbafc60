package trace

import (
	"bufio"
	"io"
	"math"
	"path"
	"path/filepath"
	"slices"

	"github.com/capplan/capplan/internal/source"
)

// A planetLabSet gathers host days, which come in any order, and hands the
// days of each host on in order of time.
type planetLabSet struct {
	reader *planetLabReader
	hosts  []string
	days   [][]planetLabDay // by host
	buffer *bufio.Reader
	name   string // of the archive or the first file
}

// A planetLabDay takes a byte a sample: a fleet has thousands of days.
type planetLabDay struct {
	start   float64
	percent [planetLabSamples]uint8
}

// buffered reuses one buffer for the many small files of an archive.
func (s *planetLabSet) buffered(r io.Reader) *bufio.Reader {
	if s.buffer == nil {
		s.buffer = bufio.NewReaderSize(r, 8<<10)
	}
	s.buffer.Reset(r)
	return s.buffer
}

// file reads one host day.
func (s *planetLabSet) file(m *machineReader, name string, f MachineFile, r io.Reader) error {
	if s.reader == nil {
		s.name = name
		s.reader = &planetLabReader{
			want: planetLabForm, log: &TraceLog{}, strict: m.o.Strict,
			hosts: map[string]int{},
			days:  map[string]float64{},
			seen:  map[[2]int32]bool{},
			text:  make([]byte, source.MaxLine+1),
		}
	}
	p := s.reader
	day := dayOf(f.Path)
	if day == "" {
		m.log.Undated++
		if m.o.Begin == nil {
			return noDate(name)
		}
		day = dayName(*m.o.Begin)
	}
	p.log.File, p.log.Lines = name, p.log.Lines+1
	host := path.Base(filepath.ToSlash(f.Name))
	d, ok, err := p.hostDay(name, day, host, r)
	if err != nil || !ok {
		return err
	}
	for len(s.hosts) <= d.Host {
		s.hosts, s.days = append(s.hosts, ""), append(s.days, nil)
	}
	s.hosts[d.Host] = d.Name
	kept := planetLabDay{start: d.Start}
	for i, v := range d.CPU {
		kept.percent[i] = uint8(math.Round(v * 100))
	}
	s.days[d.Host] = append(s.days[d.Host], kept)
	return nil
}

// flush hands the host days on.
func (s *planetLabSet) flush(m *machineReader) error {
	if s.reader == nil {
		return nil
	}
	s.reader.log.File = s.name
	m.log.add(s.reader.log)
	if err := s.reader.log.end(planetLabForm); err != nil {
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
		slices.SortFunc(days, func(a, b planetLabDay) int { return int(math.Copysign(1, a.start-b.start)) })
		for i := range days {
			d := &days[i]
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
