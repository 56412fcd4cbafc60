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
// drawn, and by X6 (overdue results) it was once more. Y1 on were drawn by seed 481516 when all of
// these were within their bounds, of laws of any shape too (the number behind e, w or l where it is
// below 10), of tasks that spread (behind ~, the standard deviation over the mean) and of groups with
// the laws of their stays and outages. Of 60 to 400 runs of each, by seed 31337, two were off and not
// warned of: Y10 (unlike tasks that come within a part of the time of one: -10 % at the median, drawn
// now) and Y35 (slow machines where all results are wanted: +16 % at both points). Y29, Y31, Y44 and
// Y71 are, as too large to be drawn: -28 to -1 % at the median and -9 to -76 % at the 95 % point; of
// Y71, which is never done as its machines leave for good, 14 d were told. W16, one of 46 drawn runs,
// has its 95 % point between one deadline and two: 120,000 s by 2000 runs (106,000 to 150,000), where
// 1 % of chance is 10 to 20 % of the time, so that its drawn runs say 88,000 to 174,000.
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
Y1 xwhep 81/l1.8/30000/e1600/0.1 5200 9300 none 0 0 0
Y2 boinc spot100 10 710~0.15 none 0 2 1
Y3 checkpoint 320/w0.7/14000/e14000/0.25 3500 2800~0.05 e380 0 0 0
Y4 xwhep 180/e13000/w0.4/690/0.25 8900 1800~0.1 e140 0.0054 0 0
Y5 boinc 2700/w0.4/33000/e1700/0.1 1100 19000 burst5500 0 0 0
Y6 checkpoint nd 470 200 burst520 0 0 0
Y7 xwhep 340/l1.3/2900/l0.8/6800/0 410 150 e6100 0 0 0
Y8 boinc 1200/e1500/l1.3/80/0 1700 81 none 0 2 2
Y9 checkpoint 1300/w0.7/2700/w1.5/1100/0.4 88 2800~0.1 none 0 0 0 2/e160000/e2700
Y10 xwhep 270/l0.8/58000/l0.5/3100/0.1 21 50000~0.15 e2200 0 0 0
Y11 boinc 530/l0.5/2300/w0.4/47/0 500 32~0.05 none 0 0 0
Y12 checkpoint nd 620 1300~0.3 none 0 0 0
Y13 xwhep 1000/l1.8/29000/e29000/0.25 42 2900~0.1 e850 0.028 0 0
Y14 boinc seti 120 7.7~0.1 none 0 0 0
Y15 checkpoint spot10 95 5700 none 0 0 0
Y16 xwhep g5kgre 9 2100 w0.57/170 0 0 0
Y17 boinc 1800/e39000/l1.3/17000/0 640 320 none 0.07 2 1
Y18 checkpoint g5klyo 800 2.2~0.05 none 0 0 0
Y19 xwhep 480/w1.5/1800/w0.4/770/0 4800 1200 none 0 0 0
Y20 boinc seti 8300 220~0.05 none 0 2 1
Y21 checkpoint 490/l0.8/1900/l0.5/4500/0 4700 740~0.05 e13000 0 0 0
Y22 xwhep spot10 190 560 burst920 0 0 0
Y23 boinc g5kgre 6 41~0.15 none 0 4 3 4/e83000/e1900
Y24 checkpoint 100/w0.4/5300/w1.5/1300/0.1 43 120 none 0 0 0
Y25 xwhep 620/e28000/e66000/0.25 6 3100 e390 0.082 0 0
Y26 boinc seti 2100 82~0.05 e3900 0 3 3
Y27 checkpoint 2400/w1.5/30000/w0.4/3400/0 16 23000 w0.57/1100 0 0 0
Y28 xwhep g5kgre 21 96~0.1 none 0 0 0
Y29 boinc g5klyo 20000 1.1~0.15 none 0 3 3
Y30 checkpoint g5klyo 16 27 none 0 0 0
Y31 xwhep 1400/e1600/e1600/0 11000 130 e210 0 0 0 8/e38000/e13000
Y32 boinc spot100 64 400 burst6200 0.016 0 0
Y33 checkpoint spot10 62 5900~0.1 none 0 0 0
Y34 xwhep 140/l1.3/6100/l1.3/6100/0 27 500~0.05 none 0 0 0
Y35 boinc 97/w0.5/19000/e4600/0.4 280 11000 none 0 2 2
Y36 checkpoint 180/e19000/w0.4/8100/0.4 170 1100 w0.57/1900 0 0 0
Y37 xwhep seti 4100 12~0.1 none 0 0 0
Y38 boinc 1200/e1300/l1.8/30/0 10000 22 none 0 0 0
Y39 checkpoint 88/l0.5/2500/w0.7/280/0.1 20000 13 none 0.0079 0 0
Y40 xwhep 190/w0.4/1300/e310/0.4 1400 170~0.15 e750 0 0 0
Y41 boinc g5klyo 150 62 none 0 2 2 4/e52000/e13000
Y42 checkpoint 750/w0.7/79000/l1.3/8800/0 15000 2700~0.15 none 0 0 0
Y43 xwhep 57/w0.7/5000/l1.8/1300/0 990 3100 none 0 0 0
Y44 boinc seti 270 640 none 0 2 1 8/e18000/e4200
Y45 checkpoint spot100 950 150 none 0 0 0
Y46 xwhep spot10 58 320~0.05 none 0 0 0
Y47 boinc 210/l1.8/52000/l0.5/13000/0.25 32 8900 none 0 2 1
Y48 checkpoint g5klyo 8 2.1 none 0 0 0
Y49 xwhep 1100/w0.7/5100/w0.9/2200/0 5 710~0.15 e800 0.027 0 0 8/e68000/e2900
Y50 boinc seti 17000 8.8 e2700 0 2 2
Y51 checkpoint 680/l1.8/97000/e230000/0.1 77 65000 none 0.079 0 0
Y52 xwhep 920/w0.7/56000/w0.5/24000/0.25 94 36000~0.3 none 0.061 0 0
Y53 boinc g5klyo 280 17 w0.57/150 0 0 0 4/e57000/e3100
Y54 checkpoint g5klyo 9900 1 e400 0 0 0
Y55 xwhep 260/e15000/e15000/0.4 8 210 none 0 0 0
Y56 boinc 69/e13000/e13000/0.25 9200 120 e720 0 4 3
Y57 checkpoint 1200/w1.5/2600/w1.5/1100/0.1 930 1200 none 0 0 0 8/e150000/e8400
Y58 xwhep spot10 840 28 none 0 0 0
Y59 boinc g5kgre 29 3.4~0.1 none 0 3 3 2/e18000/e17000
Y60 checkpoint 1000/e17000/w0.7/17000/0 1400 1700~0.05 w0.57/5100 0 0 0
Y61 xwhep 1000/w1.5/32000/l0.8/1700/0 23 590 none 0.054 0 0
Y62 boinc seti 81 33 none 0.0079 0 0
Y63 checkpoint spot10 9 1100 w0.57/100 0 0 0
Y64 xwhep 110/w0.9/50000/l1.3/50000/0.25 41 2000 none 0.044 0 0
Y65 boinc g5kgre 5700 2.5 none 0.023 0 0
Y66 checkpoint nd 180 53000~0.3 e5800 0 0 0
Y67 xwhep 1100/e36000/e36000/0 490 9400 e4400 0.0058 0 0
Y68 boinc 1100/l1.8/11000/l1.3/600/0.4 230 1500 w0.57/1300 0.023 0 0
Y69 checkpoint spot100 11 740~0.15 none 0 0 0
Y70 xwhep spot10 330 4600~0.3 none 0 0 0
Y71 boinc 230/l0.5/4200/w0.4/470/0 6900 6500 none 0.025 4 3 8/e19000/e1900
Y72 checkpoint 1800/l1.8/39000/w0.5/90000/0.4 880 31000 none 0 0 0
`

// warnedOf are those that are too large to be drawn where the formula is warned of: unlike tasks,
// groups, and machines that leave for good.
var warnedOf = []string{"Y29", "Y31", "Y44", "Y71"}

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

// shapedLaw reads the first of some laws, of a shape where its number is below 10, and returns the
// others.
func shapedLaw(t *testing.T, x []string) (law.Law, []string) {
	t.Helper()
	shape := waveNumber(t, x[0][1:])
	switch kind := x[0][0]; {
	case shape >= 10:
		return waveLaw(t, x[0]), x[1:]
	case kind == 'w':
		return law.Weibull{Shape: shape, Scale: waveNumber(t, x[1])}, x[2:]
	default:
		return law.LogNormal{Mu: math.Log(waveNumber(t, x[1])) - shape*shape/2, Sigma: shape}, x[2:]
	}
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
		p = &hosts.Platform{Name: "laws", Count: int(waveNumber(t, x[0]))}
		p.Up, x = shapedLaw(t, x[1:])
		p.Down, x = shapedLaw(t, x)
		p.Speed = hosts.Speed{Mean: 1000, SD: 1000 * waveNumber(t, x[0])}
	}
	p.Departure = waveNumber(t, f[6])
	rules := bags.Rules{Results: int(waveNumber(t, f[7])), Quorum: int(waveNumber(t, f[8]))}
	for _, more := range f[9:] {
		switch x := strings.Split(more, "/"); more[0] {
		case 'A':
			rules.Ask = waveNumber(t, more[1:])
		case 'B':
			rules.Backoff = waveNumber(t, more[1:])
		case 'D':
			rules.Deadline = waveNumber(t, more[1:])
		case 'S':
			rules.Save = waveNumber(t, more[1:])
		default:
			p.Groups.Count = int(waveNumber(t, x[0]))
			p.Groups.Up, x = shapedLaw(t, x[1:])
			p.Groups.Down, _ = shapedLaw(t, x)
		}
	}
	seconds, spread, _ := strings.Cut(f[4], "~")
	tasks, work := waveNumber(t, f[3]), waveNumber(t, seconds)*p.Speed.Mean
	b := bags.Bag{Size: bags.Spread{Mean: tasks}, Work: bags.Spread{Mean: work}}
	if spread != "" {
		b.Work.SD = work * waveNumber(t, spread)
	}
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
	return &bot.Case{Bag: b, Hosts: p, Server: s, Rules: rules}
}

// What finish says of these, by formula or by runs, is within 5 % of the simulated median and 10 %
// of the 95 % point but for what chance leaves open, or told as a range that holds these.
func TestFinishOfAWave(t *testing.T) {
	for i, line := range strings.Split(strings.TrimSpace(wave), "\n") {
		f := strings.Fields(line)
		runs := longtest.Of(40, 200)
		switch {
		case !longtest.Chosen(i, 16) && (longtest.Wanted() || i%6 != 1 || i > 20):
			continue
		case f[2] == "seti":
			runs = 60
		}
		if f[0][0] == 'Y' {
			runs /= 3
		}
		checkWave(t, line, f, runs)
	}
}

// checkWaves checks those lines of a list that are chosen, by their place and their name.
func checkWaves(t *testing.T, list string, runs int, chosen func(i int, name string) bool) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSpace(list), "\n") {
		if f := strings.Fields(line); chosen(i, f[0]) {
			checkWave(t, line, f, runs)
		}
	}
}

// checkWave checks a line, in its fields.
func checkWave(t *testing.T, line string, f []string, runs int) {
	t.Helper()
	judgeWave(t, line, f, waveCase(t, f), runs)
}

// judgeWave checks the case of a line.
func judgeWave(t *testing.T, line string, f []string, c *bot.Case, runs int) {
	t.Helper()
	l, drawn, err := lawOf(context.Background(), c, false)
	if f[0][0] == 'U' { // the formula, though of such unlike tasks finish draws
		l, err = bags.Finish(&bags.Setup{Bag: c.Bag, Hosts: c.Hosts, Server: c.Server, Rules: c.Rules})
		drawn = 0
	}
	if err != nil {
		t.Fatal(err)
	}
	ends := make([]float64, runs)
	for r := range ends {
		o, err := bot.Simulate(c, func(e ...uint64) *rand.Rand { return sim.Stream(77, r, e...) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		if ends[r] = o.End; !o.Done() {
			ends[r] = math.Inf(1)
		}
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
		told := drawn == 0 && to >= plateauSpan*from && low >= 0.9*from && at(q.p) <= 1.1*to ||
			(slices.Contains(warnedOf, f[0]) || restless(c)) && drawn == 0
		t.Logf("%s %s p%.0f: %.5g s, simulated %.5g s (%.5g to %.5g), off by %+.1f %%, drawn %d, told %v",
			f[0], f[1], 100*q.p, got, at(q.p), low, high, 100*(got/at(q.p)-1), drawn, told)
		if !told && (got < low*(1-q.bound) || got > high*(1+q.bound)) {
			t.Errorf("%s: p%.0f is %.5g s, simulated %.5g to %.5g s", line, 100*q.p, got, low, high)
		}
	}
}
