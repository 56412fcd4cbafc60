package allocation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/source"
)

var sameBatch = cmp.Options{cmpopts.IgnoreUnexported(BatchFile{}), cmpopts.EquateEmpty()}

// batchJSON is batchYAML as JSON, a record a line.
const batchJSON = `{"dependencies": ["compute", "net.work"],
 "resources": [
  {"id": "c0", "dependency": "compute", "primary_capacity": 1457, "backup_capacity": 582, "risk_group": "rack-1"},
  {"id": "n0", "dependency": "net.work", "primary_capacity": 1e3, "backup_capacity": null, "speed": "1.5"}],
 "jobs": [
  {"id": "job\u0030", "class": "medium", "levels": {"compute": [{"demand": 396, "revenue": 3079}, {"demand": 445, "revenue": 5848}],
    "net.work": [{"demand": "1", "revenue": 0}]},
   "eligible": {"compute": ["c0"]}}]}
`

const batchLines = `{"comment": "three kinds of line", "dependencies": ["compute", "net.work"]}

{"job": {"id": "job0", "class": "medium", "levels": {"compute": [{"demand": 396, "revenue": 3079}, {"demand": 445, "revenue": 5848}], "net.work": [{"demand": 1, "revenue": 0}]}, "eligible": {"compute": ["c0"]}}}
{"resource": {"id": "c0", "dependency": "compute", "primary_capacity": 1457, "backup_capacity": 582, "risk_group": "rack-1"}}
{"resource": {"id": "n0", "dependency": "net.work", "primary_capacity": 1000, "speed": 1.5}}
`

// YAML, JSON and JSON Lines of one batch are one batch, however the bytes come.
func TestBatchFormatsAgree(t *testing.T) {
	want, err := readBatchText(batchYAML)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{batchJSON, batchLines, "\xef\xbb\xbf" + batchJSON, strings.ReplaceAll(batchLines, "\n", "\r\n")} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
			f, err := ReadBatch(context.Background(), "batch", r)
			if err != nil {
				t.Fatal(err)
			}
			sameSplit(t, text, "jobs[0].levels.compute[1].demand")
			f.Comment = ""
			if d := cmp.Diff(want, f, sameBatch); d != "" {
				t.Error(d)
			}
		}
	}
}

// Places in JSON Lines lead to line and column, also beyond a block of text.
func TestBatchLinesPlaces(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"dependencies":["c"]}` + "\n" + `{"resource":{"id":"r","dependency":"c","primary_capacity":1}}` + "\n")
	const jobs = 60_000
	for i := range jobs {
		fmt.Fprintf(&b, `{"job":{"id":"j%05d","levels":{"c":[{"demand":1,"revenue":%d}]}}}`+"\n", i, i)
	}
	if len(b.String()) < 3*source.TranscriptLen {
		t.Fatal("the text is too short to tell")
	}
	f, err := readBatch(context.Background(), "batch", strings.NewReader(b.String()), splitting{2, 100_000})
	if err != nil || len(f.Jobs) != jobs {
		t.Fatal(err)
	}
	for _, i := range []int{0, 1, 17_000, 31_999, jobs - 1} {
		e := f.At(fmt.Sprintf("jobs[%d].levels.c[0].revenue", i), "wrong", "right")
		if e.Line != i+3 || e.Column != 60 || !strings.HasPrefix(e.Text, fmt.Sprintf(`{"job":{"id":"j%05d"`, i)) {
			t.Errorf("job %d: %v", i, e)
		}
	}
	for place, want := range map[string][2]int{"dependencies[0]": {1, 18}, "dependencies": {1, 2}, "resources[0].id": {2, 19}, "jobs[99999].id": {1, 1}, "failures[0]": {1, 1}} {
		if e := f.At(place, "", ""); place != "jobs[99999].id" && (e.Line != want[0] || e.Column != want[1]) {
			t.Errorf("%s: %d:%d, want %v", place, e.Line, e.Column, want)
		}
	}
}

// Every mistake in JSON and JSON Lines is named with line and column.
func TestReadBatchJSONRefuses(t *testing.T) {
	for _, c := range []struct {
		text, from, to string
		line, column   int
		want           string
	}{
		{batchLines, "risk_group", "risk_grup", 4, 102, "did you mean risk_group?"},
		{batchLines, `"demand": 396`, `"demand": -396`, 3, 77, "demand = -396"},
		{batchLines, `"demand": 396`, `"demand": 3.5`, 3, 77, "not whole"},
		{batchLines, `"demand": 396, `, "", 3, 66, `no field "demand"`},
		{batchLines, `"demand": 396`, `"demand": 396, "demand": 397`, 3, 82, `field "demand" is given twice (first on line 3)`},
		{batchLines, `"demand": 396`, `"demand": 396 397`, 3, 81, "no JSON: '3' after the value of a field, where a comma or } should stand"},
		{batchLines, `{"demand": 396, "revenue": 3079}`, `null`, 3, 66, "nothing"},
		{batchLines, `"compute": [{`, `"": [{`, 3, 54, "without a name"},
		{batchLines, `{"job": {`, `{"jb": {`, 3, 2, `unknown field "jb" (did you mean job?), want one of comment, dependencies, admission, budget, currency, resource, job`},
		{batchLines, `{"resource": {"id": "c0"`, `{"resorce": {"id": "c0"`, 4, 2, `unknown field "resorce" (did you mean resource?)`},
		{batchLines, `"id": "job0"`, `"id": ""`, 3, 16, "a job without an id"},
		{batchLines, `{"job": {"id": "job0"`, `[{"job": {"id": "job0"`, 3, 0, "no JSON"},
		{batchLines, `"n0", "dependency"`, "\"n0\x01\", \"dependency\"", 5, 24, "no JSON"},
		{batchLines, `"n0", "dependency"`, "\"n0\xff\", \"dependency\"", 5, 24, "not UTF-8"},
		{batchLines, `"n0", "dependency"`, `"n0\\\ud834", "dependency"`, 5, 26, "half of a surrogate pair"},
		{batchJSON, `"n0", "dependency"`, `"\ud834\udd1e\udd1e", "dependency"`, 4, 23, "half of a surrogate pair"},
		{batchLines, "1.5}}\n", "1.5}\n", 5, 91, "it ends before the document does"},
		{batchLines, "1.5}}\n", "1.5}}\n7\n", 6, 1, "a line with a value"},
		{batchLines, "1.5}}\n", "1.5}}\n{\"dependencies\": []}\n", 6, 2, "given twice (first on line 1)"},
		{batchLines, `, "dependencies": ["compute", "net.work"]`, "", 1, 1, `no field "dependencies"`},
		{batchLines, `"dependencies": ["compute", "net.work"]`, `"dependencies": null`, 1, 52, "dependencies is empty"},
		{batchLines, `"dependencies": ["compute", "net.work"]`, `"dependencies": []`, 1, 52, "no dependencies"},
		{batchLines, `"speed": 1.5`, `"speed": 0`, 5, 88, "speed = 0"},
		{batchJSON, "risk_group", "risk_grup", 3, 91, "did you mean risk_group?"},
		{batchJSON, `"resources": [`, `"resources": {"id": [`, 2, 15, "resources is a mapping"},
		{batchJSON, `"eligible": {"compute": ["c0"]}`, `"eligible": []`, 8, 16, "eligible is a list"},
		{batchJSON, `"jobs"`, `"jbs"`, 5, 2, `unknown field "jbs" (did you mean jobs?), want one of comment, dependencies, admission, budget, currency, resources, jobs`},
		{batchJSON, `"jobs"`, `"resources"`, 5, 2, `field "resources" is given twice (first on line 2)`},
		{batchJSON, "}}]}\n", "}}]}\n{}", 9, 1, "after the end of the document"},
		{batchJSON, "}}]}\n", "}}]\n", 8, 0, "it ends before the document does"},
		{batchJSON, `"speed": "1.5"}],`, `"speed": "1.5"}]`, 5, 2, "no JSON: '\"' after the value of a field, where a comma or } should stand"},
		{batchJSON, `"revenue": 3079}, {`, `"revenue": 3079} {`, 6, 98, "no JSON: '{' after an element of a list, where a comma or ] should stand"},
		{"a,job,b\n1,2,3\n", "a", "a", 1, 0, "a table of jobs (CSV)"},
	} {
		text := strings.Replace(c.text, c.from, c.to, 1)
		if text == c.text && c.from != c.to {
			t.Fatalf("%q is not in the file", c.from)
		}
		_, err := readBatchText(text)
		var e *source.FileError
		if !errors.As(err, &e) {
			t.Errorf("%q: %v, want a *FileError", c.to, err)
			continue
		}
		sameSplit(t, text, "")
		if e.Line != c.line || c.column != 0 && e.Column != c.column || !strings.Contains(err.Error(), c.want) || e.Text == "" && e.Column > 0 {
			t.Errorf("%q: %v, want %d:%d and %q", c.to, err, c.line, c.column, c.want)
		}
	}
}

// A reader that fails, and one that is stopped, give their reason.
func TestReadBatchStops(t *testing.T) {
	broken := errors.New("the disk is gone")
	if _, err := ReadBatch(context.Background(), "batch", io.MultiReader(strings.NewReader(batchJSON[:200]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReadBatch(ctx, "batch", strings.NewReader(batchLines)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// One value may not fill the memory, nor may what was refused when it is read again
// to say why.
func TestReadBatchHugeValue(t *testing.T) {
	longtest.Skip(t)
	refused := io.MultiReader(strings.NewReader(`{"jobs": [{"name": "`), io.LimitReader(letters{}, source.MaxRecord+2<<20))
	if _, err := ReadBatch(context.Background(), "batch", refused); !errors.Is(err, source.ErrMemory) {
		t.Error(err)
	}
	many := io.MultiReader(strings.NewReader(`{"jobs": [{"name": [1`),
		strings.NewReader(strings.Repeat(",1", 5_000_000)), strings.NewReader("]}]}"))
	if _, err := ReadBatch(context.Background(), "batch", many); !errors.Is(err, source.ErrMemory) ||
		!strings.Contains(err.Error(), "5 million values") {
		t.Error(err)
	}
	endless := io.MultiReader(strings.NewReader(`{"comment": "`), io.LimitReader(letters{}, source.MaxRecord+2<<20))
	if _, err := ReadBatch(context.Background(), "batch", endless); !errors.Is(err, source.ErrMemory) {
		t.Error(err)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// Whatever is read: as a stream and by a tree it is the same or both refuse;
// written as JSON and read again it is the same; errors are *FileErrors with a
// line of the text; no place of any text leads astray.
func FuzzReadBatch(f *testing.F) {
	for _, text := range []string{
		batchYAML, batchJSON, batchLines, strings.ReplaceAll(batchLines, "\n", "\r\n"), "{}", "{}\n{}", `{"jobs": []}`, `{"job": {}}`,
		`{"dependencies": ["c"], "resources": [{"id": "r", "dependency": "c", "primary_capacity": 1}], "jobs": [{"id": "a", "levels": {"c": [{"demand": 1, "revenue": 2}]}}]}`,
		`{"dependencies": [true, 1e3, "\ud834\udd1e"], "resources": [{"id": 7, "dependency": "c", "primary_capacity": " 12 ", "backup_capacity": null}], "jobs": [{"id": "a", "levels": {"c": []}, "eligible": {"c": []}}]}`,
		`{"dependencies": ["c"], "dependencies": []}`, "{\"dependencies\": [\"c\"]}\n\n{\"job\": {\"id\": \"a\", \"levels\": {\"c\": [{\"demand\": 9223372036854775807, \"revenue\": 00}]}}}", "\xef\xbb\xbf{\"a\": \"\xff\"}",
		`{"assignments": [{"job": "a", "dependency": "c", "resource": null, "level": 0}], "backup": {"assignments": []}}`, "jobs: [{levels: {: 1}}]",
	} {
		f.Add([]byte(text), "jobs[0].levels.compute[1].demand")
		f.Add([]byte(text), "resources[1].speed")
	}
	f.Add([]byte(`{"dependencies": ["\ud834"], "resources": [], "jobs": []}`), "dependencies[0]")
	f.Add([]byte(batchLines), "[[.]")
	f.Fuzz(func(t *testing.T, data []byte, place string) {
		if len(data) > 1<<16 {
			return
		}
		var e *source.FileError
		if a, err := ReadBatchAnswer(context.Background(), "fuzz", bytes.NewReader(data)); err == nil {
			_ = a.At(place, "", "").Error()
		} else if !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
		file, err := readBatchText(string(data))
		sameSplit(t, string(data), place)
		if !looksLines(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))) {
			tree := &BatchFile{}
			wrong := tree.readTree(context.Background(), "fuzz", bytes.NewReader(data))
			if (err == nil) != (wrong == nil) {
				t.Fatalf("as a stream %v, by a tree %v", err, wrong)
			}
			if err == nil && !cmp.Equal(file, tree, sameBatch) {
				t.Fatal(cmp.Diff(file, tree, sameBatch))
			}
		}
		if err != nil {
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			if e.Line < 0 || e.Line > bytes.Count(data, []byte("\n"))+bytes.Count(data, []byte("\r"))+1 || e.Column > len(data)+1 || e.Column < 0 || e.Problem == "" || e.Want == "" {
				t.Fatalf("%d:%d %v", e.Line, e.Column, e)
			}
			return
		}
		_ = file.At(place, "", "").Error()
		for i := range file.Jobs {
			for _, need := range file.Jobs[i].Levels {
				for n := range need.Value {
					if at := file.At(fmt.Sprintf("jobs[%d].levels.%s[%d].demand", i, need.Dependency, n), "", ""); at.Line == 0 || at.Text == "" {
						t.Fatalf("no line: %v", at)
					}
				}
			}
		}
		text, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadBatch(context.Background(), "again", bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(file, again, sameBatch); d != "" {
			t.Fatal(d)
		}
	})
}
