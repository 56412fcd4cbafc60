package routes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/units"
)

func readClusters(t *testing.T, text string) (*routes.ClusterFile, error) {
	t.Helper()
	return routes.ReadClusters(context.Background(), "clusters", strings.NewReader(text))
}

func number(v float64) *units.Number {
	n := units.Number(v)
	return &n
}

func threeClusters() *routes.ClusterFile {
	local := func(rate units.Rate, service units.Duration) *routes.LocalStream {
		return &routes.LocalStream{units.Point(rate), service, number(0.01)}
	}
	return &routes.ClusterFile{Clusters: []routes.Cluster{
		{Name: "C64", Local: local(0.3, 0.8), External: routes.ExternalStream{1, number(0.25)}},
		{Name: "C128", Local: local(0.5, 0.9), External: routes.ExternalStream{0.5, number(0.25)}},
		{Name: "C256", Local: local(0.4, 0.5), External: routes.ExternalStream{0.25, number(0.25)}},
	}}
}

var compareRanges = cmp.Comparer(func(a, b units.Range[units.Rate]) bool { return a.Equal(b) })

// The example file holds the clusters of InterGrid's equations that the routing
// table was computed for; JSON written from them reads back to the same.
func TestReadClustersExample(t *testing.T) {
	data, err := os.ReadFile("../../testdata/clusters.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := readClusters(t, string(data))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(threeClusters(), f, compareRanges); d != "" {
		t.Error(d)
	}
	data, err = json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(data), "\xef\xbb\xbf" + string(data), strings.ReplaceAll(string(data), ",", ",\r\n")} {
		if f, err = readClusters(t, text); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(threeClusters(), f, compareRanges); d != "" {
			t.Error(d)
		}
	}
}

func TestReadClustersFields(t *testing.T) {
	f, err := readClusters(t, `
defaults: &e
  service_time: 500ms
`+"clusters: []\n")
	if err == nil {
		t.Fatalf("an unknown field was read: %+v", f)
	}
	f, err = readClusters(t, `clusters:
- name: 64 # a number is a name too
  local: &here {rate: 0.1..0.2..0.4/s, service_time: 1s}
  external: &grid {service_time: 500ms, scv: 2}
  servers: 2.5
  price: 3
  power: 128e3
- {name: "b", local: *here, external: {<<: *grid, scv: 0}}
types:
- {name: urgent, share: 25%, weight: 4, service_ratio: 0.5}
- {name: late, share: 0.5}
`)
	if err != nil {
		t.Fatal(err)
	}
	here := &routes.LocalStream{Rate: units.Triangular(units.Rate(0.1), 0.2, 0.4), ServiceTime: 1}
	want := &routes.ClusterFile{
		Clusters: []routes.Cluster{
			{Name: "64", Local: here, External: routes.ExternalStream{0.5, number(2)}, Servers: number(2.5), Price: &units.Amount{Number: 3}, Power: number(128e3)},
			{Name: "b", Local: here, External: routes.ExternalStream{0.5, number(0)}},
		},
		Types: []routes.RequestType{{"urgent", 0.25, number(4), number(0.5)}, {Name: "late", Share: 0.5}},
	}
	if d := cmp.Diff(want, f, compareRanges); d != "" {
		t.Error(d)
	}
}

// Whatever is wrong is named with its line and column.
func TestReadClustersErrors(t *testing.T) {
	const good = "clusters:\n- {name: a, external: {service_time: 1s}}\n"
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for _, c := range []struct {
		text         string
		line, column int
		says         string
	}{
		{"", 0, 0, "holds no content"},
		{" \n# nothing\n", 0, 0, "holds no content"},
		{"\x00\x01", 0, 0, "holds"},
		{good + "# \xff\n", 3, 3, "not UTF-8"},
		{"clusters: []\n", 1, 11, "no clusters, want at least one"},
		{"[]", 1, 1, "the document is a list, want a mapping"},
		{"just words", 1, 1, "the document is a value"},
		{"types: []\n", 1, 1, `the document has no field "clusters"`},
		{good + "typs: []\n", 3, 1, `unknown field "typs" (did you mean types?)`},
		{"clusters:\n- {name: a, extrenal: {service_time: 1s}}\n", 2, 13, `unknown field "extrenal" (did you mean external?)`},
		{"clusters:\n- {name: ä, external: {service_tim: 1s}}\n", 2, 25, `(did you mean service_time?)`},
		{good + "- {name: a, external: {service_time: 1s}}\n", 3, 10, `cluster "a" is given twice (first on line 2)`},
		{"clusters:\n- {name: a, name: b, external: {service_time: 1s}}\n", 2, 13, `field "name" is given twice (first on line 2)`},
		{"clusters:\n- {name: '', external: {service_time: 1s}}\n", 2, 10, "a cluster without a name"},
		{"clusters:\n- {name: a}\n", 2, 3, `clusters has no field "external"`},
		{"clusters:\n- {name: a, external: }\n", 2, 23, "external is empty"},
		{"clusters:\n- {name: [a], external: {service_time: 1s}}\n", 2, 10, "name is a list, want a text"},
		{"clusters:\n- {name: a, external: {service_time: 1}}\n", 2, 38, "service_time = 1: "},
		{"clusters:\n- {name: a, external: {service_time: 0s}}\n", 2, 38, "external service_time = 0"},
		{"clusters:\n- {name: a, external: {service_time: [1s]}}\n", 2, 38, "service_time is a list, want a duration"},
		{"clusters:\n- name: a\n  external:\n    service_time: 1s\n    scv: -0.5\n", 5, 10, "scv = -0.5: "},
		{"clusters:\n- name: a\n  external:\n    service_time: 1s\n    scv: .nan\n", 5, 10, "scv = .nan: "},
		{"clusters:\n- {name: a, local: {rate: 0/s, service_time: 1s}, external: {service_time: 1s}}\n", 2, 27, "want a rate above 0"},
		{"clusters:\n- {name: a, local: {rate: 3, service_time: 1s}, external: {service_time: 1s}}\n", 2, 27, "rate = 3: "},
		{"clusters:\n- {name: a, local: {rate: 1/s, service_time: 0s}, external: {service_time: 1s}}\n", 2, 46, "local service_time = 0"},
		{"clusters:\n- {name: a, local: {rate: 2/s, service_time: 1s}, servers: 2, external: {service_time: 1s}}\n", 2, 20, "saturated by its local requests: utilization = rate × service_time / servers = 1, want less than 1"},
		{"clusters:\n- {name: a, servers: 0.5, external: {service_time: 1s}}\n", 2, 22, "servers = 0.5, want 1 or more"},
		{good + "types:\n- {name: x, share: 0}\n", 4, 20, "share = 0"},
		{good + "types:\n- {name: x, share: 75%}\n- {name: x, share: 25%}\n", 5, 10, `type "x" is given twice`},
		{good + "types:\n- {name: x, share: 75%}\n- {name: y, share: 26%}\n", 5, 20, "the shares add up to 1.01"},
		{good + "types:\n- {name: x, share: 75%, weight: 0}\n", 4, 33, "weight = 0"},
		{good + "types:\n- {name: x, share: 75%, service_ratio: 0}\n", 4, 40, "service_ratio = 0"},
		{good + "---\nclusters: []\n", 4, 1, "a second YAML document"},
		{"clusters: [\n", 1, 11, "not YAML"},
		{"clusters: *none\n", 1, 11, "alias *none of no anchor"},
		{"clusters:\n- {name: a, external: {<<: 3, service_time: 1s}}\n", 2, 24, "<< of a value"},
		{"clusters: !!set {a}\n", 1, 11, "a YAML tag"},
		{"a: " + deep, 1, 104, "levels of nesting"},
		{strings.Repeat("- ", 200), 1, 201, "levels of nesting"},
		{`{"clusters": [`, 1, 14, "it ends before the document does"},
		{`{"clusters": ` + deep + `}`, 1, 114, "levels of nesting"},
		{"{\"clusters\": [\n {\"name\": \"a\", \"external\": {\"service_time\": \"1s\"}},\n {\"name\": \"a\", \"external\": {\"service_time\": \"1s\"}}]}", 3, 11, "given twice (first on line 2)"},
		{"{\"clusters\": [\n {\"name\": \"a\", \"name\": \"b\"}]}", 2, 16, `field "name" is given twice (first on line 2)`},
		{"{\"clusters\": [\n {\"name\": \"a\", \"externals\": {\"service_time\": \"1s\"}}]}", 2, 16, "(did you mean external?)"},
		{"{\"clusters\": [\n {\"Name\": \"a\"}]}", 2, 3, `unknown field "Name" (did you mean name?)`},
		{"{\"clusters\": [\n {\"name\": \"a\", \"external\": {\"service_time\": 1}}]}", 2, 45, "service_time = 1: "},
		{"{\"clusters\": [\n {\"name\": \"a\", \"external\": {\"service_time\": \"1s\",}}]}", 2, 50, "no JSON"},
		{"{\"clusters\": [\n {\"name\": nul}]}", 2, 14, "no JSON"},
		{`{"clusters": [{"name": "a", "external": {"service_time": "1s"}}]} x`, 1, 67, "after the end of the document"},
		{`{"clusters": null}`, 1, 14, "clusters is empty"},
	} {
		_, err := readClusters(t, c.text)
		var e *source.FileError
		if !errors.As(err, &e) {
			t.Errorf("%.80q: %v, want a *FileError", c.text, err)
			continue
		}
		if e.Line != c.line || e.Column != c.column || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.80q: at %d:%d %v\nwant %d:%d, %s", c.text, e.Line, e.Column, err, c.line, c.column, c.says)
		}
		if e.Line > 0 && e.Text == "" && e.Column > 1 {
			t.Errorf("%.80q: the line is not shown", c.text)
		}
	}
}

func TestReadClustersStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, text := range []string{manyClusters(3000), "clusters: []"} {
		if _, err := routes.ReadClusters(ctx, "x", strings.NewReader(text)); !errors.Is(err, context.Canceled) {
			t.Errorf("after cancelling: %v", err)
		}
	}
}

// A large mapping finds keys given twice too.
func TestReadClustersManyKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\"clusters\": [{")
	for i := range 40 {
		fmt.Fprintf(&b, "\"k%d\": 1,\n", i)
	}
	b.WriteString("\"k7\": 1}]}")
	_, err := readClusters(t, b.String())
	if err == nil || !strings.Contains(err.Error(), `field "k7" is given twice (first on line 8)`) {
		t.Error(err)
	}
}

func manyClusters(n int) string {
	var b strings.Builder
	b.WriteString(`{"clusters": [`)
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `{"name": "c%d", "local": {"rate": "%d/min", "service_time": "800ms", "scv": 0.01}, "external": {"service_time": "%gs", "scv": 0.25}}`, i, 3+i%40, 0.25+float64(i%17)/8)
	}
	b.WriteString("]}")
	return b.String()
}

func BenchmarkReadClusters(b *testing.B) {
	b.Run("json/clusters=1e5", func(b *testing.B) {
		text := []byte(manyClusters(100_000))
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := routes.ReadClusters(context.Background(), "x", bytes.NewReader(text)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("yaml/clusters=1e4", func(b *testing.B) {
		var s strings.Builder
		s.WriteString("clusters:\n")
		for i := range 10_000 {
			fmt.Fprintf(&s, "  - name: c%d\n    local: {rate: 0.3/s, service_time: 0.8s}\n    external: {service_time: 1s}\n", i)
		}
		text := []byte(s.String())
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := routes.ReadClusters(context.Background(), "x", bytes.NewReader(text)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Whatever is read, writing it as JSON and reading that gives the same; errors
// are *FileErrors that name a place within the content.
func FuzzReadClusters(f *testing.F) {
	for _, s := range []string{
		"clusters:\n- {name: a, local: &l {rate: 0.1..0.4/s, service_time: 1s}, external: {service_time: 500ms, scv: 2}}\n- {name: b, local: *l, external: {<<: *l}}\n",
		`{"clusters": [{"name": "a", "external": {"service_time": "1s"}}], "types": [{"name": "x", "share": "25%"}]}`,
		"clusters:\n  - name: |\n      a\n    external: {service_time: 1h30m}\n", "{clusters: [}", "- - - -", "? a\n: b", "--- x\n--- y", `{"a": [1, 2, {"b": null}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		file, err := routes.ReadClusters(context.Background(), "fuzz", bytes.NewReader(data))
		if err != nil {
			var e *source.FileError
			if !errors.As(err, &e) {
				t.Fatalf("%T: %v", err, err)
			}
			if e.Line > bytes.Count(data, []byte("\n"))+bytes.Count(data, []byte("\r"))+1 {
				t.Fatalf("line %d of a shorter file: %v", e.Line, err)
			}
			return
		}
		text, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		again, err := routes.ReadClusters(context.Background(), "again", bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(file, again, compareRanges); d != "" {
			t.Fatal(d)
		}
	})
}

func ExampleReadClusters() {
	text := `clusters:
  - name: C64
    local: {rate: 0.3/s, service_time: 800ms}
    external: {service_tim: 1s}
`
	_, err := routes.ReadClusters(context.Background(), "clusters.yaml", strings.NewReader(text))
	fmt.Println(err)
	// Output:
	// clusters.yaml:4:16: unknown field "service_tim" (did you mean service_time?), want one of service_time, scv; the line is "    external: {service_tim: 1s}"
}
