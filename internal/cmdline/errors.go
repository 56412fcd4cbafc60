package cmdline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/shards"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

// Exit codes, part of the contract with scripts.
const (
	ExitAnswered   = 0
	ExitFailure    = 1
	ExitBadInput   = 2
	ExitInfeasible = 3
)

// A UsageError says that the command line itself is wrong. Its exit code is 2. command is empty if
// whoever reports the error knows it.
type UsageError struct{ command, Reason string }

func (e *UsageError) Error() string { return e.Reason }

// A flagError says which flag holds a value that cannot be used. Its exit code is 2.
type flagError struct {
	command string
	flag    string
	err     error
}

func (e *flagError) Error() string { return "--" + e.flag + ": " + Plainly(e.err) }
func (e *flagError) Unwrap() error { return e.err }

// A commandError is an error of a command's answer. The command gives the message its name and
// turns fields into flags.
type commandError struct {
	command *Command
	err     error
}

func (e *commandError) Error() string {
	// Only an error of the question itself is reported by its flag; one that is wrapped was given a
	// place by whoever wrapped it.
	input, ok := e.err.(*ask.InputError)
	if no, infeasible := e.err.(*ask.InfeasibleError); infeasible {
		flag := FlagOf(no.Constraint)
		if rest, first := strings.CutPrefix(no.Reason, no.Constraint+" "); first && e.command.Flags.Has(flag) {
			return ask.ErrInfeasible.Error() + ": --" + flag + " " + rest
		}
	}
	if !ok {
		return Plainly(e.err)
	}
	return input.Named(func(field string) string {
		if flag := FlagOf(field); e.command.Flags.Has(flag) {
			return "--" + flag
		}
		if strings.HasPrefix(e.command.path, field+" ") { // simulate station says so before
			return ""
		}
		return field
	}).Error()
}
func (e *commandError) Unwrap() error { return e.err }

// remedies are what a command line has against what the library found: it knows no commands and no flags.
var remedies = []struct {
	found error
	flag  string // of the command; empty: any command
	say   string
}{
	{trace.ErrPercent, "percent", "--percent says so"},
	{trace.ErrMemoryTotal, "memory-total", "--memory-total says it"},
	{planner.ErrNothingAsked, "", "capplan init writes an example"},
	{forecast.ErrNoFleet, "", "capplan availability fit --model frailty --out FILE writes one"},
}

// remedy is what to do about an error, empty where nothing beyond its own words is known.
func (e *commandError) remedy() string {
	for _, r := range remedies {
		if errors.Is(e.err, r.found) && (r.flag == "" || e.command.Flags.Has(r.flag)) {
			return "; " + r.say
		}
	}
	return ""
}

// FlagOf is the flag of a field of a question: max_wait is --max-wait.
func FlagOf(field string) string { return strings.ReplaceAll(field, "_", "-") }

// Plainly says an error without the package that found it, which is for
// embedders. A library says "queueing: ErlangB: load = -1", and a command "load = -1".
func Plainly(err error) string {
	if p, ok := err.(interface{ Problem() string }); ok {
		return p.Problem()
	}
	return err.Error()
}

// ErrNotMet makes check exit with 3 after its answer is printed.
var ErrNotMet = errors.New("not met")

// failed prints an error and returns the exit code. It is the one place that turns errors into exit
// codes.
func failed(w io.Writer, err error) int {
	if err == nil {
		return ExitAnswered
	}
	// The answer itself said what is not met, so that nothing is printed here.
	if errors.Is(err, ErrNotMet) {
		return ExitInfeasible
	}
	name, more := "capplan", ""
	var command *commandError
	var usage *UsageError
	var flag *flagError
	switch {
	// An interruption is reported in a word whatever it broke off, and before the types below,
	// which it may be wrapped in.
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(w, "capplan: interrupted")
		return ExitFailure
	case errors.As(err, &command):
		// The message begins with the command that it is of.
		name += " " + command.command.path
		more = command.remedy()
	case errors.As(err, &flag) && flag.command != "":
		name += " " + flag.command
	case errors.As(err, &usage) && usage.command != "":
		name += " " + usage.command
	}
	text := err.Error() + more
	var at *fs.PathError
	if errors.As(err, &at) { // without the name of the system's call
		text = strings.Replace(text, at.Error(), spell.Quote(at.Path)+": "+Errno(at.Err), 1)
	}
	var data *chart.DataError
	if errors.As(err, &data) {
		text = fmt.Sprintf("cannot be drawn: %s: %s; without the drawing there is an answer", data.Where, data.Reason)
	}
	fmt.Fprintln(w, Printable(name+": "+text))
	var input *ask.InputError
	var parse *units.ParseError
	var file *source.FileError
	var format *chart.FormatError
	var domain *source.DomainError
	var shard *shards.Error
	var size *outfile.SizeError
	switch {
	case errors.Is(err, ask.ErrInfeasible):
		return ExitInfeasible
	// A file that cannot be read for the disk's sake is a failure; one that is wrong is the asker's to
	// mend.
	case errors.As(err, &file) && ioFailure(file):
		return ExitFailure
	case errors.As(err, &usage), errors.As(err, &flag), errors.As(err, &input), errors.As(err, &parse),
		errors.As(err, &file), errors.As(err, &format), errors.As(err, &domain), errors.As(err, &shard),
		errors.As(err, &size), data != nil, errors.Is(err, joblog.ErrTooFew):
		return ExitBadInput
	}
	return ExitFailure
}

// ioFailure distinguishes a disk that fails from a file that is not as it should be. A name that
// leads nowhere is wrong input; a disk that does not answer is not the user's fault.
func ioFailure(e *source.FileError) bool {
	var path *fs.PathError
	return errors.As(e.Err, &path) && !errors.Is(e.Err, fs.ErrNotExist) &&
		!errors.Is(e.Err, syscall.ENOTDIR) && !errors.Is(e.Err, syscall.ENAMETOOLONG) &&
		!errors.Is(e.Err, syscall.ELOOP) && !errors.Is(e.Err, syscall.ENXIO) // a socket
}
