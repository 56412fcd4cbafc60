package bags

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// unlikeLists are listed tasks of unlike works, in fields of wave: server; hosts; tasks; mean seconds of a task;
// arrivals, each task by itself from a law; how the works differ: lognormal with that sigma, uniform from that share
// of the greatest, a share of giants so many times as large as the others, or Pareto of that shape; the order of works:
// random, ascending or descending. All were drawn and written down before any was run: L1 on by seed 271126, which the
// formula was built on, and O1 on by seed 5150. Then 120 more were run once, of which Q44 was 44 % late: its largest task takes 47 stays, and cells were
// longer than these. Those of which the largest task hardly ever succeeds are left out, as finish draws them.
const unlikeLists = `
Q44 checkpoint 150/l0.8/520/e460/0 32034 190 none p1.8 r
L1 xwhep 478/w0.7/19000/e12000/0.25 11331 230 none g0.01/20 r
L2 xwhep 124/l1.3/1600/e370/0 28 72 none l0.3 r
L3 xwhep spot10 1121 520 burst6300 u0.3 r
L4 xwhep 85/e1300/e120/0.4 242 67 w0.7/440 l0.7 r
L5 checkpoint 142/w0.7/13000/e3300/0.25 119 120 none g0.3/30 r
L6 xwhep 127/w1.5/8200/w0.7/6100/0.25 865 5100 burst50000 l1 a
L7 checkpoint g5klyo 64 4.1 burst4.3 u0.01 r
L8 checkpoint 152/l1.3/970/w1.5/220/0.25 10127 270 burst15000 u0.3 r
L9 checkpoint g5klyo 64 98 l0.8/100 p1.8 r
L10 xwhep 97/l0.8/6400/l1.3/2600/0.1 22 28 burst4.4 l0.3 r
L11 checkpoint g5klyo 18 7.6 none l1.5 r
L12 xwhep 233/e7500/l1.3/380/0 89 160 e100 p1.8 r
L13 checkpoint 384/w1.5/16000/w1.5/2500/0.1 5548 5000 none p2.5 a
L14 xwhep 158/w1.5/36000/w1.5/33000/0.4 52898 680 burst200000 l1 r
L15 checkpoint spot10 21 25 e1.7 g0.01/20 r
L16 checkpoint nd 449 140 none g0.1/6 r
L17 checkpoint 95/l0.8/7300/l0.8/3800/0.1 814 140 burst820 l0.3 r
L18 checkpoint 128/e20000/l0.8/9700/0.25 1833 5000 none u0.01 a
L19 checkpoint g5kgre 18768 44 w1.5/1300 g0.3/30 r
L20 xwhep spot10 4050 860 none l0.3 d
L21 checkpoint spot10 1367 23 none g0.1/6 d
L22 checkpoint g5kgre 22047 16 w0.7/830 u0.3 a
L23 xwhep spot10 133 13 burst7.6 p1.8 r
L24 checkpoint 163/l1.3/5100/w0.7/300/0 407 72 none l0.3 r
L25 checkpoint spot10 17 200 none l0.7 r
L26 xwhep spot100 13896 870 none p1.8 r
L27 checkpoint 95/w0.7/880/w0.7/310/0 2513 45 l1.3/1800 l1 a
L28 checkpoint 335/l1.3/330/w0.7/110/0 603 200 burst160 l1 a
L29 checkpoint 79/w1.5/15000/w0.7/15000/0 20 1500 none l1.5 r
L30 xwhep g5klyo 98 410 l1.3/93 p2.5 r
L31 xwhep 415/l0.8/15000/w1.5/4400/0.1 124 2900 l1.3/180 p1.8 r
L32 xwhep 111/l0.8/1300/e230/0.1 112 9.1 none l0.3 r
L33 checkpoint g5kgre 149 300 none p2.5 r
L34 checkpoint 160/l1.3/670/e1000/0.4 15071 2.2 none l0.3 r
L35 xwhep 107/l1.3/2800/l1.3/250/0 26820 59 none l0.7 a
L36 xwhep 87/w0.7/3500/w1.5/2900/0.4 36 20 none g0.1/6 a
L37 xwhep 162/l1.3/490/l0.8/55/0.25 133 98 e90 g0.3/30 r
L38 xwhep spot100 18549 16 none g0.1/6 d
L39 checkpoint 157/w0.7/570/w1.5/34/0.25 18726 3.4 burst500 g0.1/6 a
L40 xwhep 142/l1.3/10000/w1.5/4000/0.4 16506 110 none g0.3/30 a
L41 xwhep 157/l0.8/5600/w1.5/4600/0.4 74 360 l1.3/39 p1.8 a
L42 checkpoint 138/l1.3/360/w1.5/180/0.1 1284 11 burst130 g0.01/20 a
L43 xwhep 155/l0.8/6100/l1.3/780/0.25 35088 280 burst78000 p2.5 r
L44 xwhep 284/e1000/l0.8/970/0.1 153 530 none l0.3 d
L45 checkpoint 143/w0.7/480/w1.5/78/0.1 60 110 none g0.1/6 a
L46 checkpoint 363/l0.8/3700/w0.7/290/0.1 58068 42 none l1.5 r
L47 xwhep g5kgre 406 130 burst450 g0.01/20 a
L48 xwhep 310/w0.7/630/l0.8/490/0 2657 69 none l0.3 r
L49 checkpoint 226/w1.5/6600/w0.7/1400/0.25 858 98 burst540 l1 r
L50 xwhep g5klyo 5492 13 none l1 d
L51 xwhep spot10 26985 480 burst93000 l0.7 r
L52 checkpoint 345/w0.7/490/l0.8/78/0.1 1215 27 w0.7/71 l0.3 r
L53 xwhep 105/w1.5/3300/w0.7/1300/0 252 1900 burst2700 g0.1/6 r
L54 checkpoint 98/e390/w1.5/35/0.1 2944 170 none p2.5 d
L55 checkpoint 121/w0.7/5800/e1200/0.4 13640 950 l1.3/28000 g0.1/6 r
L56 checkpoint 270/w1.5/6900/w0.7/1200/0.25 56 32 l1.3/1.4 g0.01/20 r
L57 xwhep g5kgre 89 400 none u0.3 r
L58 checkpoint spot10 34 13 w1.5/0.53 g0.3/30 r
L59 checkpoint 82/w1.5/6500/w1.5/7400/0.4 192 3700 none l1.5 r
L60 xwhep 495/l1.3/2700/e980/0.4 25687 60 none g0.1/6 r
O1 checkpoint 71/w1.5/28000/l1.3/1800/0.25 58 380 l1.3/130 g0.1/6 a
O2 checkpoint spot10 36 1600 none g0.01/20 r
O3 checkpoint 125/w1.5/1500/w1.5/2000/0.25 45 24 w1.5/1.2 g0.3/30 r
O4 xwhep 108/w1.5/3200/l1.3/4500/0.1 4558 950 none g0.01/20 a
O5 checkpoint 255/w1.5/10000/l1.3/2000/0 256 240 none u0.01 d
O6 checkpoint 224/l1.3/2900/w0.7/4300/0.4 24767 460 e120000 l1.5 r
O7 xwhep 71/e8300/w0.7/560/0.4 928 2200 none u0.01 r
O8 checkpoint g5kgre 1783 11 burst190 u0.3 r
O9 checkpoint 175/l0.8/17000/l0.8/13000/0.4 55 2000 none g0.1/6 d
O10 xwhep 182/e6500/e520/0.25 496 81 none g0.3/30 r
O11 checkpoint 188/w0.7/1200/e750/0.4 10919 180 none p2.5 d
O12 checkpoint 88/w1.5/1300/l1.3/540/0.1 1917 180 none p2.5 d
O13 checkpoint spot100 4327 330 none g0.1/6 d
O14 xwhep spot100 60000 75 none p1.8 r
O15 xwhep spot100 300 93 none l1.5 r
O16 checkpoint 93/e330/l0.8/150/0 82 6 none p1.8 r
O17 xwhep 111/w1.5/2200/l0.8/560/0.25 4157 52 none g0.1/6 r
O18 xwhep g5klyo 30321 5.4 none u0.3 r
O19 xwhep 145/e2300/l1.3/400/0.1 645 13 l0.8/100 l0.3 r
O20 xwhep 183/w1.5/1700/l0.8/850/0.1 786 42 none l1.5 a
O21 checkpoint 153/l0.8/25000/l0.8/1500/0.1 46935 140 none g0.01/20 d
O22 checkpoint 128/w1.5/5900/e300/0.4 849 38 e66 g0.1/6 r
O23 checkpoint 273/l1.3/3000/l1.3/1100/0.25 7502 1800 none g0.3/30 r
O24 xwhep nd 499 810 none g0.1/6 r
O25 xwhep 165/l0.8/17000/e2300/0.1 19343 220 burst31000 l0.3 r
O26 xwhep 128/l1.3/610/l1.3/130/0 15736 7.9 none l0.3 r
O27 checkpoint 304/w0.7/28000/l1.3/32000/0.4 10681 1300 w0.7/110000 g0.3/30 r
O28 xwhep 130/l1.3/5200/e4700/0.4 5499 970 l1.3/40000 g0.3/30 r
O29 checkpoint spot10 285 59 none p2.5 a
O30 checkpoint 470/w0.7/5400/e950/0 97 220 none u0.3 r
O31 xwhep 90/l1.3/4700/l1.3/3000/0 315 67 none g0.01/20 r
O32 xwhep 123/l0.8/1700/l1.3/170/0 64 15 burst5.8 l1 r
O33 xwhep 67/w1.5/25000/w0.7/1600/0 625 2900 none p2.5 r
O34 xwhep 381/w1.5/6100/w1.5/480/0.1 654 120 none g0.01/20 d
O35 xwhep 224/w1.5/3100/w0.7/3100/0 1309 380 e3700 u0.01 r
O36 checkpoint spot100 38676 18 burst1200 l0.7 r
O37 xwhep g5kgre 24 3.3 none g0.01/20 r
O38 checkpoint spot10 2165 52 none u0.01 d
O39 checkpoint spot100 3110 190 none l0.7 d
O40 xwhep spot100 60000 1500 none l0.7 r
O41 xwhep spot10 3020 47 burst350 g0.3/30 r
O42 checkpoint 378/w1.5/370/e89/0.4 1649 13 w0.7/11 u0.01 r
O43 checkpoint nd 112 18 none g0.1/6 a
O44 checkpoint 66/l1.3/5400/l0.8/7300/0.1 4569 29 none p2.5 a
O45 checkpoint 317/l1.3/390/w1.5/200/0.1 70 2.8 burst0.69 l1 r
O46 checkpoint 161/w1.5/3800/w1.5/220/0 1074 270 none u0.01 r
O47 checkpoint 148/l0.8/1500/l0.8/490/0.4 51 13 l1.3/0.51 p1.8 a
O48 checkpoint 107/l1.3/430/l1.3/670/0.25 7652 230 none u0.01 r
O49 xwhep spot100 20579 1300 none l1 d
O50 xwhep spot10 1105 59 burst1000 g0.3/30 r
O51 checkpoint spot10 21 1700 none g0.01/20 r
O52 xwhep nd 40 280 none g0.01/20 a
O53 xwhep 277/w1.5/6600/l0.8/2000/0.25 13690 170 burst12000 l1 a
O54 checkpoint 198/l1.3/470/l0.8/97/0.1 433 12 none u0.3 d
O55 checkpoint 287/w0.7/760/l0.8/46/0.25 23453 170 burst6600 u0.3 r
O56 checkpoint g5kgre 7799 15 none g0.01/20 a
O57 xwhep g5kgre 66 190 none l1.5 d
O58 xwhep 67/l1.3/5100/e940/0.1 115 28 w0.7/110 g0.1/6 a
O59 xwhep 100/l1.3/9000/l0.8/12000/0.25 6324 130 w0.7/6400 l0.3 a
O60 checkpoint 68/w1.5/27000/l0.8/23000/0 87 850 e650 p2.5 r
`

// What is said of unlike tasks by the formula is right as that of TestFinishOfAWave is. When a long task counted as
// one on a slow machine, 37 of 60 such bags were off; one million tasks of 1000 to 90,000 operations on nd would have
// been done in 38 h where they take 71.
func TestFinishOfUnlikeLists(t *testing.T) {
	for i, line := range strings.Split(strings.TrimSpace(unlikeLists), "\n") {
		f := strings.Fields(line)
		c := unlikeCase(t, f)
		if longtest.Chosen(i, 8) && !restless(c) {
			judgeWave(t, line, append([]string{"U" + f[0]}, f[1:]...), unlikeCase(t, f), longtest.Of(100, 100))
		}
	}
}

// unlikeCase reads a line.
func unlikeCase(t *testing.T, f []string) *bot.Case {
	t.Helper()
	c := waveCase(t, append(slices.Clone(f[:6]), "0", "0", "0"))
	b, n, r := &c.Bag, int(waveNumber(t, f[3])), sim.Stream(2711, int(waveNumber(t, f[0][1:])))
	works := make([]float64, n)
	for i := range works {
		works[i] = unlikeWork(t, f[6], r)
	}
	switch f[7] {
	case "a":
		slices.Sort(works)
	case "d":
		slices.SortFunc(works, func(a, b float64) int { return cmp.Compare(b, a) })
	}
	sum := 0.0
	for _, w := range works {
		sum += w
	}
	if len(b.Tasks) == 0 {
		b.Tasks = make([]bags.Task, n)
	}
	for i := range b.Tasks {
		if b.Arrival != nil {
			b.Tasks[i].Arrival, _ = b.Arrival.Quantile(r.Float64())
		}
	}
	slices.SortFunc(b.Tasks, func(a, b bags.Task) int { return cmp.Compare(a.Arrival, b.Arrival) })
	for i := range b.Tasks {
		b.Tasks[i].Work = works[i] * b.Work.Mean * float64(n) / sum
	}
	b.Arrival = nil
	return c
}

func unlikeWork(t *testing.T, kind string, r *rand.Rand) float64 {
	t.Helper()
	of, ratio, _ := strings.Cut(kind[1:], "/")
	x := waveNumber(t, of)
	switch kind[0] {
	case 'l':
		return math.Exp(x * r.NormFloat64())
	case 'u':
		return x + (1-x)*r.Float64()
	case 'p':
		return math.Pow(1-r.Float64(), -1/x)
	}
	if r.Float64() < x {
		return waveNumber(t, ratio)
	}
	return 1
}
