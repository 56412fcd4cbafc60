package lp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/capplan/capplan/internal/given"
)

// Parse reads a model from the text of a file in any of the formats of
// [ReadMPS] and [ReadLP], told apart by its content: MPS begins with a section
// such as NAME or ROWS in the first column. Fields of an MPS file are taken as
// divided by blanks, or by columns where that makes no sense and this does. Bounds of
// 1e20 and more mean none, as in CPLEX and HiGHS.
// A file holds at most 1,000,000 rows and variables together and 5,000,000
// coefficients. Errors are of type *SyntaxError, or that of the context.
func Parse(ctx context.Context, text []byte) (*Model, error) {
	ctx = given.Context(ctx)
	m, err := parse(func() io.Reader { return &endingReader{ctx, bytes.NewReader(text)} }, looksMPS(text))
	if err := ctx.Err(); err != nil {
		// What was read until then may make no sense, or another model.
		return nil, err
	}
	return m, err
}

// farBound is the size from which a bound in a file means none, as in CPLEX and
// HiGHS: files from programs without an infinity say 1e30 for it.
const farBound = 1e20

// openFar takes away the bounds of m that are far; where both ends are one number it
// is meant.
func openFar(m *Model) {
	open := func(lower, upper *float64) {
		if *lower == *upper {
			return
		}
		if *lower <= -farBound {
			*lower = math.Inf(-1)
		}
		if *upper >= farBound {
			*upper = math.Inf(1)
		}
	}
	for j := range m.Variables {
		open(&m.Variables[j].Lower, &m.Variables[j].Upper)
	}
	for i := range m.Rows {
		open(&m.Rows[i].Lower, &m.Rows[i].Upper)
	}
}

// parse tries free MPS first, and fixed where that fails: names with blanks are
// read in the latter alone.
func parse(reader func() io.Reader, mps bool) (*Model, error) {
	if !mps {
		return ReadLP(reader())
	}
	m, err := ReadMPS(reader(), FreeMPS)
	if errors.As(err, new(*SyntaxError)) {
		if fixed, fixedErr := ReadMPS(reader(), FixedMPS); fixedErr == nil {
			return fixed, nil
		}
	}
	return m, err
}

// looksMPS reports whether the first line that is no comment begins a section.
func looksMPS(text []byte) bool {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if len(bytes.TrimSpace(line)) == 0 || line[0] == '*' {
			continue
		}
		words := bytes.Fields(line[:min(len(line), 1000)])
		if len(words) == 0 { // a section begins its line
			return false
		}
		switch strings.ToUpper(string(words[0])) {
		case "NAME", "ROWS", "OBJSENSE", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA":
			return line[0] != ' ' && line[0] != '\t'
		}
		return false
	}
	return false
}

// endingReader ends with its context.
type endingReader struct {
	ctx context.Context
	r   io.Reader
}

// Read looks at the context every 64 KiB.
func (e *endingReader) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.r.Read(p[:min(len(p), 1<<16)])
}
