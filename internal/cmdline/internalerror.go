package cmdline

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/capplan/capplan/internal/parallel"
)

// debugVariable, set to anything, shows where an internal error began. It changes no answer, and so
// may stand in the environment.
const debugVariable = "CAPPLAN_DEBUG"

// guarded runs the program and turns a panic, which is always a mistake in
// capplan itself, into a message and exit code 1. Go would print a trace and
// exit with 2, which scripts take for bad input. Panics of other goroutines
// arrive here because package parallel brings them back. program is all that the process does.
func guarded(stderr io.Writer, program func() int) (code int) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		caught, ok := v.(*parallel.Panic)
		if !ok {
			caught = &parallel.Panic{Value: v, Stack: debug.Stack()}
		}
		reportPanic(stderr, caught)
		code = ExitFailure
	}()
	return program()
}

// reportPanic says what happened, whose fault it is and what to send; the stack only where it is asked
// for.
func reportPanic(w io.Writer, p *parallel.Panic) {
	said := fmt.Sprint(p.Value)
	// An error of the runtime names its kind in its text, another value may not.
	var known runtime.Error
	if !errors.As(p, &known) {
		said = "panic: " + said
	}
	fmt.Fprintf(w, "capplan: internal error: %s\n", boundedText(said))
	fmt.Fprintf(w, "This is a mistake in capplan, not in the question. Please report it at\n"+
		"https://github.com/capplan/capplan/issues with the command line, its input files\n"+
		"and this line: %s\n", versionLine())
	if os.Getenv(debugVariable) == "" {
		fmt.Fprintf(w, "%s=1 in the environment shows where it happened.\n", debugVariable)
		return
	}
	fmt.Fprintf(w, "\n%s", p.Stack)
}

// boundedText bounds the text of a panic, which may quote a whole input.
func boundedText(s string) string {
	const most = 500
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
