package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/longtest"
)

var update = flag.Bool("update", false, "rewrite the README's outputs and plot")

func TestMain(m *testing.M) {
	// Under nohup a child would inherit that hang-ups are ignored, and the script
	// that hangs up on one would wait for ever.
	if signal.Ignored(syscall.SIGHUP) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	collectEagerly() // as the program does: most commands here live in this process for milliseconds
	cmdline.NeverSlow()
	testscript.Main(m, map[string]func(){"capplan": main})
}

// The scripts in testdata/script run the command line as a user would: stdout,
// stderr and exit code. Lines that cannot tell run in this process, since to start
// one takes more time than most answers.
func TestScripts(t *testing.T) {
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	server := fakePrometheus(t)
	dir := inProcessScripts(t, "testdata/script")
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("TESTDATA", root+"/../../testdata")
			e.Setenv("PROMETHEUS", server)
			return nil
		},
		// The rest of a script after "[!long] stop" takes long.
		Condition: func(name string) (bool, error) {
			if name == "long" {
				return longtest.Wanted(), nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit":   exitCode,
			"inside": inside,
		},
	})
}

// exitCode runs "exit CODE PROGRAM ARGS..." and fails unless the program exits
// with that code.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE PROGRAM ARGS...")
	}
	if args[1] == "inside" {
		if code := runInside(ts, args[2:]); fmt.Sprint(code) != args[0] {
			ts.Fatalf("exit code %d, want %s", code, args[0])
		}
		return
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		e, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%v", err)
		}
		code = string(rune('0' + e.ExitCode()))
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}
