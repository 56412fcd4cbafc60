package trace

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/jsonwords"
	"github.com/capplan/capplan/internal/source"
)

// SpotOptions says how to read a trace of spot instances.
type SpotOptions struct {
	// Threshold is the count from which on the machine is up. 0 means 1.
	Threshold int
	// Gap is the time between samples in seconds. 0 means that of the file's
	// metadata.gap_seconds; a file with another one is an error.
	Gap float64
	// Start is the time of the first sample in seconds; the file has none.
	Start float64
	// Strict makes the first malformed element an error.
	Strict bool

	step *float64 // if set, is told the time between samples before the first
}

const (
	spotForm = `JSON such as {"metadata": {"gap_seconds": 300}, "data": [0, 1, 1]}, metadata first and whole counts >= 0`

	// maxToken bounds the bytes read ahead of a JSON value, and so its size.
	maxToken = 1 << 20
	// maxDepth bounds the nesting of JSON.
	maxDepth = 64
)

// ReadSpot reads a JSON trace {"metadata": {"gap_seconds": g}, "data": [...]},
// whose element i is the number of instances to be had (0 or 1, or a count)
// from Start + i·g to Start + (i+1)·g seconds, and hands the runs of up
// (count >= Threshold) and down to each. It has one node, named name.
//
// A null is a sample that is missing (Skipped): a gap in the watch. Any other
// element that is no whole number >= 0 is malformed, and a gap too. Other
// members are passed over. Lines and Interval.Line are elements, from 1.
//
// The error is a *FileError (ErrMalformed for anything that is not this JSON,
// cut short included), one of each, or that of ctx. Time is linear in the
// bytes, memory constant.
func ReadSpot(ctx context.Context, name string, r io.Reader, o SpotOptions,
	each func(Interval) error) (*TraceLog, error) {
	ctx = given.Context(ctx)
	log := &TraceLog{File: name}
	switch {
	case o.Threshold < 0:
		return log, source.Outside("ReadSpot", "Threshold", o.Threshold, "a count >= 1, or 0 for 1")
	case !(o.Gap >= 0 && o.Gap <= source.MaxSeconds):
		return log, source.Outside("ReadSpot", "Gap", o.Gap, "seconds > 0, or 0 for the file's")
	case !(o.Start >= -source.MaxSeconds && o.Start <= source.MaxSeconds):
		return log, source.Outside("ReadSpot", "Start", o.Start, "finite seconds")
	}
	o.Threshold = max(o.Threshold, 1)
	b := bufio.NewReader(given.Reader(r))
	lines := &source.LineReader{Ctx: ctx, R: b, Name: name, Want: spotForm}
	head, err := b.Peek(source.SniffLen)
	switch {
	case len(head) == 0 && err == io.EOF:
		return log, lines.Fail("holds no content", source.ErrEmpty)
	case len(head) == 0:
		return log, lines.ReadError(err)
	case source.Sniff(head) != "":
		return log, lines.Fail("holds "+source.Sniff(head), source.ErrBinary)
	}
	s := &spotReader{LineReader: lines, log: log, o: o, in: &tokenLimit{r: b}}
	s.json = json.NewDecoder(s.in)
	s.json.UseNumber()
	s.intervals = intervalStream{log: log, each: given.Each(each)}
	return s.intervals.finish(s.run(), s.Want)
}

// A spotReader is what ReadSpot keeps. The JSON is read token by token, since
// data may be long.
type spotReader struct {
	*source.LineReader
	log       *TraceLog
	o         SpotOptions
	in        *tokenLimit
	json      *json.Decoder
	tokens    int
	intervals intervalStream
	data      bool // has come
}

// A tokenLimit is an error once the decoder has read too far for one value.
type tokenLimit struct {
	r          io.Reader
	read, stop int64
}

var errLongToken = fmt.Errorf("a JSON value of more than %d bytes", maxToken)

// Read hands out no more than up to stop.
func (t *tokenLimit) Read(p []byte) (int, error) {
	if t.read >= t.stop {
		return 0, errLongToken
	}
	n, err := t.r.Read(p[:min(int64(len(p)), t.stop-t.read)])
	t.read += int64(n)
	return n, err
}

// token reads the next token, with the context looked at now and then.
func (s *spotReader) token() (json.Token, error) {
	if s.tokens%256 == 0 {
		if err := s.Ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s: stopped after element %d: %w", s.Name, s.log.Lines, err)
		}
	}
	s.tokens++
	at := s.json.InputOffset()
	s.in.stop = at + maxToken
	tok, err := s.json.Token()
	if err == nil {
		return tok, nil
	}
	if f := (*source.FileError)(nil); errors.As(err, &f) {
		return nil, s.ReadError(err)
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) || err == errLongToken {
		return nil, s.broken(jsonwords.Of(err))
	}
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, s.broken("the JSON ends early")
	}
	return nil, s.ReadError(err)
}

// broken is the error of a file that is not the wanted JSON.
func (s *spotReader) broken(problem string) error {
	return s.Fail(fmt.Sprintf("%s (byte %d)", problem, s.json.InputOffset()), source.ErrMalformed)
}

// expect reads a token that has to be there.
func (s *spotReader) expect(want json.Delim) error {
	tok, err := s.token()
	if err != nil {
		return err
	}
	if tok != want {
		return s.broken(fmt.Sprintf("%s in place of %v", jsonToken(tok), want))
	}
	return nil
}

// members calls member for each key of an object whose { was read.
func (s *spotReader) members(member func(key string) error) error {
	for s.more() {
		key, err := s.token()
		if err != nil {
			return err
		}
		if err := member(fmt.Sprint(key)); err != nil {
			return err
		}
	}
	return s.expect('}')
}

// more reports whether an element follows, within the limit of a token.
func (s *spotReader) more() bool {
	s.in.stop = s.json.InputOffset() + maxToken
	return s.json.More()
}

// run reads the object, after which nothing may follow.
func (s *spotReader) run() error {
	if err := s.expect('{'); err != nil {
		return err
	}
	err := s.members(func(key string) error {
		switch key {
		case "metadata":
			if err := s.expect('{'); err != nil {
				return err
			}
			return s.members(s.metadata)
		case "data":
			return s.samples()
		}
		return s.pass()
	})
	if err != nil {
		return err
	}
	s.in.stop = s.json.InputOffset() + maxToken
	if tok, err := s.json.Token(); err != io.EOF {
		if err != nil {
			return s.broken(jsonwords.Of(err))
		}
		return s.broken(jsonToken(tok) + " after the JSON object")
	}
	if !s.data {
		return s.broken(`no member "data"`)
	}
	return nil
}

// jsonToken shows a token as it stands in the file, shortened.
func jsonToken(tok json.Token) string {
	switch tok := tok.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("%q", source.Shown([]byte(tok)))
	}
	return source.Shown([]byte(fmt.Sprint(tok)))
}

// metadata reads the gap between samples, the only member that matters.
func (s *spotReader) metadata(key string) error {
	if key != "gap_seconds" {
		return s.pass()
	}
	tok, err := s.token()
	if err != nil {
		return err
	}
	number, _ := tok.(json.Number)
	gap, ok := source.ParseNumber([]byte(number))
	switch {
	case !ok || !(gap > 0 && gap <= source.MaxSeconds):
		return s.broken("metadata.gap_seconds = " + jsonToken(tok))
	case s.o.Gap != 0 && s.o.Gap != gap:
		return s.broken(fmt.Sprintf("metadata.gap_seconds = %v where %v is already set", gap, s.o.Gap))
	}
	s.o.Gap = gap
	return nil
}

// samples reads data, whose gap has to be known by then.
func (s *spotReader) samples() error {
	switch {
	case s.data:
		return s.broken(`member "data" twice`)
	case s.o.Gap == 0:
		return s.broken("data before metadata.gap_seconds")
	}
	s.data = true
	if s.o.step != nil {
		*s.o.step = s.o.Gap
	}
	if err := s.expect('['); err != nil {
		return err
	}
	node := s.intervals.node(s.Name)
	for s.more() {
		tok, err := s.token()
		if err != nil {
			return err
		}
		i := s.log.Lines
		s.log.Lines++
		number, isNumber := tok.(json.Number)
		count, ok := source.ParseNumber([]byte(number))
		switch {
		case tok == nil:
			s.log.Skipped++
			continue
		case isNumber && ok && count >= 0 && count <= source.MaxField && count == float64(int64(count)):
		default:
			m, reason := &s.log.Malformed, fmt.Sprintf("data[%d] = %v", i, tok)
			bad := &m.Value
			if isNumber {
				bad = &m.Range
			}
			if err := s.log.bad(bad, s.Fail(reason, source.ErrMalformed), s.o.Strict); err != nil {
				return err
			}
			if _, nested := tok.(json.Delim); nested {
				if err := s.passRest(); err != nil {
					return err
				}
			}
			continue
		}
		start, end := s.o.Start+float64(i)*s.o.Gap, s.o.Start+float64(i+1)*s.o.Gap
		if err := s.intervals.add(node, start, end, count >= float64(s.o.Threshold), i+1); err != nil {
			return err
		}
	}
	s.log.Joined = 0 // samples, not intervals of the file
	return s.expect(']')
}

// pass reads over a value.
func (s *spotReader) pass() error {
	tok, err := s.token()
	if err != nil {
		return err
	}
	if _, nested := tok.(json.Delim); nested {
		return s.passRest()
	}
	return nil
}

// passRest reads to the end of an object or array that has begun.
func (s *spotReader) passRest() error {
	for depth := 1; depth > 0; {
		tok, err := s.token()
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth > maxDepth {
			return s.broken(fmt.Sprintf("nested more than %d deep", maxDepth))
		}
	}
	return nil
}
