package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// processLine is a line of a script that starts capplan as a process.
var processLine = regexp.MustCompile(`^((?:\[[^]]*\] )*(?:! )?)(?:exec|(exit [0-9])) (capplan .*)$`)

// inProcessScripts copies the scripts of a folder, with capplan called inside this
// process wherever that is the same: not in the background, not with an
// environment of its own, and not behind a stdin, which only a process is given.
func inProcessScripts(t *testing.T, dir string) string {
	t.Helper()
	out := t.TempDir()
	scripts, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	for _, path := range scripts {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(out, filepath.Base(path)), []byte(inProcess(string(data))), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// inProcess rewrites the lines of a script up to its files.
func inProcess(script string) string {
	lines := strings.Split(script, "\n")
	process := false // the next line of capplan is given something
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "-- "):
			return strings.Join(lines, "\n")
		case strings.Contains(line, "env "):
			return strings.Join(lines, "\n")
		case strings.HasPrefix(line, "stdin "):
			process = true
			continue
		}
		m := processLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if process || strings.HasSuffix(line, "&") {
			process = false
			continue
		}
		lines[i] = m[1] + "inside " + m[3]
		if m[2] != "" {
			lines[i] = m[1] + m[2] + " inside " + m[3]
		}
	}
	return strings.Join(lines, "\n")
}

// inside runs capplan in this process, as exec does in one of its own.
func inside(ts *testscript.TestScript, neg bool, args []string) {
	if code := runInside(ts, args); (code == 0) == neg {
		ts.Fatalf("exit code %d", code)
	}
}

// insideOne is held while the process stands in the folder of a script.
var insideOne sync.Mutex

func runInside(ts *testscript.TestScript, args []string) int {
	insideOne.Lock()
	defer insideOne.Unlock()
	back, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(back)) }()
	return run(context.Background(), args, strings.NewReader(""), ts.Stdout(), ts.Stderr())
}
