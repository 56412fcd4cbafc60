package document

import (
	"errors"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
)

// What the parser of YAML says of a fault is told in words of this program, with
// what to write in its place.
func TestYAMLFaults(t *testing.T) {
	for _, c := range []struct{ text, problem, want string }{
		{"a: b: c\n", `a ": " where no key is allowed`, "in quotes"},
		{"a: 1\n b: 2\n", `a ": " where no key is allowed`, "line of its own"},
		{"a: ? b\n", `a "? "`, "in quotes"},
		{"a: - b\n", `a "- " where no list is allowed`, "own below its key"},
		{"a:\n  b: 1\n c: 2\n", "is neither a key", "indentation of its neighbours"},
		{"a: \"x\" y\n", "is neither a key", "a key such as"},
		{"- 1\nb: 2\n", "entries of a list", `"- " at`},
		{"a: [1, 2\nb: 3\n", "brackets that is not closed", "] after the last"},
		{"a: [1 2", "brackets that is not closed", "] after the last"},
		{"a: {b: 1\nc: 2\n", "braces that is not closed", "} after the last"},
		{"a: 1\nb\nc: 2\n", "without a colon", "as in name: C64"},
		{"a: ]\n", "no value where one", "in quotes"},
		{"a: @x\n", "cannot begin a text", "in quotes"},
		{"a: `x\n", "cannot begin a text", "in quotes"},
		{"a:\n\t- 1\n", "cannot begin a text", "not tabs"},
		{"a: \"x\n", "quotes that are not closed", "same quote"},
		{"a: 'x\n", "quotes that are not closed", "same quote"},
		{"a: \"x\n---\n\"\n", "inside quotes", "closed before"},
		{`a: "\q"`, `a \ in double quotes`, `\\ for a \`},
		{`a: "\xZZ"`, `\x, \u or \U`, `\\ for a \`},
		{"a: \"x\"#y\n", "a # directly after", "a space before"},
		{"a: |0\n  x\n", "indentation of 0", "1 to 9"},
		{"a: | x\n  y\n", "after | or >", "lines below"},
		{"a: * x\n", "a * without a name", "in quotes"},
		{"a: & x\n", "an & without a name", "in quotes"},
		{"a: !<x y\n", "a YAML tag", "without tags"},
		{"a: !x!y z\n", "a YAML tag", "without tags"},
		{"%TAG x\n---\na: 1\n", "a YAML tag", "without tags"},
		{"%YAML 3.0\n---\na: 1\n", "version other", "no %YAML line"},
		{"%FOO\n---\na: 1\n", "begins with %", "in quotes"},
		{"%YAML 1.1\n%YAML 1.1\n---\na: 1\n", "or twice", "one %YAML line"},
		{"a: 1\n... b\n", "after the ...", "nothing after"},
		{"{a: 1} b\n", "after the end", "one mapping or list"},
	} {
		_, err := parseText(c.text)
		var e *source.FileError
		if !errors.As(err, &e) {
			t.Errorf("%q: %v, want a *FileError", c.text, err)
			continue
		}
		if !strings.Contains(e.Problem, c.problem) || !strings.Contains(e.Want, c.want) {
			t.Errorf("%q: %q, want %q; expected %q, want %q", c.text, e.Problem, e.Want, c.problem, c.want)
		}
		for _, phrase := range []string{"did not find", "while ", "scanning", "in this context", "token", "node content"} {
			if strings.Contains(err.Error(), phrase) {
				t.Errorf("%q: %v has words of the parser: %q", c.text, err, phrase)
			}
		}
	}
}
