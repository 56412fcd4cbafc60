package bags

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// manyStaysBags are tasks with checkpoints that take some 3 to 1300 mean stays: hosts as in wave; the time within which
// they arrive at random, in seconds; and numbers of tasks of so many seconds, or lognormal ones as l with the deviation
// of the logarithm, a slash and the mean. J were seen while the formula was built; eleven of their medians were off by
// the flow that is followed for shorter tasks, the largest by 54 %. K, by the seed 86420, and P, by 2468, of which the
// largest takes 4 to 10 stays found under way, were written down before any was run. Of these two were off: K20 by 16 %
// (small tasks on unlike machines) and P8 by 35 % (more tasks than machines arrive for hours), for which the formula
// was mended. 40 more by the seed 97531 were within bounds after K20.
const manyStaysBags = `
J1 35/l0.8/11000/w1.5/8300/0 0 37x1000 10x94000
J2 69/l0.8/6500/e360/0.1 0 1x9100 5x180000
J3 66/w1.5/2100/w1.5/130/0.4 0 414x67 3x31000
J4 83/w1.5/16000/l1.3/510/0.25 360000 2292x4000 1x270000
J5 238/l0.8/11000/w1.5/4600/0.25 340000 1x15000 5x300000
J6 49/w1.5/7800/w1.5/910/0 9100 1x1000 1x21000
J7 82/e9900/l1.3/6400/0.25 0 1x2200 1x45000
J8 147/e8000/l0.8/340/0 0 1x5600 1x110000
J9 179/l0.8/8200/l0.8/700/0.1 0 30x28000
J10 131/l1.3/31000/e14000/0.1 3e+06 1x130000 2x2.6e+06
J11 80/l0.8/28000/l0.8/7100/0.4 0 405xl1/96000
J12 115/w1.5/7300/w0.7/260/0 0 128x3400 3x85000
J13 112/l1.3/2000/w1.5/1200/0.4 0 176x430 1x41000
J14 242/e3700/w1.5/1500/0.4 0 1x3400 1x68000
J15 91/w1.5/9700/l1.3/2600/0.4 26000 413x110000
J16 114/l0.8/1800/l0.8/120/0 0 104x5600
J17 218/e1700/l1.3/200/0 0 1x1800 5x36000
J18 108/w0.7/4000/l1.3/250/0.1 10000 34x55000
J19 38/l1.3/14000/w1.5/510/0.4 0 45xl1.5/74000
J20 224/w1.5/29000/l1.3/1100/0.1 0 519x15000 10x200000
J21 104/l0.8/23000/w1.5/5300/0 58000 183x9300 1x310000
J22 48/w1.5/2000/w0.7/1500/0.4 0 13x12000
J23 171/l0.8/3400/l0.8/1900/0.4 0 195x1000 1x92000
J24 65/l0.8/3300/e1400/0.1 0 20xl1.5/2200
J25 233/l0.8/4900/l0.8/230/0.4 0 6076x1500 3x51000
J26 38/e1700/w0.7/270/0.4 0 138x10000
J27 136/l0.8/11000/l1.3/1700/0.25 0 1100x20000 3x110000
J28 50/l0.8/2500/w1.5/360/0.25 0 11x39000
J29 83/w0.7/27000/l0.8/15000/0.25 0 121x210000
J30 32/l0.8/17000/e6900/0.1 0 6x390000
J31 92/w1.5/11000/l1.3/10000/0 0 857x1300 10x170000
J32 83/w0.7/4300/w0.7/710/0.4 0 1x9400 5x190000
J33 42/l1.3/26000/w0.7/5900/0 680000 690x8500 1x770000
J34 232/w0.7/16000/l1.3/11000/0.25 500000 47xl1.5/56000
J35 44/w1.5/3100/l1.3/860/0.4 0 240x1400 10x23000
J36 67/l1.3/3200/e140/0 0 75x610 1x150000
K1 231/l1.3/17000/l1.3/9200/0.25 0 1273x2900 1x8.4e+06
K2 53/l0.8/6000/w1.5/390/0.25 0 1495x480 3x87000
K3 99/l0.8/4300/w1.5/1000/0 0 1x11000 5x220000
K4 161/l0.8/1900/l0.8/260/0.4 0 16x390000
K5 147/w0.7/2700/l1.3/850/0.4 1.3e+06 534xl1.5/77000
K6 41/l0.8/31000/w1.5/1600/0.4 0 78x19000 1x500000
K7 47/w1.5/14000/e1300/0.1 0 421x1500 1x2e+06
K8 102/e7800/w0.7/450/0.1 0 1x7100 2x140000
K9 49/l1.3/13000/l0.8/1400/0.1 1.5e+07 504x9800 3x1.5e+07
K10 43/w1.5/7000/l1.3/1300/0.4 0 56x2000 1x240000
K11 71/w0.7/31000/l1.3/1800/0.25 0 1x25000 5x500000
K12 224/w1.5/3500/w0.7/130/0.25 0 97xl0.3/100000
K13 83/e12000/e680/0.1 0 121x490 1x460000
K14 63/l1.3/13000/w0.7/6900/0 0 1x290000 2x5.8e+06
K15 35/w1.5/2500/l0.8/350/0.1 0 224xl1/24000
K16 32/w1.5/8400/e4900/0.1 87000 33x560000
K17 60/w1.5/13000/l1.3/620/0.4 0 482xl1/940000
K18 142/w1.5/29000/e4000/0.4 0 102x2.4e+06
K19 40/w0.7/19000/l0.8/5200/0.1 0 20xl0.3/270000
K20 172/w0.7/2100/l0.8/210/0.4 0 3763x1100 1x65000
K21 114/l0.8/31000/w0.7/8900/0.4 0 1x13000 2x270000
K22 32/l1.3/4900/e700/0.1 400000 5x470000
K23 125/w1.5/15000/l1.3/1000/0.1 0 79xl0.7/380000
K24 40/w0.7/15000/l0.8/3300/0.4 1.2e+06 67xl1/1.9e+06
K25 33/l0.8/26000/w0.7/25000/0.25 0 7x560000
K26 116/w1.5/21000/w1.5/5900/0 300000 25x1.4e+06
K27 93/l1.3/8600/e6500/0 1.4e+06 12x850000
K28 169/w0.7/7900/w1.5/1900/0.25 330000 145x610 10x1.8e+06
K29 65/l0.8/7600/w1.5/310/0.4 0 50xl0.7/17000
K30 72/e2200/l0.8/370/0.1 0 1x28000 1x550000
K31 57/l0.8/10000/l1.3/500/0.1 0 42xl0.3/43000
K32 114/w1.5/30000/w0.7/1100/0.25 0 203x16000 1x1.5e+06
K33 56/w1.5/3600/w1.5/390/0.4 0 1x20000 1x400000
K34 190/w0.7/24000/l1.3/12000/0.4 0 569xl0.3/2.2e+06
K35 143/l1.3/8700/w0.7/4600/0.25 0 75xl0.7/2.9e+06
K36 37/e19000/w0.7/9300/0.4 0 181x6900 1x3.4e+06
K37 63/w1.5/1700/l1.3/540/0.25 210000 74x810 10x270000
K38 203/w1.5/2500/l0.8/320/0.1 18000 221x37000
K39 149/l1.3/9200/w1.5/3200/0.25 0 56xl1.5/27000
K40 111/w1.5/16000/w0.7/6300/0.1 0 134xl1/35000
P1 196/w1.5/17000/w0.7/9800/0.1 0 398x81000
P2 100/w1.5/2700/l0.8/180/0.25 1700 1x630 5x13000
P3 69/e9300/l1.3/1100/0 0 116xl0.7/19000
P4 227/w0.7/16000/w1.5/980/0.4 0 1x12000 2x250000
P5 32/w0.7/3000/e95/0 0 73x5100 10x35000
P6 66/l1.3/2100/w1.5/240/0.25 13000 469x36000
P7 178/l1.3/21000/l0.8/4700/0.1 94000 1x24000 5x480000
P8 52/e3800/w0.7/2900/0 18000 474x2100 10x25000
P9 54/w0.7/22000/l0.8/16000/0.25 0 1x11000 2x220000
P10 67/w1.5/28000/w1.5/15000/0.4 0 129xl1.5/15000
P11 32/w0.7/10000/l0.8/1600/0.25 22000 20xl1/16000
P12 128/l0.8/9500/l1.3/9200/0 0 1x2500 2x49000
P13 102/l1.3/13000/l1.3/3900/0.4 78000 1109x2300 1x340000
P14 82/w0.7/14000/w1.5/4200/0.1 0 66x110000
P15 117/w1.5/13000/l0.8/6700/0.25 0 1837x310 1x76000
P16 48/w0.7/8000/e2700/0.4 0 53x90000
P17 68/w0.7/3300/w1.5/1000/0 6000 1x2200 5x44000
P18 55/e2400/l1.3/2000/0.25 0 41x82 1x17000
P19 237/e4300/e1700/0.1 0 2353x150 3x23000
P20 118/e23000/e4800/0.4 0 876x5600 3x190000
P21 123/e2100/w0.7/660/0.1 0 208x73 1x13000
P22 194/l0.8/16000/l0.8/14000/0.25 0 581x120000
P23 36/e31000/e1600/0.4 0 1x14000 1x290000
P24 125/w0.7/14000/e3000/0.25 0 97xl1.5/19000
P25 204/e21000/w1.5/4200/0.4 32000 1x10000 2x200000
P26 101/w1.5/6800/w0.7/1100/0.1 0 104xl0.7/13000
P27 84/l1.3/4500/l0.8/2100/0.4 6800 161x24000 3x60000
P28 56/e3600/l0.8/2100/0 0 62xl1.5/2700
P29 130/e7000/w0.7/4600/0.25 0 132x570 3x38000
P30 47/l0.8/28000/w1.5/7000/0.4 0 145x130000
`

// manyStaysCase returns the case of a line, in its fields.
func manyStaysCase(t *testing.T, f []string) *bot.Case {
	t.Helper()
	x := strings.Split(f[1], "/")
	p := &hosts.Platform{Name: "laws", Count: int(waveNumber(t, x[0]))}
	p.Up, x = shapedLaw(t, x[1:])
	p.Down, x = shapedLaw(t, x)
	p.Speed = hosts.Speed{Mean: 1000, SD: 1000 * waveNumber(t, x[0])}
	var b bags.Bag
	r, within := rand.New(rand.NewPCG(1, 2)), waveNumber(t, f[2])
	for _, tasks := range f[3:] {
		n, time, _ := strings.Cut(tasks, "x")
		sigma, mean, spread := strings.Cut(strings.TrimPrefix(time, "l"), "/")
		for range int(waveNumber(t, n)) {
			seconds := 0.0
			if spread {
				s := waveNumber(t, sigma)
				seconds = waveNumber(t, mean) * math.Exp(s*r.NormFloat64()-s*s/2)
			} else {
				seconds = waveNumber(t, time)
			}
			b.Tasks = append(b.Tasks, bags.Task{Work: max(1, 1000*seconds), Arrival: within * r.Float64()})
		}
	}
	if within > 0 {
		slices.SortFunc(b.Tasks, func(x, y bags.Task) int { return int(math.Copysign(1, x.Arrival-y.Arrival)) })
	} else {
		r.Shuffle(len(b.Tasks), func(i, j int) { b.Tasks[i], b.Tasks[j] = b.Tasks[j], b.Tasks[i] })
	}
	return &bot.Case{Bag: b, Hosts: p, Server: bot.Checkpoint, Horizon: 1e10}
}

// What is said of these is right as that of TestFinishOfAWave is. P12, of 5.4 stays found under way, was 6 % late at
// the median, J9 and P14, of 4, 8 and 10 %.
func TestFinishOfManyStays(t *testing.T) {
	for i, line := range strings.Split(strings.TrimSpace(manyStaysBags), "\n") {
		f := strings.Fields(line)
		was := slices.Contains([]string{"J9", "P12", "P14"}, f[0])
		if longtest.Chosen(i, 2) || was || !longtest.Wanted() && i%9 == 4 {
			judgeWave(t, line, f, manyStaysCase(t, f), longtest.Of(20, 100))
		}
	}
}

// Of the largest of tasks the time of its work alone is a bound, and of all tasks that of the machines: a task of 740
// median stays among 100,000 was hardly ever done by a flow, and two tasks of which one takes 520 were 2.3 times as
// late. Of 400 runs the median of these two is 2.046e6 s.
func TestTasksOfManyStays(t *testing.T) {
	p, _ := NamedHosts("nd")
	median := func(tasks ...bags.Task) float64 {
		c := &bot.Case{Bag: bags.Bag{Tasks: tasks}, Hosts: p, Server: bot.Checkpoint}
		l, drawn, err := lawOf(context.Background(), c, false)
		if err != nil || drawn > 0 {
			t.Fatal(drawn, err)
		}
		return l.Quantile(0.5)
	}
	if got := median(bags.Task{Work: 1e5}, bags.Task{Work: 2e9}); math.Abs(got/2.046e6-1) > 0.02 {
		t.Errorf("two tasks: %.4g s, want 2.046e6", got)
	}
	r, many := sim.Stream(7, 0), make([]bags.Task, 100_000)
	for i := range many {
		many[i].Work = 3e5 * math.Exp(r.NormFloat64())
	}
	many[0].Work = 740 * 3840e3
	if got := median(many...) / (740 * 3840); got < 1.05 || got > 1.15 {
		t.Errorf("one of 740 stays among 100,000: %.3g of the time of its work", got)
	}
	work := 0.0
	for i := range many[:40_000] {
		many[i].Work = 104 * 3840e3 * math.Pow(r.Float64(), 3)
		work += many[i].Work
	}
	all := work / 1000 / (float64(p.Machines()) * p.Availability())
	if got := median(many[:40_000]...) / all; got < 1 || got > 1.15 {
		t.Errorf("40,000 of up to 104 stays: %.3g of the time of their work", got)
	}
}
