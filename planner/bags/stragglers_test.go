package bags

import (
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// stragglers are bags under BOINC in the form of wave of which each machine does 60 results and more. The first of them
// counted as done once the last were given out, also where more results of a task wait on machines that are away than
// can be spared. B1 was 27 % early at the 95 % point so; B2 on, by the seed 27111130, were written down before any was
// run: of these B10 was 20 %, B12 39 % and B20 7 % early at the median.
const stragglers = `
B1 boinc 228/e4700/w0.5/6700/0.1 2823 60 none 0 4 3
B2 boinc 221/w0.7/1100/w0.7/1500/0.25 4276 96 none 0 4 2
B3 boinc 243/w0.5/29000/l1.3/19000/0.4 15107 310 none 0 0 0
B4 boinc 191/w0.5/1300/w1.5/350/0.25 8968 190 none 0 2 2
B5 boinc 136/l1.3/2500/e3300/0 3082 37 none 0 0 0
B6 boinc 97/w0.5/2400/w0.7/2400/0.1 2690 65 none 0 0 0
B7 boinc 127/e2500/l1.3/3100/0 1765 25 none 0 0 0
B8 boinc 385/l1.3/29000/w1.5/11000/0 18945 200 none 0 2 2
B9 boinc 65/l0.8/4200/l0.8/3000/0.1 2183 99 none 0 4 2
B10 boinc 253/e1100/w0.7/370/0 30000 3.8 none 0 1 1
B11 boinc 100/l0.8/22000/w0.5/13000/0.25 5707 210 none 0 2 1
B12 boinc 223/l0.8/3400/w0.5/2000/0 7893 24 none 0 3 3
B13 boinc 70/w0.7/6700/l1.3/5100/0 1606 30 none 0 4 3
B14 boinc 80/w0.7/1000/w0.7/1200/0.4 1576 12 none 0 2 1
B15 boinc 179/l0.8/21000/e9300/0.25 2639 320 none 0 4 3
B16 boinc 227/l1.3/1500/w0.7/1100/0.4 5555 21 none 0 0 0
B17 boinc 115/w0.5/1400/l1.3/1100/0.4 2206 100 none 0 3 3
B18 boinc 68/l0.8/8300/w0.5/11000/0.4 3177 45 none 0 2 1
B19 boinc 339/w0.5/17000/l1.3/9800/0.4 20774 620 none 0 2 1
B20 boinc 259/w0.7/1800/w0.7/690/0.4 30000 32 none 0 1 1
B21 boinc 75/l0.8/28000/w1.5/17000/0.25 2921 110 none 0 4 2
B22 boinc 84/w1.5/6100/l0.8/8600/0.1 1857 720 none 0 4 2
B23 boinc 268/w0.7/1600/w0.7/1100/0.25 17924 180 none 0 1 1
B24 boinc 222/w1.5/2900/l1.3/3100/0.1 14937 450 none 0 2 1
B25 boinc 77/w1.5/7900/w0.5/4400/0.25 7652 910 none 0 2 2
`

// What is said of these is right as that of TestFinishOfAWave is.
func TestFinishOfStragglers(t *testing.T) {
	checkWaves(t, stragglers, longtest.Of(100, 300), func(i int, name string) bool {
		return longtest.Chosen(i, 4) || name == "B1" || name == "B12"
	})
}
