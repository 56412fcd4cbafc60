package bags

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// wave are bags that were drawn by a seed and written down before any of them was run: server;
// hosts, by name or as count/stays/absences/spread of speed with e, w and l an exponential law of
// that scale, a Weibull of shape 0.6 and a lognormal one of that mean; tasks; seconds of a task;
// arrivals, by a law too or half of them at once and half at a moment; departures; results and
// quorum, 0 for the defaults. By W9, W15 (machines lost and counted twice in long steps), W3 (old
// machines ask late), W34 (many saves) and W32 (runs for departures) the law was mended; then X1 on were
// drawn, and by X6 (overdue results) it was once more.
const wave = `
W1    xwhep      seti                          2600  27000 e230      0      0 0
W2    xwhep      nd                             440     73 e120      0      0 0
W3    boinc      g5klyo                         170     22 none      0      3 2
W4    boinc      g5kgre                        1200    1.7 none      0.034  3 3
W5    checkpoint spot10                          25  25000 w0.57/85  0.067  0 0
W6    checkpoint spot100                        140     67 burst5900 0      0 0
W7    xwhep      seti                           430  12000 w0.57/210 0      0 0
W8    xwhep      nd                            1300    280 burst1300 0.011  0 0
W9    boinc      g5klyo                        7000   1300 w0.57/620 0      2 1
W10   boinc      g5kgre                         200   2800 e250      0      2 1
W11   checkpoint spot10                        1300   2700 w0.57/150 0      0 0
W12   checkpoint spot100                         40  21000 none      0.027  0 0
W13   xwhep      seti                            64     11 e850      0.014  0 0
W14   xwhep      nd                               9    2.9 none      0      0 0
W15   boinc      g5klyo                       13000    250 e11000    0      2 2
W16   boinc      g5kgre                        5300     43 none      0.082  3 3
W17   checkpoint spot10                         490     77 w0.57/670 0.019  0 0
W18   checkpoint spot100                       1000   2500 burst940  0      0 0
W19   xwhep      seti                            74    910 w0.57/220 0      0 0
W20   xwhep      nd                              25     26 none      0      0 0
W21   boinc      g5klyo                       13000    140 burst9400 0      3 3
W22   boinc      g5kgre                         120  11000 burst15000 0      2 1
W23   checkpoint spot10                        3100    520 none      0      0 0
W24   checkpoint spot100                         19   1800 w0.57/2600 0      0 0
W25   xwhep      seti                            92    780 e380      0      0 0
W26   xwhep      nd                            1100   1100 burst2500 0      0 0
W27   xwhep      150/w83000/l870/0               13    5.8 e10000    0.072  0 0
W28   checkpoint 85/l61000/l1500/0.25          6600    6.9 e100      0.013  0 0
W29   checkpoint 370/w8500/l2100/0               35    6.8 burst7700 0      0 0
W30   xwhep      260/w5300/w17000/0.1          2600   1100 burst6500 0      0 0
W31   boinc      1400/w48000/w1200/0.25        9600    660 burst2100 0      4 3
W32   boinc      570/w2700/e680/0                56  29000 e130      0.016  1 1
W33   boinc      75/e51000/w14000/0             570     26 e540      0      4 3
W34   checkpoint 1600/w5700/l34000/0           1300  25000 none      0      0 0
W35   checkpoint 520/e65000/w20000/0           6700   3100 burst15000 0      0 0
W36   xwhep      510/w64000/w920/0               27  35000 w0.57/57  0      0 0
W37   boinc      95/e12000/w26000/0.25           25     64 none      0      3 2
X1    boinc      g5klyo                        1100    5.2 e3900     0      2 1
X2    boinc      spot10                        5700   3700 w0.57/2400 0      1 1
X3    checkpoint nd                             660  11000 burst5600 0      0 0
X4    checkpoint 150/e38000/l5900/0.1            31    500 burst1100 0      0 0
X5    boinc      spot100                       1700     36 none      0      4 3
X6    boinc      g5kgre                         180    750 w0.57/57  0      1 1
X7    checkpoint nd                            6700    450 w0.57/320 0      0 0
X8    boinc      220/l14000/w1400/0              42   6900 w0.57/310 0      3 3
X9    boinc      spot10                          54    880 w0.57/470 0      2 2
X10   boinc      spot10                        1900    180 e10000    0      2 1
X11   checkpoint g5klyo                         560    370 e20000    0      0 0
X12   checkpoint 270/l6600/w21000/0.1          5900   1300 w0.57/52  0      0 0
X13   boinc      g5klyo                        3100     55 e1000     0      3 3
X14   boinc      g5klyo                          25  11000 none      0      3 2
X15   boinc      spot10                         210   5500 none      0      2 1
X16   checkpoint 730/w4100/w2000/0             2700   1900 none      0      0 0
X17   boinc      spot10                        1000    5.9 burst5500 0      3 3
X18   boinc      g5klyo                        2100    170 none      0      3 3
X19   checkpoint nd                             870    7.3 e1300     0      0 0
X20   boinc      410/w4200/e2100/0.25           100   2700 e220      0      3 3
`

// waveLaw reads a law.
func waveLaw(t *testing.T, text string) law.Law {
	t.Helper()
	kind, rest := text[0], text[1:]
	if shape, scale, ok := strings.Cut(rest, "/"); ok {
		return law.Weibull{Shape: waveNumber(t, shape), Scale: waveNumber(t, scale)}
	}
	v := waveNumber(t, rest)
	switch kind {
	case 'e':
		return law.Exponential{Scale: v}
	case 'w':
		return law.Weibull{Shape: 0.6, Scale: v}
	}
	return law.LogNormal{Mu: math.Log(v) - 1.3*1.3/2, Sigma: 1.3}
}

func waveNumber(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// waveCase reads a line.
func waveCase(t *testing.T, f []string) *bot.Case {
	t.Helper()
	p, ok := NamedHosts(f[2])
	if !ok {
		x := strings.Split(f[2], "/")
		p = &hosts.Platform{Name: "laws", Count: int(waveNumber(t, x[0])), Up: waveLaw(t, x[1]), Down: waveLaw(t, x[2]),
			Speed: hosts.Speed{Mean: 1000, SD: 1000 * waveNumber(t, x[3])}}
	}
	p.Departure = waveNumber(t, f[6])
	tasks, work := waveNumber(t, f[3]), waveNumber(t, f[4])*p.Speed.Mean
	b := bags.Bag{Size: bags.Spread{Mean: tasks}, Work: bags.Spread{Mean: work}}
	switch at, burst := strings.CutPrefix(f[5], "burst"); {
	case burst:
		for i := range int(tasks) {
			task := bags.Task{Work: work}
			if 2*i >= int(tasks) {
				task.Arrival = waveNumber(t, at)
			}
			b.Tasks = append(b.Tasks, task)
		}
	case f[5] != "none":
		b.Arrival = waveLaw(t, f[5])
	}
	s, err := server(f[1])
	if err != nil {
		t.Fatal(err)
	}
	rules := bags.Rules{Results: int(waveNumber(t, f[7])), Quorum: int(waveNumber(t, f[8]))}
	return &bot.Case{Bag: b, Hosts: p, Server: s, Rules: rules}
}

// What finish says of these, by formula or by runs, is within 5 % of the simulated median and 10 %
// of the 95 % point but for what chance leaves open, or told as a range that holds these.
func TestFinishOfAWave(t *testing.T) {
	for i, line := range strings.Split(strings.TrimSpace(wave), "\n") {
		f := strings.Fields(line)
		runs := longtest.Of(40, 200)
		switch {
		case !longtest.Wanted() && (i%6 != 1 || i > 20):
			continue
		case f[2] == "seti":
			runs = 60
		}
		c := waveCase(t, f)
		l, drawn, err := lawOf(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		ends := make([]float64, runs)
		for r := range ends {
			o, err := bot.Simulate(c, func(e ...uint64) *rand.Rand { return sim.Stream(77, r, e...) }, nil)
			if err != nil {
				t.Fatal(err)
			}
			ends[r] = o.End
		}
		slices.Sort(ends)
		for _, q := range []struct{ p, bound float64 }{{0.5, 0.05}, {0.95, 0.1}} {
			sd := math.Sqrt(q.p * (1 - q.p) / float64(runs))
			if drawn > 0 {
				sd *= math.Sqrt(1 + float64(runs)/float64(drawn))
			}
			at := func(p float64) float64 { return ends[min(runs-1, int(max(0, p)*float64(runs)))] }
			got, low, high := l.Quantile(q.p), at(q.p-2*sd), at(q.p+2*sd)
			if q.p+2*sd >= 1 {
				high = math.Inf(1)
			}
			from, to := l.Plateau(q.p)
			told := drawn == 0 && to >= plateauSpan*from && low >= 0.9*from && at(q.p) <= 1.1*to
			t.Logf("%s %s p%.0f: %.5g s, simulated %.5g s (%.5g to %.5g), off by %+.1f %%, drawn %d, told %v",
				f[0], f[1], 100*q.p, got, at(q.p), low, high, 100*(got/at(q.p)-1), drawn, told)
			if !told && (got < low*(1-q.bound) || got > high*(1+q.bound)) {
				t.Errorf("%s: p%.0f is %.5g s, simulated %.5g to %.5g s", line, 100*q.p, got, low, high)
			}
		}
	}
}
