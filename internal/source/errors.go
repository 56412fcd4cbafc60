package source

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a file; test with errors.Is. A missing file matches
// fs.ErrNotExist. A message has its own words; the sentinel says of which kind it is.
var (
	ErrIsDirectory = errors.New("is a directory")
	ErrEmpty       = errors.New("empty")
	ErrTruncated   = errors.New("compressed data end early")
	ErrMemory      = errors.New("needs too much memory")
	ErrCorrupt     = errors.New("compressed data are damaged")
	ErrBinary      = errors.New("binary content")
	ErrMalformed   = errors.New("malformed line")
)

// A FileError says what is wrong with a file, where, and what was expected.
type FileError struct {
	File    string // name as given by the caller
	Line    int    // from 1; 0: the error is of the whole file
	Column  int    // byte of the line, from 1; 0: the error is of the whole line
	Text    string // the line, shortened; empty where there is none
	Problem string // what was found
	Want    string // expected form
	Err     error  // one of the sentinels above, or the cause
}

// Whole returns the error of a whole file, none of whose lines is at fault.
func Whole(file, problem, want string, err error) *FileError {
	return &FileError{File: file, Problem: problem, Want: want, Err: err}
}

func (e *FileError) Error() string {
	if e == nil {
		return "no error"
	}
	var b strings.Builder
	b.WriteString(shortened(e.File))
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
		if e.Column > 0 {
			fmt.Fprintf(&b, ":%d", e.Column)
		}
	}
	fmt.Fprintf(&b, ": %s", e.Problem)
	if e.Want != "" {
		fmt.Fprintf(&b, ", want %s", e.Want)
	}
	if e.Text != "" {
		fmt.Fprintf(&b, "; the line is %q", e.Text)
	}
	return b.String()
}

// shortened leaves out the middle of a very long name, such as an archive may have for a file in it.
func shortened(name string) string {
	const ends = 200 // bytes
	if len(name) <= 3*ends {
		return name
	}
	return strings.ToValidUTF8(name[:ends], "") + "..." + strings.ToValidUTF8(name[len(name)-ends:], "")
}

// Wanting returns e with another expected form.
func (e *FileError) Wanting(want string) *FileError {
	e.Want = want
	return e
}

// Unwrap is the error behind the name and the place. errors.Is finds the sentinels through it.
func (e *FileError) Unwrap() error { return e.Err }

// A DomainError says which argument lies outside a function's domain.
type DomainError struct {
	Func  string
	Arg   string
	Value any
	Want  string
}

// Outside returns the error of an argument of a function that is outside its domain.
func Outside(function, arg string, value any, want string) *DomainError {
	return &DomainError{function, arg, value, want}
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("%s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}

// MaxShown is the number of bytes of a line that a message shows. A line of a log or a table mostly
// fits; one of megabytes must not fill a screen.
const MaxShown = 120

// Shown is the beginning of a line, for a message.
func Shown(line []byte) string {
	if len(line) > MaxShown {
		return string(line[:MaxShown]) + "..."
	}
	return string(line)
}
