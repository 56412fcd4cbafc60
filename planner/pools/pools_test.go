package pools

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim/pool"
)

func read(t *testing.T, text string) *File {
	t.Helper()
	f, err := Read(context.Background(), "pool.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestParseLaw(t *testing.T) {
	for _, c := range []struct {
		text string
		mean float64
	}{
		{"5min", 300},
		{"exponential 92min", 5520},
		{"deterministic 5000s", 5000},
		{"hyperexponential 33% 3min 40% 25min 27% 300min", 60 * 91.99},
		{"hyperexponential 33% 3min, 40% 25min, 27% 300min", 60 * 91.99},
		{"weibull 0.7 1h", 3600},
		{"lognormal 0.9 1h", 3600},
		{"weibull:0.7,5h", 18000},
		{"gamma 0.5 1h", 3600},
		{"empirical 1min 2min 6min", 180},
		// mpmath, quadrature of the two gamma laws up to 12.
		{"lublin", 3596.141945769522},
	} {
		l, err := ParseLaw(c.text, "exponential")
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		numtest.Close(t, c.text, l.Mean(), c.mean, 1e-9)
	}
	if l, _ := ParseLaw("5min", "exponential"); l != pool.Law(law.Exponential{Scale: 300}) {
		t.Errorf("a time alone is %v", l)
	}
	for _, bad := range []string{"", "exponential", "exponential 0", "exponential 5", "pareto 1h", "weibull 1h", "weibull 0 1h",
		"hyperexponential 50% 1h", "hyperexponential 1h 50%", "empirical", "empirical 0", "lublin 3h", "gamma 1 1h 2h"} {
		if l, err := ParseLaw(bad, "exponential"); err == nil {
			t.Errorf("%q is %v", bad, l)
		}
	}
}

// What a file leaves out is as in the paper.
func TestDefaults(t *testing.T) {
	p, warnings, err := read(t, "{dedicated: 100, jobs: {rate: 0.1/s}}").Pool(context.Background(), "", source.OpenOptions{})
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	want := pool.Default(.1)
	if p.Public.Machines != want.Public.Machines || p.Link != want.Link || p.Epoch != 120 || p.CoolDown != 120 || p.Replicas != 2 ||
		p.Jobs != want.Jobs || p.Agreement != want.Agreement || p.Public.Coming.Availability() != want.Public.Coming.Availability() {
		t.Errorf("%+v\nwant %+v", p, want)
	}
	p, _, err = read(t, `{dedicated: 1, epoch: 60s, precopy: 10%, policy: static, replicas_from: store,
		public: {machines: 7, speed: 0.5, speed_cv: 0.7, on_off: 5min/2min}, link: {up: 8Mbps},
		agreement: {max_load: 1..3, max_elongation: 50%}, jobs: {rate: 1/s, work: exponential 10s, footprint: 2MB, users: 3}}`).
		Pool(context.Background(), "", source.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// 5min/2min is the example of PCU section 4.6: A = 5/7.
	numtest.Close(t, "availability", p.Public.Coming.Availability(), 5./7, 1e-15)
	numtest.Close(t, "speed", p.Public.Speed.Mean(), .5, 1e-12)
	w := p.Jobs.(pool.Poisson)
	if p.CoolDown != 60 || p.Frozen != .1 || p.Policy != pool.Static || !p.FromStore || p.Link.Up != 8e6 || p.Link.Down != 100e6 ||
		p.Agreement.MaxLoad != [2]float64{1, 3} || p.Agreement.MaxElongation != .5 || w.Users != 3 || w.Footprint != 16e6 {
		t.Errorf("%+v", p)
	}
}

// A log is jobs of one processor, a trace goes round, both as by hand.
func TestFilesBeside(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"jobs.swf": "1 10 -1 1000 2 -1 -1 2 1000 -1 1 7 1 -1 1 -1 -1 -1\n2 600 -1 500 1 -1 2000 1 1000 -1 1 8 1 -1 1 -1 -1 -1\n",
		// Node 1: up 0..50, down to 60, nothing known to 65, up to 90. Node 2: never up and down.
		"events.tab": "1\t0\t1\t0\ta\t1\t0\t50\n2\t0\t1\t0\ta\t0\t50\t60\n3\t0\t1\t0\ta\t1\t65\t90\n4\t0\t1\t0\ta\t0\t90\t100\n5\t0\t2\t0\tb\t1\t0\t100\n",
		"speeds.txt": "0.3\n\n# slow\n0.5\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, warnings, err := read(t, `{dedicated: 1, public: {machines: 5, speeds: speeds.txt, trace: events.tab},
		jobs: {swf: jobs.swf, reference_speed: 0.5, footprint: 2MB}}`).Pool(context.Background(), dir, source.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	log := p.Jobs.(pool.Log)
	want := pool.Log{
		{At: 0, Work: 500, Footprint: 16e6, User: 0},
		{At: 0, Work: 500, Footprint: 16e6, User: 0},
		{At: 590, Work: 250, Footprint: 3 * 2000 * 1024 * 8, User: 1},
	}
	if len(log) != 3 || log[0] != want[0] || log[1] != want[1] || log[2] != want[2] {
		t.Errorf("log %v, want %v", log, want)
	}
	if tr := p.Public.Coming.Traces; len(tr) != 1 || len(tr[0]) != 4 || tr[0][0] != 50 || tr[0][1] != 10 || tr[0][2] != 25 || tr[0][3] != 10 {
		t.Errorf("traces %v", tr)
	}
	if len(warnings) != 2 {
		t.Errorf("warnings %q", warnings)
	}
	if v := p.Public.Speeds; len(v) != 2 || v[1] != .5 {
		t.Errorf("speeds %v", v)
	}
	// E[max of 2 of {.3, .5}]: .3 with chance 1/4.
	numtest.Close(t, "fastest", fastestOf(p.Public.Speeds, 2), .45, 1e-15)
}

func TestAskHasEveryFigure(t *testing.T) {
	p := pool.Default(.005)
	p.Dedicated, p.Public.Machines = 5, 200
	var names []string
	for _, f := range p.Figures() {
		names = append(names, f.Name)
	}
	a, err := Ask(context.Background(), &Question{Pool: p, Seed: 1, Replications: 3, Horizon: 40000, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	filled := 0
	for _, i := range []simulate.Interval{a.Figures.Elongation, a.Figures.Detection, a.Figures.Unfinished, a.Figures.Correlation, a.Figures.UplinkUse} {
		if i.Mean != nil && i.Low != nil && i.High != nil && *i.Low <= *i.Mean && *i.Mean <= *i.High {
			filled++
		}
	}
	if filled != 5 || len(names) != 26 {
		t.Errorf("%d of 5 figures, %d names, %+v", filled, len(names), a.Figures)
	}
	// The closed form of the same machines, by mpmath: E[max of 2] = .428957,
	// and 5 machines under 25 erl are always busy.
	numtest.Close(t, "chain", *a.Chain.Elongation, .8*(1/.428957008884-1), 1e-8)
}

// Jobs of fourteen hours at machines enough are 100 at a time. A day, with six hours of warm-up, told 85 to 92 and half
// of the goodput.
func TestLongJobsFillThePool(t *testing.T) {
	p := pool.Default(.002)
	p.Dedicated, p.Public.Machines, p.Epoch, p.CoolDown = 400, 2, 60, 60
	p.Jobs = pool.Poisson{Rate: .002, Work: law.Exponential{Scale: 50000}, Users: 20}
	a, err := Ask(context.Background(), &Question{Pool: p, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	f := &a.Figures
	if !(*f.MeanJobs.Low <= 100 && 100 <= *f.MeanJobs.High) || !(*f.GoodputShare.Mean > .97) || a.Horizon != 17*50000 {
		t.Errorf("%v to %v jobs, want 100; goodput share %v; horizon %v", *f.MeanJobs.Low, *f.MeanJobs.High,
			*f.GoodputShare.Mean, a.Horizon)
	}
}

func TestAskRefuses(t *testing.T) {
	p := pool.Default(.005)
	late := 1e9
	for i, q := range []Question{
		{Pool: pool.Pool{}},
		{Pool: p, WarmUp: &late},
		{Pool: p, Horizon: math.Inf(1)},
		{Pool: p, Horizon: 1e15},
		{Pool: p, Replications: -1},
		{Pool: p, Precision: 2},
	} {
		if _, err := Ask(context.Background(), &q); err == nil {
			t.Errorf("case %d: no error", i)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Ask(ctx, &Question{Pool: p}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
