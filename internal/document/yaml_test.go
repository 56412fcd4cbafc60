package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
)

func parseText(text string) (*Document, error) {
	return Read(context.Background(), "test", "a test", strings.NewReader(text))
}

// yamlKeys is a mapping of n keys.
func yamlKeys(n int, indent string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sk%d: v%d\n", indent, i, i)
	}
	return b.String()
}

// What YAML means, in the corners that files use.
func TestYAML(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1":                                   `{"a":"1"}`,
		"a: 0x1F\nb: .5\nc: 1e3\nd: yes":         `{"a":"0x1F","b":".5","c":"1e3","d":"yes"}`,
		"a: null\nb: ~\nc:\nd: 'null'\ne: \"~\"": `{"a":null,"b":null,"c":null,"d":"null","e":"~"}`,
		"- 'it''s'\n- \"a\\tb\"\n- a b # c":      `["it's","a\tb","a b"]`,
		"a: |\n  x\n  y\nb: >-\n  x\n  y":        `{"a":"x\ny\n","b":"x y"}`,
		"a: &x {p: 1}\nb: *x":                    `{"a":{"p":"1"},"b":{"p":"1"}}`,
		"a: &x {p: 1, q: 2}\nb: {<<: *x, p: 3}":  `{"a":{"p":"1","q":"2"},"b":{"p":"3","q":"2"}}`,
		"a: {'<<': 1}":                           `{"a":{"<<":"1"}}`,
		"---\na: 1\n---\n":                       `{"a":"1"}`,
		"%YAML 1.2\n---\na: 1\n...\n":            `{"a":"1"}`,
		"a: 2024-12-25\r\nb: 12:30:45\r\n":       `{"a":"2024-12-25","b":"12:30:45"}`,
		"a:\n- 1\n- [2, {b: 3}]":                 `{"a":["1",["2",{"b":"3"}]]}`,
		"? a\n: 1":                               `{"a":"1"}`,
	} {
		d, err := parseText(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := written(d.Root); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]struct {
		line, column int
		problem      string
	}{
		"a: &x [*x]\n":             {1, 8, "alias *x of no anchor before it"},
		"a: *x\nb: &x 1\n":         {1, 4, "alias *x of no anchor before it"},
		"a: 1\n[b]: 2\n":           {2, 1, "a key that is not text"},
		"a: !!int 1\n":             {1, 4, "a YAML tag"},
		"a: 1\na: 2\n":             {2, 1, `field "a" is given twice (first on line 1)`},
		"a: [1, 2\nb: 3\n":         {2, 2, "not YAML"},
		"a: \"x\n":                 {1, 5, "not YAML"},
		"ä: {b: 1, b: 2}\n":        {1, 12, `field "b" is given twice`},
		"a: 1\n---\nb: 2\n":        {3, 1, "a second YAML document"},
		"a:\n\t- 1\n":              {2, 1, "not YAML"},
		"a: &x {p: 1}\n<<: [*x]\n": {2, 1, "<< of a list"},
	} {
		_, err := parseText(text)
		var e *source.FileError
		if !errors.As(err, &e) || e.Line != want.line || e.Column != want.column || !strings.Contains(e.Problem, want.problem) {
			t.Errorf("%q: %v, want %d:%d %s", text, err, want.line, want.column, want.problem)
		}
	}
}

// written writes a node as JSON.
func written(n *Node) string {
	var parts []string
	switch n.Kind {
	case NullNode:
		return "null"
	case ScalarNode:
		return fmt.Sprintf("%q", n.Text)
	case SequenceNode:
		for _, item := range n.Items {
			parts = append(parts, written(item))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	for _, f := range n.Fields {
		parts = append(parts, fmt.Sprintf("%q:%s", f.Key, written(f.Value)))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// Nothing but the number of its values bounds a mapping or a list.
func TestYAMLLarge(t *testing.T) {
	for name, text := range map[string]string{
		"keys":        yamlKeys(50_000, ""),
		"keys below":  "a:\n" + yamlKeys(50_000, "  "),
		"empty items": strings.Repeat("-\n", 50_000),
		"comments":    strings.Repeat("# a: b\n", 50_000) + "a: 1\n",
		"merged":      "a: &a\n" + yamlKeys(20_000, "  ") + "b:\n  <<: *a\n" + yamlKeys(20_000, "  "),
	} {
		if _, err := parseText(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What takes much memory, whatever its text takes, is refused before it does.
func TestDocumentBombs(t *testing.T) {
	laughs := "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
	for c := 'b'; c <= 'k'; c++ {
		laughs += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.Repeat(fmt.Sprintf("*%c,", c-1), 10))
	}
	for name, c := range map[string]struct {
		text    io.Reader
		problem string
	}{
		"empty lists":     {strings.NewReader("[" + strings.Repeat("[],", 5_000_000) + "]"), "million values of YAML"},
		"empty mappings":  {strings.NewReader("- " + strings.Repeat("{},", 5_000_000)), "million values of YAML"},
		"empty items":     {strings.NewReader(strings.Repeat("-\n", 5_000_000)), "million values of YAML"},
		"keys":            {strings.NewReader(strings.Repeat("? \n: \n", 5_000_000)), "million values of YAML"},
		"aliases":         {strings.NewReader(laughs), "those of aliases counted each time"},
		"far brackets":    {strings.NewReader("[" + strings.Repeat("1,\n", 1_000_000) + "1]"), "million values of YAML"},
		"far keys":        {strings.NewReader("{" + strings.Repeat("a: 1, ", 500_000) + "b: 1}"), "million values of YAML"},
		"nested lists":    {strings.NewReader(strings.Repeat("[", 1_000_000)), "levels of nesting"},
		"nested items":    {strings.NewReader(strings.Repeat("- ", 1_000_000)), "levels of nesting"},
		"JSON lists":      {strings.NewReader(`{"a":[` + strings.Repeat("[],", 12_000_000) + `[]]}`), "million values"},
		"JSON mappings":   {strings.NewReader(`{"a":[` + strings.Repeat("{},", 12_000_000) + `{}]}`), "million values"},
		"JSON numbers":    {strings.NewReader(`{"a":[` + strings.Repeat("1,", 12_000_000) + `1]}`), "million values"},
		"more than bytes": {io.LimitReader(endless{}, 2<<30), "holds more than 64 MiB"},
		"more than YAML":  {strings.NewReader(strings.Repeat("# x\n", 16<<20)), "32 MiB and is no object of JSON"},
		"a long list":     {strings.NewReader("[" + strings.Repeat(" ", 48<<20)), "no object of JSON, want an object"},
		"JSON bytes":      {strings.NewReader(`{"a":` + strings.Repeat(" ", 65<<20)), "holds more than 64 MiB"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(context.Background(), "test", "a test", c.text)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s: %.300v, want %s", name, err, c.problem)
		}
		// All that was asked for, even if it was given back.
		took := (after.TotalAlloc - before.TotalAlloc) >> 20
		t.Logf("%s: %d MiB", name, took)
		if took > 1200 {
			t.Errorf("%s: %d MiB were asked for", name, took)
		}
	}
}

// endless is blank text.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// BenchmarkYAML reads a mapping of 50,000 keys.
func BenchmarkYAML(b *testing.B) {
	text := yamlKeys(50_000, "")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := parseText(text); err != nil {
			b.Fatal(err)
		}
	}
}

// A question's file holds less than data does, by text and by values.
func TestLimits(t *testing.T) {
	many := `{"a": [1` + strings.Repeat(",1", 2_000_000) + "]}"
	long := `{"a": "` + strings.Repeat("x", 64<<20) + `"}`
	flow := "a: [" + strings.Repeat("1, ", 1_500_000) + "]"
	for text, want := range map[string]string{
		many: "holds more than 2 million values",
		long: "holds more than 64 MiB",
		flow: "holds more than 1.5 million values of YAML",
	} {
		if _, err := parseText(text); !errors.Is(err, source.ErrMemory) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.10s...: %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{many, long} {
		if _, err := ReadLarge(t.Context(), "test", "a test", strings.NewReader(text)); err != nil {
			t.Error(err)
		}
	}
}

// YAML of three million values took more than a GB: it is refused before it is parsed.
func TestReadLargeBoundsValuesOfYAML(t *testing.T) {
	_, err := ReadLarge(t.Context(), "file", "a list", strings.NewReader(strings.Repeat("- a\n", 2_500_001)))
	if err == nil || !strings.Contains(err.Error(), "holds more than 2.5 million values of YAML") {
		t.Errorf("%v", err)
	}
}

// What no document has, but the parser keeps before it says so, is counted too: 5 MB of quotes took 1.2 GB, and 31 MB
// of question marks 5.9 GB. Quotes where they belong are not.
func TestReadLargeBoundsStrayMarksOfYAML(t *testing.T) {
	for head, mark := range map[string]string{"\"a\"": `"`, "": "?\n", "a: [": `"" `, "a: [&b 1, ": "*b ", "b: [": "'a'",
		"# don't\nc: [": "!c ", "d: [": "&d\n"} {
		_, err := ReadLarge(t.Context(), "file", "a list", strings.NewReader(head+strings.Repeat(mark, 2_600_000)))
		if err == nil || !strings.Contains(err.Error(), "holds more than 2.5 million values of YAML") {
			t.Errorf("%q: %v", mark, err)
		}
	}
	for _, line := range []string{"\"a\": 'b'\n", "- \"a\"\n", "{'a': \"b\"}"} {
		text := []byte(strings.Repeat(line, 1000))
		if n, most := yamlValues(text), values(text)+bytes.Count(text, []byte(":")); n > most {
			t.Errorf("%q: %d values, want %d", line, n, most)
		}
	}
}
