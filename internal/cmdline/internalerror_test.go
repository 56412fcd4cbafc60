package cmdline

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/parallel"
)

// breaking is a command whose answer panics in the given way.
func breaking(how func(ctx context.Context)) *Program {
	return &Program{Commands: []func() *Command{func() *Command {
		return &Command{
			Name: "break", Usage: "breaks", Flags: NewFlags(false),
			Ask: func(ctx context.Context, _ *Streams, _ []string) (*Result, error) {
				how(ctx)
				return nil, nil
			},
		}
	}}}
}

func TestPanicIsAnInternalError(t *testing.T) {
	index := func(i int) error {
		var none []int
		none[i] = 1
		return nil
	}
	for name, how := range map[string]func(context.Context){
		"in the command":       func(context.Context) { _ = index(3) },
		"on a pool of cores":   func(ctx context.Context) { _ = parallel.Each(ctx, 4, 100, index) },
		"in a task of its own": func(context.Context) { parallel.Start(func() error { return index(3) }).Value() },
	} {
		for _, debug := range []string{"", "1"} {
			t.Run(name+" "+debug, func(t *testing.T) {
				t.Setenv(debugVariable, debug)
				var stdout, stderr bytes.Buffer
				code := breaking(how).Run(context.Background(), []string{"capplan", "break"}, strings.NewReader(""), &stdout, &stderr)
				if code != ExitFailure {
					t.Errorf("exit code %d, want %d", code, ExitFailure)
				}
				for _, want := range []string{"capplan: internal error: runtime error: index out of range", "report it at", versionLine()} {
					if !strings.Contains(stderr.String(), want) {
						t.Errorf("stderr lacks %q:\n%s", want, stderr.String())
					}
				}
				if got, want := strings.Contains(stderr.String(), "goroutine "), debug != ""; got != want {
					t.Errorf("shows a Go trace: %v, want %v:\n%s", got, want, stderr.String())
				}
				if stdout.Len() > 0 {
					t.Errorf("stdout holds %q", stdout.String())
				}
			})
		}
	}
}

// A value that is no error of the runtime is said to be a panic.
func TestPanicWithAnyValue(t *testing.T) {
	var stderr bytes.Buffer
	code := guarded(&stderr, func() int { panic(strings.Repeat("x", 1e6)) })
	if code != ExitFailure || !strings.HasPrefix(stderr.String(), "capplan: internal error: panic: xxx") || stderr.Len() > 2000 {
		t.Errorf("exit code %d, stderr of %d bytes: %.200s", code, stderr.Len(), stderr.String())
	}
}
