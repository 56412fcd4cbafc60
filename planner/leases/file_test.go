package leases

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capplan/capplan/queueing/routing"
)

func read(t *testing.T, text string) (*File, error) {
	t.Helper()
	return Read(context.Background(), "leases", strings.NewReader(text))
}

// The example file is the workload of InterGrid table 2 but for its rate.
func TestExampleIsTable2(t *testing.T) {
	data, err := os.ReadFile("../../testdata/leases.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := read(t, string(data))
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.System()
	if err != nil {
		t.Fatal(err)
	}
	if s.ReferenceSpeed != 1000 || s.LocalShare != 0.1 {
		t.Errorf("reference speed %v, local share %v", s.ReferenceSpeed, s.LocalShare)
	}
	want, err := routing.DAS2(routing.DAS2Setting{})
	if err != nil {
		t.Fatal(err)
	}
	want.Name, want.External.Name = "file", "external"
	want.External.Gap.Scale = 3.333
	near := cmp.Comparer(func(a, b float64) bool { return a-b < 2e-4 && b-a < 2e-4 })
	if d := cmp.Diff(want, s.Workload, near); d != "" {
		t.Error(d)
	}
}

// What is left out has its defaults.
func TestSystemDefaults(t *testing.T) {
	f, err := read(t, "external: {gap: {scale: 10s}, duration: {mean: 5s}}\nclusters: [{name: a, nodes: 4}]\noverheads: {migrate: 1min}\ntypes: {suspendable: 60%, migratable: 0.4}\nslack: 0.5\n")
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.System()
	if err != nil {
		t.Fatal(err)
	}
	w := s.Workload
	switch {
	case w.External.Gap.Shape != 1 || w.External.Gap.Scale != 10 || w.External.Duration.Sigma != 0 || w.External.CV != 0:
		t.Errorf("external %+v", w.External)
	case w.External.Size != oneNode || w.Sites[0].Speed != 1 || w.Sites[0].Elements != 4:
		t.Errorf("%+v", w)
	case w.Sites[0].Local.Gap.Mean() < 1e20:
		t.Errorf("local requests come every %v s", w.Sites[0].Local.Gap.Mean())
	case s.Overheads.Migrate != 60 || s.Overheads.Suspend != 160 || s.Overheads.Resume != 126:
		t.Errorf("overheads %+v", *s.Overheads)
	case s.Shares != [4]float64{0, 0.6, 0.4, 0} || *s.Slack != 0.5:
		t.Errorf("shares %v, slack %v", s.Shares, *s.Slack)
	}
}

// Whatever is wrong is named with its line and column.
func TestReadErrors(t *testing.T) {
	const external = "external: {gap: {scale: 10s}, duration: {mean: 5s}}\n"
	const clusters = "clusters: [{name: a, nodes: 4}]\n"
	size := func(text string) string {
		return "external:\n  gap: {scale: 10s}\n  duration: {mean: 5s}\n  size: {" + text + "}\n" + clusters
	}
	for _, c := range []struct {
		text         string
		line, column int
		says         string
	}{
		{"", 0, 0, "holds no content"},
		{clusters, 1, 1, `no field "external"`},
		{external, 1, 1, `no field "clusters"`},
		{external + "clusters: []\n", 2, 11, "0 clusters, want 1 to 10000"},
		{external + "clusters: [{name: a, nodes: 0}]\n", 2, 29, "nodes = 0, want 1 to 16777216"},
		{external + "clusters: [{name: '', nodes: 1}]\n", 2, 19, "without a name"},
		{external + "clusters: [{name: a, nodes: 1}, {name: a, nodes: 1}]\n", 2, 40, "given twice (first on line 2)"},
		{external + "clusters: [{name: a, nodes: 1, speed: 0}]\n", 2, 39, "speed = 0"},
		{external + "clusters: [{name: a, nodes: 1, sped: 0}]\n", 2, 32, "did you mean speed?"},
		{external + "clusters: [{name: a, nodes: 1, local: {gap: {scale: 0s}, duration: {mean: 1s}}}]\n", 2, 53, `local requests of "a": scale of the gaps = 0`},
		{"external: {gap: {scale: 10s, shape: 0}, duration: {mean: 5s}}\n" + clusters, 1, 37, "shape of the gaps = 0"},
		{"external: {gap: {scale: 10}, duration: {mean: 5s}}\n" + clusters, 1, 25, "scale = 10: "},
		{"external: {gap: {scale: 10s}, duration: {mean: 0s}}\n" + clusters, 1, 48, "mean duration = 0"},
		{"external: {gap: {scale: 10s}, duration: {mean: 1s, sigma: 9}}\n" + clusters, 1, 59, "sigma = 9, want 0 to 6"},
		{size("one: 60%, pow2: 60%, low: 0, knee: 1, high: 2, low_share: 50%"), 4, 26, "add up to 1.2"},
		{size("one: 20%, pow2: 60%, low: 1, knee: 1, high: 2, low_share: 50%"), 4, 36, "low = 1, want less than knee"},
		{size("one: 20%, pow2: 60%, low: 0, knee: 1, high: 1, low_share: 50%"), 4, 54, "high = 1, want more than knee"},
		{size("one: 20%, pow2: 60%, low: 0, knee: 1, high: 3, low_share: 50%"), 4, 54, "up to 8 nodes, want at most the 4 nodes"},
		{external + clusters + "types: {cancelable: 50%}\n", 3, 8, "add up to 0.5"},
		{external + clusters + "reference_speed: 0\n", 3, 18, "reference_speed = 0"},
		{external + clusters + "local_share: 0%\n", 3, 14, "local_share = 0"},
		{external + clusters + "local_share: 10%\n", 3, 14, "no cluster has local requests"},
		{external + clusters + "slack: -1\n", 3, 8, "slack = -1"},
		{external + clusters + "overheads: {suspend: 2}\n", 3, 22, "suspend = 2: "},
	} {
		_, err := read(t, c.text)
		var fault *FileError
		if !errors.As(err, &fault) {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if fault.Line != c.line || fault.Column != c.column || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q:\n%v\nwant %d:%d %s", c.text, err, c.line, c.column, c.says)
		}
	}
}
