package lp

import (
	"bytes"
	"errors"
	"strings"
)

// Parse reads a model from the text of a file in any of the formats of
// [ReadMPS] and [ReadLP], told apart by its content: MPS begins with a section
// such as NAME or ROWS in the first column. Fields of an MPS file are taken as
// divided by blanks, or by columns where that makes no sense and this does.
// Errors are of type *SyntaxError.
func Parse(text []byte) (*Model, error) {
	if !looksMPS(text) {
		return ReadLP(bytes.NewReader(text))
	}
	m, err := ReadMPS(bytes.NewReader(text), FreeMPS)
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		if fixed, fixedErr := ReadMPS(bytes.NewReader(text), FixedMPS); fixedErr == nil {
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
		word := strings.ToUpper(string(bytes.Fields(line[:min(len(line), 1000)])[0]))
		switch word {
		case "NAME", "ROWS", "OBJSENSE", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA":
			return line[0] != ' ' && line[0] != '\t'
		}
		return false
	}
	return false
}
