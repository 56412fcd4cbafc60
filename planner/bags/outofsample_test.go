package bags

import (
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// outOfSample are bags in the form of wave that were drawn and written down before any was run: N, of any kind,
// by the seed 31415926, and Q, of few waves on machines of unlike speeds, by 251366. Of N the medians of N84 and
// N86 were 7 and 9 % late without a word, of Q that of Q45 12 % early. The slow machines of Q45 and N86 were merged
// into too few speeds; A are variants of N86 (A4 and A8, on machines that stay, were 16 % early), and A9, one of 300 by
// the seeds 27110901 to 27110903, was 8 % early so: the only one of these off without a word. N24 was 7.6 %
// late, as unlike machines that come to late tasks counted as slow ones; of 1000 runs it is 4.8 % late.
const outOfSample = `
A4 checkpoint 366/e3100000/w0.7/2200/0.25 1371 940 none 0 0 0
A6 checkpoint 366/l1.3/31000/w0.7/2200/0.25 3000 940 none 0 0 0
A8 xwhep 366/e3100000/w0.7/2200/0.25 1371 940 none 0 0 0
A9 checkpoint 106/w0.7/18000/l0.8/1400/0.3 32 220 none 0 0 0 S61
N1 xwhep 111/w0.5/230/w0.7/34/0.25 88 15 none 0 0 0
N2 xwhep spot100 1432 400 none 0 0 0
N3 checkpoint g5kgre 181 2000 none 0 0 0
N4 checkpoint 308/l0.8/6700/l0.8/3400/0.25 448 2500 e2700 0 0 0
N5 xwhep 63/l1.3/3100/e1100/0 127 3900 w0.57/520 0 0 0
N6 xwhep g5klyo 58 140~0.1 e24 0 0 0
N7 checkpoint spot10 228 290~0.05 e65 0 0 0
N8 xwhep spot10 105 22 none 0 0 0
N9 boinc 144/e530/w1.5/130/0.4 12 410 e34 0 0 0
N10 boinc g5klyo 636 480 w0.57/150 0 2 2
N11 checkpoint g5klyo 16 60 burst21 0 0 0
N12 xwhep g5klyo 15 3600 none 0 0 0
N13 checkpoint 371/w0.7/5600/w0.5/530/0 94 230 none 0 0 0
N14 checkpoint g5kgre 1628 360 none 0 0 0
N15 boinc 201/w0.7/30000/l0.8/3500/0 375 2600 e4900 0 2 2
N16 xwhep g5kgre 159 500 none 0 0 0
N17 boinc 244/e66000/w0.7/2600/0.4 70 9900 none 0 0 0
N18 checkpoint 143/e160000/w0.5/5800/0.1 32 3300~0.1 w0.57/270 0.017 0 0
N19 checkpoint 576/e200/w0.7/300/0.4 858 610 w0.57/240 0.032 0 0
N20 checkpoint 619/l0.5/25000/w0.7/1200/0.25 70 1200~0.05 none 0 0 0
N21 checkpoint 84/w0.7/53000/w0.5/8000/0.1 20 33000 none 0 0 0
N22 boinc spot10 14 1100~0.2 none 0 2 1
N23 checkpoint spot100 2446 1600 e2000 0 0 0
N24 boinc 379/l0.5/3500/w0.5/1000/0.25 35 42 w0.57/5.3 0 0 0
N25 checkpoint spot10 46 60~0.2 none 0 0 0
N26 xwhep nd 21 830 w0.57/28 0 0 0
N27 boinc 72/l0.5/70000/l0.5/36000/0.25 13 40000 none 0 0 0
N28 boinc nd 616 1000~0.05 none 0 0 0
N29 boinc 153/l1.3/44000/l1.3/2400/0.25 47 30 w0.57/2.8 0 2 2
N30 boinc 83/w1.5/3500/l0.8/360/0.1 10 620 w0.57/170 0 0 0
N31 xwhep 181/w0.5/7700/w0.5/550/0.1 26 6900 none 0 0 0
N32 xwhep 661/w1.5/5700/l1.3/810/0.4 549 140 e60 0 0 0
N33 xwhep 129/e270/w0.5/28/0.1 115 510~0.1 w0.57/150 0 0 0
N34 checkpoint 185/w0.7/300/l0.5/51/0.4 23 16 burst6.6 0 0 0
N35 checkpoint 170/e4700/w0.7/170/0.4 794 950 w0.57/1700 0 0 0
N36 xwhep 648/e76000/w1.5/6300/0.4 3277 40000 e42000 0 0 0
N37 xwhep 434/w1.5/97000/e120000/0.25 32 17000 burst1400 0 0 0
N38 boinc 228/w1.5/20000/l0.5/1500/0.4 302 1300 w0.57/140 0 0 0
N39 xwhep spot10 189 68 none 0.042 0 0
N40 xwhep 278/l0.8/97000/w0.7/6300/0.4 1143 80~0.2 none 0 0 0
N41 xwhep 219/l0.5/320/l1.3/280/0.1 193 680 w0.57/380 0 0 0
N42 checkpoint 698/l1.3/1500/l0.5/400/0.25 85 220~0.2 e34 0 0 0
N43 checkpoint 208/w1.5/8500/w0.5/1400/0.4 28 280~0.05 none 0 0 0
N44 boinc g5kgre 55 140~0.2 none 0 2 2
N45 checkpoint 76/w0.5/82000/l0.8/9100/0 12 14000~0.05 e7400 0 0 0
N46 checkpoint nd 413 32 w0.57/6.1 0 0 0
N47 boinc 661/l0.5/5500/w1.5/1200/0.4 307 200 none 0 2 2
N48 xwhep 88/l0.5/20000/e17000/0.25 18 350 burst81 0 0 0
N49 boinc 538/w0.5/1200/l0.5/83/0.1 79 54 burst15 0 2 2
N50 checkpoint 313/w0.7/210/w1.5/260/0.4 287 35 none 0 0 0
N51 xwhep 151/w0.7/480/l0.8/120/0.1 538 630 burst2000 0 0 0
N52 xwhep 116/e14000/w0.5/1000/0.4 149 12000 none 0 0 0
N53 xwhep 96/w1.5/500/w1.5/370/0.25 160 770 w0.57/130 0 0 0
N54 checkpoint 217/l1.3/200/l1.3/180/0.25 16 100 none 0 0 0
N55 checkpoint 126/l1.3/440/w1.5/50/0.4 34 7.5 none 0 0 0
N56 boinc 562/l1.3/55000/l0.8/1900/0.4 184 960 w0.57/340 0.019 4 3
N57 xwhep 259/l0.8/1300/w0.5/1100/0.1 22 80~0.05 none 0 0 0
N58 boinc nd 316 200 burst250 0 2 1
N59 checkpoint 487/w1.5/220/l1.3/87/0.1 1535 14 none 0.005 0 0
N60 checkpoint 301/l0.8/45000/l1.3/2300/0.1 2057 2200 none 0 0 0
N61 boinc 68/w1.5/430/w0.5/67/0.1 12 25~0.1 w0.57/1.6 0 2 1
N62 xwhep 281/l1.3/44000/l0.8/7200/0.25 50 24 burst2.8 0 0 0
N63 checkpoint 270/l0.5/1200/l0.5/87/0.25 1480 24 none 0 0 0
N64 xwhep 418/e86000/l0.8/15000/0.4 1920 40000 burst12000 0 0 0
N65 checkpoint 164/l1.3/22000/w0.7/2300/0 134 810 burst640 0 0 0
N66 checkpoint 78/l0.5/1800/l0.8/290/0.1 361 760 none 0 0 0
N67 xwhep g5klyo 29 36 burst2.6 0.065 0 0
N68 boinc 348/w0.5/65000/l0.5/14000/0 275 44 none 0 0 0
N69 xwhep 83/l0.5/36000/w0.7/6100/0 197 33 none 0 0 0
N70 boinc nd 39 1700~0.2 burst120 0 0 0
N71 checkpoint 255/e2100/l1.3/90/0.1 807 120 burst160 0 0 0
N72 checkpoint nd 34 780 w0.57/240 0.050 0 0
N73 boinc spot100 112 21~0.1 none 0 2 2
N74 boinc nd 1203 1500~0.05 none 0 2 1
N75 boinc 85/l1.3/980/l0.5/40/0 78 150~0.1 w0.57/8 0 4 3
N76 checkpoint 71/e5900/w0.5/1500/0.25 10 53 burst57 0.015 0 0
N77 checkpoint 161/w0.7/5000/w0.5/890/0.1 23 2600 none 0 0 0
N78 boinc nd 298 410 e230 0 4 3
N79 xwhep g5kgre 2145 160 none 0 0 0
N80 xwhep 237/l0.5/31000/w0.5/990/0.1 112 160 none 0 0 0
N81 checkpoint 146/w1.5/25000/l0.5/37000/0.4 327 110 e92 0 0 0
N82 checkpoint 172/l0.5/21000/e6400/0.4 314 1200~0.2 burst3000 0 0 0
N83 xwhep 97/l0.8/110000/l1.3/11000/0.25 438 730 e370 0 0 0
N84 checkpoint 300/l1.3/31000/w1.5/5000/0.1 314 12000~0.05 none 0.007 0 0
N85 boinc 70/l0.5/2500/l1.3/340/0 177 90 none 0 0 0
N86 checkpoint 366/l1.3/31000/w0.7/2200/0.25 1371 940 none 0 0 0
N87 checkpoint 526/l1.3/45000/l0.5/4900/0 2016 40000 none 0 0 0
N88 xwhep 532/l1.3/76000/w0.5/31000/0.4 324 40000 w0.57/8500 0 0 0
N89 xwhep 273/w1.5/46000/e36000/0.25 850 40000 e17000 0.009 0 0
N90 checkpoint 97/l0.5/25000/w0.7/2100/0.4 25 840 none 0 0 0
N91 xwhep g5kgre 243 180 e120 0 0 0
N92 xwhep 495/l0.5/320/e43/0 778 870 none 0 0 0
N93 xwhep 157/l0.5/35000/w0.7/41000/0.1 237 460 e1200 0 0 0
N94 xwhep g5kgre 766 610 none 0 0 0
N95 xwhep g5kgre 1160 61 burst24 0 0 0
N96 xwhep 582/w1.5/2600/l0.5/140/0.4 103 26 none 0 0 0
N97 checkpoint g5klyo 278 16 e24 0 0 0
N98 boinc g5kgre 94 30 none 0 4 3
N99 checkpoint 160/w0.5/320/w1.5/290/0.4 12 66~0.05 none 0 0 0
N100 checkpoint 157/e21000/e13000/0.25 26 840 burst1300 0 0 0
Q1 xwhep 625/w1.5/590/e54/0.25 1599 94 none 0 0 0
Q2 checkpoint 791/w0.7/4700/e78/0.15 2360 120 e20 0 0 0
Q3 xwhep 711/w1.5/740/w1.5/9.5/0.3 5418 420 none 0 0 0
Q4 checkpoint 476/l0.8/180000/l1.3/6300/0.25 3247 350 burst610 0 0 0
Q5 boinc 1048/l1.3/85000/l0.8/17000/0.2 2844 3800 burst2400 0 1 1
Q6 xwhep 661/w1.5/3300/l1.3/85/0.2 1298 120 none 0 0 0
Q7 checkpoint 71/l1.3/6500/l1.3/73/0.3 152 170 none 0 0 0
Q8 xwhep 301/l1.3/1200/l1.3/75/0.2 1646 140 burst400 0 0 0
Q9 xwhep 90/l0.8/1300/w1.5/720/0.2 167 260 none 0 0 0
Q10 checkpoint 1229/l0.8/7400/l0.8/170/0.3 1543 780 none 0 0 0
Q11 xwhep 365/e500/l1.3/18/0.25 415 56 burst39 0 0 0
Q12 checkpoint 1404/e2100/w0.7/370/0.4 1646 65 none 0 0 0
Q13 checkpoint 1473/e310/w0.7/5.7/0.3 23866 110 e86 0 0 0
Q14 xwhep 1250/w0.7/140000/l1.3/6600/0.2 1156 2000 none 0 0 0
Q15 checkpoint 164/w1.5/1100/l0.8/80/0.2 934 25 burst34 0 0 0
Q16 xwhep 120/l0.8/3300/e37/0.25 360 66 none 0 0 0
Q17 boinc 80/w0.7/19000/w1.5/650/0.3 389 32 e35 0 1 1
Q18 xwhep 240/l1.3/3700/l1.3/860/0.2 281 2400 none 0 0 0
Q19 checkpoint 349/l1.3/650/e70/0.2 724 73 none 0 0 0
Q20 boinc 98/l1.3/590/e210/0.2 813 110 none 0 2 2
Q21 checkpoint 299/l1.3/20000/w0.7/12000/0.2 152 1800 burst130 0 0 0
Q22 xwhep 77/l0.8/400/l1.3/240/0.2 115 40 none 0 0 0
Q23 checkpoint 476/w0.7/3600/e53/0.4 1846 310 none 0 0 0
Q24 checkpoint 873/e5300/l1.3/120/0.25 7968 840 burst700 0 0 0
Q25 xwhep 414/l1.3/310/l1.3/17/0.2 6966 99 burst280 0 0 0
Q26 xwhep 607/l0.8/90000/l1.3/1000/0.4 474 650 e5.6 0 0 0
Q27 xwhep 899/w0.7/4100/e470/0.15 1532 2100 e280 0 0 0
Q28 xwhep 146/l1.3/950/w0.7/100/0.25 450 68 e32 0 0 0
Q29 checkpoint 348/l1.3/7200/l1.3/110/0.15 438 870 burst180 0 0 0
Q30 xwhep 844/w0.7/1200/l1.3/14/0.2 3672 120 none 0 0 0
Q31 xwhep 879/l1.3/17000/e5500/0.2 5672 210 burst120 0 0 0
Q32 xwhep 785/w1.5/830/w0.7/170/0.4 3447 21 none 0 0 0
Q33 xwhep 116/l1.3/30000/w0.7/590/0.4 261 49 e16 0 0 0
Q34 checkpoint 366/e2900/w0.7/160/0.15 3507 360 burst2100 0 0 0
Q35 checkpoint 177/w0.7/8200/l0.8/1200/0.3 920 47 none 0 0 0
Q36 boinc 69/w1.5/3400/w1.5/72/0.2 87 1200 none 0 2 2
Q37 boinc 1225/w1.5/610/e210/0.3 2656 33 none 0 2 2
Q38 xwhep 521/l0.8/2600/l0.8/360/0.4 453 480 e11 0 0 0
Q39 xwhep 330/w0.7/2600/l1.3/43/0.25 444 48 none 0 0 0
Q40 checkpoint 210/e99000/w1.5/13000/0.15 336 120 burst49 0 0 0
Q41 checkpoint 162/l0.8/360/e42/0.4 149 67 none 0 0 0
Q42 checkpoint 481/w1.5/12000/e4600/0.4 891 540 burst310 0 0 0
Q43 checkpoint 88/l0.8/32000/w1.5/9100/0.4 915 33 none 0 0 0
Q44 boinc 385/w1.5/5900/l1.3/790/0.2 4738 110 burst94 0 2 2
Q45 checkpoint 64/w0.7/6200/w1.5/96/0.3 64 230 none 0 0 0
Q46 xwhep 584/e25000/w0.7/250/0.15 1219 34 none 0 0 0
Q47 xwhep 584/w0.7/22000/w0.7/4200/0.4 639 73 e4.6 0 0 0
Q48 checkpoint 574/e9700/l0.8/230/0.2 1796 600 none 0 0 0
Q49 boinc 110/w1.5/200000/l0.8/18000/0.3 1428 530 e400 0 2 2
Q50 boinc 151/e810/l1.3/96/0.15 108 35 none 0 2 2
`

// What is said of these is right as that of TestFinishOfAWave is.
func TestFinishOfUnseenBags(t *testing.T) {
	wrong := []string{"A4", "A6", "A8", "A9", "N24", "N84", "N86", "Q45"}
	checkWaves(t, outOfSample, longtest.Of(40, 300), func(i int, name string) bool {
		return longtest.Chosen(i, 8) || slices.Contains(wrong, name) || !longtest.Wanted() && i%30 == 29
	})
}
