package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	var said bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(""), io.MultiWriter(ts.Stdout(), &said), io.MultiWriter(ts.Stderr(), &said))
	if wrong := oneOfSeveral(said.String()); wrong != "" {
		ts.Fatalf("one thing is called by the word for several: %q", wrong)
	}
	return code
}

// manyWords are words that follow a number and stand for several things; a word such as class or
// loss may follow 1.
var manyWords = regexp.MustCompile(`(?m)(?:^|[^\w.,:/-])1 (?:usable |observed |public |other |up |down )?([a-z]{2,}s)\b`)

// oneOfSeveral returns the first place of a text that says 1 rows or its like, with what stands
// around it.
func oneOfSeveral(text string) string {
	for _, at := range manyWords.FindAllStringSubmatchIndex(text, -1) {
		switch word := text[at[2]:at[3]]; {
		case strings.HasSuffix(word, "ss"), slices.Contains([]string{"asks", "costs", "counts", "does", "is", "meets", "sums", "was"}, word):
		default:
			return text[max(0, at[0]-40):min(len(text), at[1]+20)]
		}
	}
	return ""
}

func TestOneOfSeveral(t *testing.T) {
	for text, want := range map[string]bool{
		"1 rows": true, "took 1 hours": true, "(1 usable jobs)": true, "1 row": false, "11 rows": false, "0.1 rows": false,
		"1 class": false, "1 s": false, "2, 1 hours": true, "an age of 1 is": false,
	} {
		if got := oneOfSeveral(text) != ""; got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
