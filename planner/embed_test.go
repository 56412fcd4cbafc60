package planner_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program of the package's documentation compiles and runs in a module of
// its own that imports this one, and prints what is said there.
func TestProgramOfAnotherModule(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	program, want := documented(string(doc))
	if program == "" || want == "" {
		t.Fatal("no program with its output in doc.go")
	}
	ours, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	// The same versions of everything, so that nothing has to be resolved.
	module := strings.Replace(string(ours), "module github.com/capplan/capplan", "module example.com/fleet", 1) +
		"\nrequire github.com/capplan/capplan v0.0.0\nreplace github.com/capplan/capplan => " + root + "\n"
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": module, "go.sum": string(sums), "main.go": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("go", "run", "-mod=mod", ".")
	run.Dir = dir
	run.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if string(out) != want {
		t.Errorf("prints %q, the documentation says %q", out, want)
	}
}

// documented returns the program of a package comment and what it prints: the
// indented lines from its package clause on, and those after "prints".
func documented(doc string) (program, output string) {
	var p, o strings.Builder
	to := (*strings.Builder)(nil)
	for line := range strings.Lines(doc) {
		code, indented := strings.CutPrefix(line, "//\t")
		switch {
		case code == "package main\n":
			to = &p
		case line == "// prints\n":
			to = &o
		case strings.HasPrefix(line, "// ") && o.Len() > 0:
			return p.String(), o.String()
		}
		if to != nil && indented {
			to.WriteString(code)
		} else if to == &p && line == "//\n" {
			to.WriteString("\n")
		}
	}
	return p.String(), o.String()
}
