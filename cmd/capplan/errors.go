package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// Exit codes, part of the contract with scripts.
const (
	exitAnswered   = 0
	exitFailure    = 1
	exitBadInput   = 2
	exitInfeasible = 3
)

// A usageError says that the command line itself is wrong.
type usageError struct{ command, reason string }

func (e *usageError) Error() string { return e.reason }

// A flagError says which flag holds a value that cannot be used.
type flagError struct {
	command string
	flag    string
	err     error
}

func (e *flagError) Error() string { return "--" + e.flag + ": " + plainly(e.err) }
func (e *flagError) Unwrap() error { return e.err }

// A commandError is an error of a command's answer.
type commandError struct {
	command *command
	err     error
}

func (e *commandError) Error() string {
	input, ok := e.err.(*ask.InputError)
	switch {
	case !ok:
		return plainly(e.err)
	case input.Field == "":
		return e.err.Error()
	}
	flag := flagOf(input.Field)
	if !e.command.flags.has(flag) {
		return e.err.Error()
	}
	out := *input
	if out.Field = "--" + flag; input.With != "" {
		out.With = "--" + flagOf(input.With)
	}
	return out.Error()
}
func (e *commandError) Unwrap() error { return e.err }

// flagOf is the flag of a field of a question: max_wait is --max-wait.
func flagOf(field string) string { return strings.ReplaceAll(field, "_", "-") }

// plainly says an error without the package that found it, which is for
// embedders.
func plainly(err error) string {
	if p, ok := err.(interface{ Problem() string }); ok {
		return p.Problem()
	}
	return err.Error()
}

// errNotMet makes check exit with 3 after its answer is printed.
var errNotMet = errors.New("not met")

// failed prints an error and returns the exit code.
func failed(w io.Writer, err error) int {
	if err == nil {
		return exitAnswered
	}
	if errors.Is(err, errNotMet) {
		return exitInfeasible
	}
	name := "capplan"
	var command *commandError
	var usage *usageError
	var flag *flagError
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "capplan: interrupted")
		return exitFailure
	case errors.As(err, &command):
		name += " " + command.command.path
	case errors.As(err, &flag) && flag.command != "":
		name += " " + flag.command
	case errors.As(err, &usage) && usage.command != "":
		name += " " + usage.command
	}
	fmt.Fprintln(w, printable(name+": "+err.Error()))
	var input *ask.InputError
	var parse *units.ParseError
	var file *source.FileError
	var format *chart.FormatError
	var domain *source.DomainError
	switch {
	case errors.Is(err, ask.ErrInfeasible):
		return exitInfeasible
	case errors.As(err, &file) && ioFailure(file):
		return exitFailure
	case errors.As(err, &usage), errors.As(err, &flag), errors.As(err, &input), errors.As(err, &parse),
		errors.As(err, &file), errors.As(err, &format), errors.As(err, &domain), errors.Is(err, joblog.ErrTooFew):
		return exitBadInput
	}
	return exitFailure
}

// ioFailure tells a disk that fails from a file that is not as it should be.
func ioFailure(e *source.FileError) bool {
	var path *fs.PathError
	return errors.As(e.Err, &path) && !errors.Is(e.Err, fs.ErrNotExist) &&
		!errors.Is(e.Err, syscall.ENOTDIR) && !errors.Is(e.Err, syscall.ENAMETOOLONG) && !errors.Is(e.Err, syscall.ELOOP)
}

// suggest returns `, did you mean "x"?` for the candidate closest to s, or "".
func suggest(s string, candidates []string) string {
	if best := spell.Nearest(s, candidates); best != "" {
		return ", did you mean " + best + "?"
	}
	return ""
}

// quote shows a piece of the command line in a message, shortened.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "..."
	}
	return fmt.Sprintf("%q", s)
}
