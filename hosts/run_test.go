package hosts

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/law"
)

func chance(seed uint64) Chance {
	return func(entity ...uint64) *rand.Rand {
		key := seed
		for _, e := range entity {
			key = key*0x9e3779b97f4a7c15 + e
			key ^= key >> 29
		}
		return rand.New(rand.NewPCG(seed, key))
	}
}

func begin(t *testing.T, p *Platform, seed uint64) *Run {
	t.Helper()
	r, err := p.Begin(chance(seed))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// upAt says whether a host is there at t, and how long it was so until then.
func upAt(h Host, t float64) (bool, float64) {
	up, since := 0.0, 0.0
	for h.Until <= t {
		if h.Up {
			up += h.Until - since
		}
		since = h.Until
		h.Next()
	}
	if h.Up {
		up += t - since
	}
	return h.Up, up
}

func platform(groups int) *Platform {
	p := &Platform{
		Count: 40,
		Up:    law.Weibull{Shape: 0.7, Scale: 500},
		Down:  law.LogNormal{Mu: 5, Sigma: 1},
		Speed: Speed{Mean: 1000, SD: 250},
	}
	if groups > 0 {
		p.Groups = Groups{Count: groups, Up: law.Exponential{Scale: 3000}, Down: law.Exponential{Scale: 1000}}
	}
	return p
}

// From the first moment on the number of machines there has the mean and the
// spread of the closed form, with groups and without.
func TestCoursesAreSteady(t *testing.T) {
	for _, groups := range []int{0, 1, 4, -1, -4} {
		p := platform(max(groups, -groups))
		if groups < 0 { // machines of records, two of three there all together half of the time
			p.Count, p.Up, p.Down = 0, nil, nil
			for i := range 40 {
				r := Record{Changes: []float64{0, 500}, Span: 1000}
				if i%3 == 0 {
					r.Changes = []float64{float64(20 * i), float64(20*i) + 100}
				}
				p.Records = append(p.Records, r)
			}
		}
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		mean, sd := p.Present()
		for _, at := range []float64{0, 700, 4000} {
			const runs = 250
			sum, squares := 0.0, 0.0
			for seed := range uint64(runs) {
				r, count := begin(t, p, seed), 0.0
				for i := range p.Machines() {
					if up, _ := upAt(r.Host(i), at); up {
						count++
					}
				}
				sum += count
				squares += count * count
			}
			m := sum / runs
			s := math.Sqrt((squares - sum*m) / (runs - 1))
			if math.Abs(m-mean) > 4*sd/math.Sqrt(runs) {
				t.Errorf("%d groups, at %v s: mean %v, want %v", groups, at, m, mean)
			}
			if math.Abs(s/sd-1) > 0.2 { // 4 to 5 standard errors of a spread over 250 runs
				t.Errorf("%d groups, at %v s: spread %v, want %v", groups, at, s, sd)
			}
		}
	}
}

// A machine does the same in whatever order others are asked for.
func TestCoursesAreKeyed(t *testing.T) {
	p := platform(2)
	a, b := begin(t, p, 7), begin(t, p, 7)
	for i := range p.Count {
		b.Host(p.Count - 1 - i)
	}
	for i := range p.Count {
		x, y := a.Host(i), b.Host(i)
		for range 20 {
			if x.Up != y.Up || x.Until != y.Until || x.Speed != y.Speed {
				t.Fatalf("machine %d: %v until %v, and %v until %v", i, x.Up, x.Until, y.Up, y.Until)
			}
			x.Next()
			y.Next()
		}
	}
}

func TestStatesTakeTurns(t *testing.T) { takeTurns(t, platform(3)) }

// A stay of 1e20 s, to which a float adds no minute, ends all the same: of machines whose stays spread so
// far some are met in one, and drawing what follows did not end.
func TestEndlessStaysTakeTurns(t *testing.T) {
	for _, groups := range []int{0, 3} {
		p := platform(groups)
		p.Count, p.Up, p.Down = 5000, law.LogNormal{Mu: 8, Sigma: 5}, law.Exponential{Scale: 73}
		takeTurns(t, p)
	}
}

func takeTurns(t *testing.T, p *Platform) {
	t.Helper()
	r := begin(t, p, 3)
	for i := range p.Count {
		h := r.Host(i)
		now := 0.0
		for range 200 {
			up := h.Up
			if !(h.Until > now) {
				t.Fatalf("machine %d: a state from %v to %v", i, now, h.Until)
			}
			now = h.Until
			if h.Next(); h.Up == up {
				t.Fatalf("machine %d: twice up = %v", i, up)
			}
		}
	}
}

func TestDeparture(t *testing.T) {
	p := platform(0)
	p.Departure = 1
	r := begin(t, p, 1)
	for i := range p.Count {
		h := r.Host(i)
		for range 3 {
			h.Next()
		}
		if h.Up || !math.IsInf(h.Until, 1) {
			t.Errorf("machine %d: up %v until %v", i, h.Up, h.Until)
		}
	}
}

// A record is played from one random moment on and gone round.
func TestRecords(t *testing.T) {
	p := &Platform{Count: 5, Speed: Speed{Mean: 1}, Records: []Record{
		{Changes: []float64{10, 40, 70, 90}, Span: 100},
		{Changes: []float64{0, 50, 80}, Span: 100}, // up over the end
		{Changes: []float64{0}, Span: 100},         // always
		{Span: 100},                                // never
		{Changes: []float64{0, 30, 80, 100}, Span: 100},
	}}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	r := begin(t, p, 5)
	start := 100 * r.start
	for i, rec := range p.Records {
		h := r.Host(i)
		_, up := upAt(h, 1000)
		if want := 10 * rec.Up(); math.Abs(up-want) > 1e-6 {
			t.Errorf("machine %d: up for %v of 1000 s, want %v", i, up, want)
		}
		for _, at := range []float64{0, 13, 250, 999} {
			place, state := math.Mod(start+at, 100), false
			for _, c := range rec.Changes {
				if c <= place {
					state = !state
				}
			}
			if up, _ := upAt(r.Host(i), at); up != state {
				t.Errorf("machine %d at %v: up %v, want %v", i, at, up, state)
			}
		}
	}
	mean, sd := p.Present()
	if math.Abs(mean-(0.5+0.7+1+0+0.5)) > 1e-12 || !(sd > 0) {
		t.Errorf("count %v ± %v", mean, sd)
	}
}

func TestPlatformsThatAreNone(t *testing.T) {
	for name, change := range map[string]func(*Platform){
		"no machines":  func(p *Platform) { p.Count = 0 },
		"no speed":     func(p *Platform) { p.Speed.Mean = 0 },
		"spread":       func(p *Platform) { p.Speed.SD = math.NaN() },
		"departure":    func(p *Platform) { p.Departure = 1.5 },
		"groups":       func(p *Platform) { p.Groups.Count = 3 },
		"no law of up": func(p *Platform) { p.Up = nil },
		"mean":         func(p *Platform) { p.Up = law.Exponential{} },
		"span":         func(p *Platform) { p.Count, p.Records = 1, []Record{{}} },
		"backward":     func(p *Platform) { p.Count, p.Records = 1, []Record{{Changes: []float64{4, 2}, Span: 9}} },
		"beyond":       func(p *Platform) { p.Count, p.Records = 1, []Record{{Changes: []float64{4, 20}, Span: 9}} },
	} {
		p := platform(0)
		change(p)
		var domain *DomainError
		if err := p.Check(); !errors.As(err, &domain) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Runs of records begin where they are told to, and are as random as ever else.
func TestChanceFrom(t *testing.T) {
	p := &Platform{Records: []Record{{Changes: []float64{100, 300}, Span: 1000}}, Speed: Speed{Mean: 1, SD: 0.2}}
	chance := Chance(func(e ...uint64) *rand.Rand { return rand.New(rand.NewPCG(7, uint64(len(e)))) })
	for _, k := range []struct {
		share float64
		up    bool
		until float64
	}{{0, false, 100}, {0.05, false, 50}, {0.125, true, 175}, {0.25, true, 50}, {0.375, false, 725}, {0.999, false, 101}} {
		r, err := p.Begin(chance.From(k.share))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := p.Begin(chance)
		if err != nil {
			t.Fatal(err)
		}
		h := r.Host(0)
		if h.Up != k.up || math.Abs(h.Until-k.until) > 1e-9 || h.Speed != plain.Host(0).Speed {
			t.Errorf("from %v: up %v until %v, want %v until %v", k.share, h.Up, h.Until, k.up, k.until)
		}
	}
}

// Another run of the same platform is as one that begins anew.
func TestRunAgain(t *testing.T) {
	p := &Platform{
		Count: 3, Up: law.Exponential{Scale: 3600}, Down: law.Exponential{Scale: 600}, Speed: Speed{Mean: 1000, SD: 100},
		Groups: Groups{Count: 2, Up: law.Exponential{Scale: 9000}, Down: law.Exponential{Scale: 600}},
	}
	first, err := p.Begin(chance(1))
	if err != nil {
		t.Fatal(err)
	}
	again, err := first.Again(chance(2))
	if err != nil {
		t.Fatal(err)
	}
	anew, err := p.Begin(chance(2))
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Count {
		a, b := again.Host(i), anew.Host(i)
		for range 20 {
			if a.Up != b.Up || a.Until != b.Until || a.Speed != b.Speed {
				t.Fatalf("machine %d: up %v until %v again, %v until %v anew", i, a.Up, a.Until, b.Up, b.Until)
			}
			a.Next()
			b.Next()
		}
	}
	for _, r := range []*Run{nil, {}} {
		if _, err := r.Again(chance(1)); err == nil {
			t.Error("a run that did not begin goes again")
		}
	}
}

// Runs draw gamma stays, and those that cover time 0, from tables: they are those of the laws, also of groups, to
// what a table keeps.
func TestRunsByTables(t *testing.T) {
	exactly := func(up, down law.Law) *renewal {
		of := func(l law.Law) interval {
			return interval{law.QuantilesOf(l), law.LengthBiasedQuantiles(l), longest * l.Mean()}
		}
		return &renewal{share(up, down), up.Mean() + down.Mean(), of(up), of(down)}
	}
	p := platform(2)
	p.Up, p.Down = law.Gamma{Shape: 0.5, Scale: 900}, law.Gamma{Shape: 3, Scale: 70}
	p.Groups.Up = law.Gamma{Shape: 0.2, Scale: 20_000}
	exact, err := p.begin(chance(5), renewals{exactly(p.Up, p.Down), exactly(p.Groups.Up, p.Groups.Down)})
	if err != nil {
		t.Fatal(err)
	}
	first := begin(t, p, 5)
	again, err := first.Again(chance(5))
	if err != nil {
		t.Fatal(err)
	}
	differ := false
	for i := range p.Count {
		a, b, c := exact.Host(i), first.Host(i), again.Host(i)
		for range 50 {
			if a.Up != b.Up || b.Up != c.Up || b.Until != c.Until || math.Abs(a.Until-b.Until) > 1e-6*a.Until {
				t.Fatalf("machine %d: %v until %v by the laws, %v until %v by tables", i, a.Up, a.Until, b.Up, b.Until)
			}
			differ = differ || a.Until != b.Until
			a.Next()
			b.Next()
			c.Next()
		}
	}
	if !differ {
		t.Error("there is no table")
	}
}

// A machine that comes and goes by gamma laws, once its run has tables.
func BenchmarkReturns(b *testing.B) {
	p := platform(1)
	p.Up, p.Down, p.Groups = law.Gamma{Shape: 0.2, Scale: 900}, law.Exponential{Scale: 20}, Groups{}
	run, err := p.Begin(chance(1))
	if err != nil {
		b.Fatal(err)
	}
	h := run.Host(0)
	for b.Loop() {
		h.Next()
	}
}
