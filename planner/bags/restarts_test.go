package bags

import (
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// restarts are bags in the form of wave, with S and seconds between two saves behind, of tasks that take
// as long as machines stay and longer: C of a server with checkpoints, E of XWHEP. They were drawn by the
// seeds 7004 and 7005 and written down before any was run. Of C, where two machines were there for a
// task, half were told by a law of one speed for all of a task, with a Poisson number of leavings: medians
// were 29 % early to 125 % late, and a 95 % point 5.5 times as late, without a word. Z7 is one of 66 of any
// kind, by seed 8128: a task that begins anew was taken for a new one, and the median was 9 % early. Z10 is
// another: one bag in six is never done, and the formula had no median. Of U,
// by seed 7006, with tasks that spread on more than twice as many machines, medians were up to 33 % early.
// R are such of 44 by seed 1926 as need no file, but that w/ tells a scale here and told a mean there. Of all 44,
// 12 on recorded machines, the medians lay within 5 % of 300 simulated runs and the 95 % points within 10 % but for
// chance; again on 2,000 runs one law of 208 drawn runs was 8 % late at its median, which is an interval now.
const restarts = `
C1 checkpoint g5klyo 70 1100 none 0 0 0
C2 checkpoint nd 41 17000 none 0 0 0 S330
C3 checkpoint spot10 22 7900 none 0 0 0
C4 checkpoint g5kgre 46 10000~0.05 none 0 0 0
C5 checkpoint spot100 380 33000 none 0 0 0
C6 checkpoint g5klyo 7 1100 none 0 0 0
C7 checkpoint 414/l1.3/920/l0.5/170/0 310 4600 none 0 0 0
C8 checkpoint 256/e230000/l1.3/63000/0.1 22 28000~0.05 none 0 0 0
C9 checkpoint 217/l1.8/5600/e1600/0.1 21 870 none 0 0 0 S420
C10 checkpoint 76/l1.3/1100/e110/0.25 17 330 none 0 0 0 S170
C11 checkpoint 505/e3300/l0.8/4300/0.1 35 1100 none 0 0 0
C12 checkpoint 518/e9300/l0.5/13000/0.1 49 1400~0.05 none 0 0 0
C13 checkpoint 252/e2100/e2500/0.4 31 560 none 0 0 0 S230
C14 checkpoint 336/l0.8/1100/w0.9/1600/0.1 16 2100~0.05 none 0 0 0
C15 checkpoint 180/e67000/e93000/0.4 31 21000 none 0 0 0
C16 checkpoint 248/l0.5/200/e35/0.25 160 1100~0.05 none 0 0 0
C17 checkpoint 62/l0.5/59000/w0.9/30000/0 11 24000~0.05 none 0 0 0 S960
C18 checkpoint 143/e390/l1.3/150/0.1 16 2900~0.05 none 0 0 0 S1600
C19 checkpoint 69/e670/w0.9/95/0 5 2000 none 0 0 0
C20 checkpoint 63/e4100/e3200/0.4 5 20000 none 0 0 0
C21 checkpoint 366/w0.5/200/e10/0.25 41 430 none 0 0 0 S120
C22 checkpoint 357/e420/l1.3/140/0.4 270 1200 none 0 0 0
C23 checkpoint 298/e200/w0.9/10/0.4 18 760~0.05 none 0 0 0
C24 checkpoint 347/e35000/l0.5/5000/0.4 13 4000 none 0 0 0
C25 checkpoint 257/l1.3/6400/w0.9/1600/0.4 64 1800 none 0 0 0
C26 checkpoint 60/w1.5/2500/w0.7/750/0.25 17 810 none 0 0 0 S360
C27 checkpoint 406/e270/e79/0.25 130 2600~0.05 none 0 0 0
C28 checkpoint 158/w0.9/4100/e6000/0.4 11 930 none 0 0 0
C29 checkpoint 636/e350/w0.5/240/0.4 100 2700 none 0 0 0
C30 checkpoint 97/e1800/e740/0.25 7 2800~0.05 none 0 0 0 S130
E1 xwhep g5klyo 12 900 none 0 0 0
E2 xwhep nd 110 20000 none 0 0 0
E3 xwhep g5kgre 72 30000~0.03 none 0 0 0
E4 xwhep nd 13 9000~0.03 none 0 0 0
E5 xwhep 161/e34000/e24000/0.4 52 23000~0.08 none 0 0 0
E6 xwhep 64/e28000/e27000/0 43 21000 none 0 0 0
E7 xwhep 161/l1.3/370/w1.5/110/0 48 660~0.08 none 0 0 0
E8 xwhep 221/w0.9/3600/l0.8/800/0 220 8100 none 0 0 0
E9 xwhep 73/l0.5/400/e39/0.4 76 950 none 0 0 0
E10 xwhep 63/e60/l0.5/10/0.1 5 130~0.08 none 0 0 0
E11 xwhep 82/w0.7/940/l1.3/450/0 53 810~0.03 none 0 0 0
E12 xwhep 79/e5200/l0.8/670/0.4 92 22000~0.08 none 0 0 0
E13 xwhep 364/e650/w0.5/570/0.4 160 2300 none 0 0 0
E14 xwhep 183/l0.8/250/e220/0.1 4 410~0.08 none 0 0 0
E15 xwhep 194/e680/w0.7/780/0.4 220 350 none 0 0 0
E16 xwhep 135/e460/w0.5/390/0 4 1800~0.03 none 0 0 0
E17 xwhep 235/e50000/e12000/0 9 22000~0.03 none 0 0 0
E18 xwhep 315/w1.5/190/e69/0 92 110 none 0 0 0
E19 xwhep 85/l1.3/570/w0.5/520/0 44 2300 none 0 0 0
E20 xwhep 131/w0.5/63/l1.3/10/0.25 20 270 none 0 0 0
E21 xwhep 293/l0.5/8100/e3200/0.1 120 9400 none 0 0 0
E22 xwhep 69/e20000/w1.5/5700/0.1 80 15000 none 0 0 0
E23 xwhep 214/l0.5/110/w0.5/10/0.1 14 160~0.03 none 0 0 0
E24 xwhep 321/e18000/e2300/0.4 680 7800~0.08 none 0 0 0
E25 xwhep 204/e830/e340/0 250 450 none 0 0 0
E26 xwhep 375/l1.3/16000/w1.5/4700/0.1 86 23000 none 0 0 0
Z7 xwhep nd 67 27000~0.05 none 0 0 0
Z10 checkpoint g5klyo 830 1700 none 0.034 0 0 S260
U1 xwhep g5klyo 5 770~0.06 none 0 0 0
U2 xwhep nd 29 210~0.2 none 0 0 0
U3 xwhep g5kgre 40 380~0.15 none 0 0 0
U4 xwhep spot100 100 1900~0.15 none 0 0 0
U5 xwhep 184/e11000/w0.7/13000/0 10 5300~0.06 none 0 0 0
U6 xwhep 222/e630/e33/0 77 320~0.1 none 0 0 0
U7 xwhep 605/e130000/e73000/0.25 120 14000~0.3 none 0 0 0
U8 xwhep 169/w0.9/16000/e5700/0.1 7 5600~0.15 none 0 0 0
U9 xwhep 666/e69000/e96000/0.1 100 19000~0.3 none 0 0 0
U10 xwhep 222/e24000/l0.8/5900/0.1 34 2000~0.06 none 0 0 0
U11 xwhep 468/w1.5/160/l1.8/57/0 42 100~0.15 none 0 0 0
U12 xwhep 163/w0.7/54000/e27000/0.25 30 12000~0.2 none 0 0 0
U13 xwhep 152/w0.5/390/l0.8/330/0.1 33 260~0.5 none 0 0 0
U14 xwhep 73/w1.5/8800/w0.5/4600/0.25 9 4300~0.2 none 0 0 0
U15 xwhep 209/e2400/e120/0 22 930~0.06 none 0 0 0
U16 xwhep 425/e110/w0.9/25/0.4 65 100~0.15 none 0 0 0
U17 xwhep 71/w0.7/180000/w0.5/21000/0.1 29 11000~0.2 none 0 0 0
U18 xwhep 206/l0.5/290/w0.7/290/0.1 20 220~0.2 none 0 0 0
U19 xwhep 127/l0.5/15000/l0.8/7100/0.4 5 10000~0.5 none 0 0 0
U20 xwhep 399/w0.7/9800/w0.7/6900/0 20 800~0.5 none 0 0 0
R13 xwhep spot100 2203 340 none 0 0 0
R16 xwhep nd 1057 20 none 0 0 0
R23 boinc 80/w1.5/37000/w0.7/37000/0.25 164 6000 burst5800 0 0 0
R24 checkpoint 388/e660/e49/0.4 1041 180 burst120 0 0 0
R25 xwhep 314/e620/w0.7/46/0 337 18 none 0 0 0
R27 checkpoint 141/w1.5/510/w1.5/220/0.1 11 39 none 0 0 0
R28 xwhep 587/l0.8/19000/l0.8/4200/0.25 49 540 burst1800 0 0 0
R29 boinc 456/e9000/w1.5/3400/0.25 2120 1400 none 0.0626 0 0
R30 checkpoint 99/l1.3/9800/w0.7/4000/0.4 39 550 none 0 0 0
R34 xwhep 96/l1.3/1600/l0.8/610/0.4 99 720 burst860 0 0 0
R37 xwhep 266/l0.8/1500/w1.5/160/0 319 920 none 0 0 0
R38 boinc 162/l1.3/1400/w0.7/2000/0.1 31 92 none 0 0 0
R39 checkpoint 77/w1.5/1900/e870/0.1 16 180 none 0 0 0
R43 xwhep 610/w0.7/16000/l0.8/1700/0.25 144 1400 none 0.0857 0 0
R44 boinc 179/e6700/w0.7/1100/0 17 2700 none 0 0 0
`

// What is said of these is right as that of TestFinishOfAWave is.
func TestFinishOfRestarts(t *testing.T) {
	checkWaves(t, restarts, longtest.Of(60, 300), func(i int, _ string) bool {
		return longtest.Chosen(i, 4) || !longtest.Wanted() && i%9 == 1
	})
}
