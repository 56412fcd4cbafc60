package bot

import (
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
)

// outOfSample are cases that were not looked at while the closed forms were made, A
// to K before the first ones and L on before those by flows, but for H and T, by which
// the flows of BOINC were mended; V on were set down when absences were summed by their
// transform, and the bag small on seti and g5kgre was what was mended. By W the ages of
// machines were brought in; AC to AI were set down after these, and AJ on after the
// shares of fast machines in few waves, by which the bag big on seti was mended. FA to FL
// were drawn by a seed when tasks that arrive late under BOINC had been mended, and by FB
// and FL it was that machines do unlike numbers of their results; GA on were drawn after
// that. Tasks, their time on a machine of mean speed, machines, and their laws. The bags
// on the machines of SpeQuloS table 2 are in sample.
var outOfSample = []struct {
	name     string
	server   Server
	tasks    float64
	minutes  float64
	machines int
	up, down law.Law
	cv       float64
	// Allowed share by which the median and the 95 % point may be off: 5 % and 10 %
	// unless it is known to be worse.
	median, high float64
	departure    float64
	arrival      law.Law
}{
	{"A", XWHEP, 400, 20, 150, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 0.05, 0.1, 0, nil},
	{"B", XWHEP, 100, 40, 300, law.Weibull{Shape: 0.7, Scale: 17000}, law.LogNormal{Mu: 8, Sigma: 0.8}, 0.25, 0.05, 0.1, 0, nil},
	{"C", XWHEP, 5000, 5, 250, law.Gamma{Shape: 0.5, Scale: 20000}, law.Exponential{Scale: 2500}, 0.2, 0.05, 0.1, 0, nil},
	{"D", XWHEP, 3000, 8, 90, law.LogNormal{Mu: 8.5, Sigma: 1.2}, law.Weibull{Shape: 0.8, Scale: 1500}, 0.3, 0.05, 0.1, 0, nil},
	{"E", XWHEP, 150, 15, 1000, law.Exponential{Scale: 5400}, law.Exponential{Scale: 5400}, 0.1, 0.05, 0.1, 0, nil},
	{"F", XWHEP, 900, 30, 400, law.Weibull{Shape: 0.9, Scale: 20000}, law.Exponential{Scale: 7200}, 0.15, 0.05, 0.1, 0, nil},
	{"G", BOINC, 500, 30, 300, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 0.05, 0.1, 0, nil},
	{"H", BOINC, 3000, 10, 200, law.Weibull{Shape: 0.7, Scale: 17000}, law.LogNormal{Mu: 7.5, Sigma: 0.8}, 0.2, 0.05, 0.1, 0, nil},
	{"I", BOINC, 1200, 6, 150, law.Gamma{Shape: 0.6, Scale: 15000}, law.Exponential{Scale: 1500}, 0.25, 0.05, 0.1, 0, nil},
	{"J", Checkpoint, 600, 60, 150, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 0.05, 0.1, 0, nil},
	{"K", Checkpoint, 2000, 15, 120, law.Weibull{Shape: 0.7, Scale: 9000}, law.LogNormal{Mu: 7, Sigma: 1}, 0.2, 0.05, 0.1, 0, nil},
	{"L", XWHEP, 1000, 20, 60, law.Weibull{Shape: 0.4, Scale: 600}, law.Exponential{Scale: 900}, 0.2, 0.05, 0.1, 0, nil},
	{"M", XWHEP, 250, 10, 100, law.LogNormal{Mu: 7, Sigma: 1.5}, law.Exponential{Scale: 1800}, 0, 0.05, 0.1, 0, nil},
	{"N", Checkpoint, 250, 30, 100, law.LogNormal{Mu: 7, Sigma: 1.5}, law.Exponential{Scale: 1800}, 0, 0.05, 0.1, 0, nil},
	{"O", XWHEP, 400, 10, 80, law.Exponential{Scale: 7200}, law.Exponential{Scale: 3600}, 0.25, 0.05, 0.1, 0.1, nil},
	{"P", BOINC, 200, 15, 100, law.Weibull{Shape: 0.5, Scale: 8000}, law.LogNormal{Mu: 7, Sigma: 1.2}, 0.2, 0.05, 0.1, 0, nil},
	{"Q", BOINC, 800, 10, 400, law.Gamma{Shape: 0.4, Scale: 30000}, law.Exponential{Scale: 4000}, 0.25, 0.05, 0.1, 0, nil},
	{"R", XWHEP, 500, 10, 80, law.Exponential{Scale: 5000}, law.Exponential{Scale: 2500}, 0.2, 0.05, 0.1, 0, law.Weibull{Shape: 0.6, Scale: 600}},
	{"S", XWHEP, 15, 30, 8, law.Exponential{Scale: 10000}, law.Exponential{Scale: 5000}, 0.2, 0.05, 0.1, 0, nil},
	{"T", BOINC, 40, 20, 12, law.Exponential{Scale: 10000}, law.Exponential{Scale: 5000}, 0.2, 0.05, 0.1, 0, nil},
	{"U", Checkpoint, 300, 40, 70, law.Weibull{Shape: 0.5, Scale: 2500}, law.Exponential{Scale: 3000}, 0.25, 0.05, 0.1, 0, nil},
	{"V", BOINC, 300, 60, 5000, law.LogNormal{Mu: 6.3, Sigma: 2.2}, law.LogNormal{Mu: 6.8, Sigma: 1.8}, 0.25, 0.05, 0.1, 0, nil},
	{"X", BOINC, 100, 120, 2000, law.Weibull{Shape: 0.35, Scale: 3000}, law.Exponential{Scale: 3000}, 0.3, 0.05, 0.1, 0, nil},
	{"Y", BOINC, 1500, 20, 300, law.Gamma{Shape: 0.2, Scale: 200000}, law.Weibull{Shape: 0.4, Scale: 2000}, 0, 0.05, 0.1, 0, nil},
	{"Z", XWHEP, 2000, 12, 300, law.LogNormal{Mu: 6.5, Sigma: 2}, law.LogNormal{Mu: 7, Sigma: 1.5}, 0.2, 0.05, 0.1, 0, nil},
	{"AA", Checkpoint, 800, 45, 200, law.Weibull{Shape: 0.45, Scale: 5000}, law.Exponential{Scale: 2500}, 0.25, 0.05, 0.1, 0, nil},
	{"AB", BOINC, 250, 10, 90, law.Exponential{Scale: 600}, law.Exponential{Scale: 300}, 0.2, 0.05, 0.1, 0, nil},
	{"W", BOINC, 600, 30, 200, law.LogNormal{Mu: 5, Sigma: 2.8}, law.LogNormal{Mu: 6, Sigma: 2}, 0, 0.05, 0.1, 0, nil},
	{"AC", BOINC, 900, 12, 150, law.LogNormal{Mu: 6, Sigma: 2.5}, law.LogNormal{Mu: 5, Sigma: 2}, 0, 0.05, 0.1, 0, nil},
	{"AD", BOINC, 400, 45, 250, law.Weibull{Shape: 0.4, Scale: 2500}, law.Weibull{Shape: 0.5, Scale: 1500}, 0.1, 0.05, 0.1, 0, nil},
	{"AE", BOINC, 2000, 5, 120, law.Gamma{Shape: 0.3, Scale: 40000}, law.LogNormal{Mu: 6.5, Sigma: 1.5}, 0.25, 0.05, 0.1, 0, nil},
	{"AF", BOINC, 700, 60, 400, law.LogNormal{Mu: 7, Sigma: 2}, law.Exponential{Scale: 3600}, 0, 0.05, 0.1, 0, nil},
	{"AG", BOINC, 150, 20, 60, law.LogNormal{Mu: 5.5, Sigma: 2.5}, law.LogNormal{Mu: 6.5, Sigma: 1.5}, 0.2, 0.05, 0.1, 0, nil},
	{"AH", BOINC, 1000, 30, 300, law.Exponential{Scale: 1800}, law.Exponential{Scale: 900}, 0, 0.05, 0.1, 0, nil},
	{"AI", BOINC, 500, 25, 100, law.Weibull{Shape: 3, Scale: 5000}, law.Exponential{Scale: 2000}, 0, 0.05, 0.1, 0, nil},
	{"AJ", BOINC, 300, 40, 500, law.LogNormal{Mu: 6, Sigma: 2.4}, law.Weibull{Shape: 0.6, Scale: 3000}, 0.25, 0.05, 0.1, 0, nil},
	{"AK", BOINC, 4000, 3, 250, law.Weibull{Shape: 0.45, Scale: 2000}, law.LogNormal{Mu: 6, Sigma: 1}, 0.2, 0.05, 0.1, 0, nil},
	{"AL", BOINC, 120, 90, 80, law.LogNormal{Mu: 4.5, Sigma: 3}, law.Exponential{Scale: 5000}, 0, 0.05, 0.1, 0, nil},
	{"FA", BOINC, 800, 6.8, 320, law.Weibull{Shape: 0.5, Scale: 4000}, law.Exponential{Scale: 5600}, 0.3, 0.05, 0.1, 0, law.Weibull{Shape: 2.3, Scale: 1300}},
	{"FB", BOINC, 76, 4.1, 100, law.Weibull{Shape: 0.53, Scale: 3500}, law.LogNormal{Mu: 7.07, Sigma: 1.2}, 0.25, 0.05, 0.1, 0, law.Weibull{Shape: 2.4, Scale: 1000}},
	{"FC", BOINC, 360, 21, 220, law.LogNormal{Mu: 7.35, Sigma: 0.91}, law.Exponential{Scale: 1300}, 0.3, 0.05, 0.1, 0, law.Weibull{Shape: 2.1, Scale: 14000}},
	{"FD", BOINC, 1600, 2.4, 580, law.LogNormal{Mu: 6.68, Sigma: 1.6}, law.Weibull{Shape: 0.57, Scale: 790}, 0, 0.05, 0.1, 0, law.Exponential{Scale: 9000}},
	{"FE", BOINC, 290, 15, 69, law.Exponential{Scale: 5500}, law.Exponential{Scale: 5000}, 0.25, 0.05, 0.1, 0, law.Exponential{Scale: 5400}},
	{"FF", BOINC, 290, 13, 520, law.LogNormal{Mu: 7.49, Sigma: 1.8}, law.Weibull{Shape: 1.1, Scale: 4400}, 0.2, 0.05, 0.1, 0, law.Exponential{Scale: 380}},
	{"FG", BOINC, 170, 16, 270, law.Exponential{Scale: 11000}, law.Weibull{Shape: 0.89, Scale: 9100}, 0, 0.05, 0.1, 0, law.Weibull{Shape: 1.4, Scale: 1000}},
	{"FH", BOINC, 100, 11, 160, law.LogNormal{Mu: 7.23, Sigma: 1.3}, law.LogNormal{Mu: 7, Sigma: 1.3}, 0.2, 0.05, 0.1, 0, law.Weibull{Shape: 0.76, Scale: 500}},
	{"FI", BOINC, 1100, 6.6, 100, law.Exponential{Scale: 28000}, law.LogNormal{Mu: 8.96, Sigma: 1.3}, 0.1, 0.05, 0.1, 0, law.Exponential{Scale: 10000}},
	{"FJ", BOINC, 1800, 1.2, 720, law.Exponential{Scale: 24000}, law.Exponential{Scale: 4100}, 0.1, 0.05, 0.1, 0, law.Weibull{Shape: 2.7, Scale: 6900}},
	{"FK", BOINC, 680, 5.7, 180, law.Exponential{Scale: 34000}, law.LogNormal{Mu: 9.25, Sigma: 1.5}, 0.2, 0.05, 0.1, 0, law.Exponential{Scale: 6500}},
	{"FL", BOINC, 1300, 3.4, 760, law.LogNormal{Mu: 6.46, Sigma: 1.7}, law.Weibull{Shape: 0.91, Scale: 500}, 0.3, 0.05, 0.1, 0, law.Weibull{Shape: 2.5, Scale: 1000}},
	{"GA", BOINC, 9, 5.8, 130, law.Weibull{Shape: 1.1, Scale: 5200}, law.LogNormal{Mu: 6.84, Sigma: 1.3}, 0.3, 0.05, 0.1, 0, law.Weibull{Shape: 2.7, Scale: 21000}},
	{"GB", BOINC, 2, 1.5, 92, law.Exponential{Scale: 6400}, law.LogNormal{Mu: 7.65, Sigma: 1.4}, 0.2, 0.05, 0.1, 0, law.Weibull{Shape: 0.77, Scale: 50000}},
	{"GC", BOINC, 4, 11, 620, law.Exponential{Scale: 40000}, law.Weibull{Shape: 0.89, Scale: 32000}, 0.3, 0.05, 0.1, 0, law.Exponential{Scale: 8300}},
	{"GD", BOINC, 19, 64, 410, law.Exponential{Scale: 25000}, law.Weibull{Shape: 0.61, Scale: 3900}, 0.3, 0.05, 0.1, 0, law.Weibull{Shape: 0.72, Scale: 3500}},
	{"GE", BOINC, 51, 35, 110, law.Weibull{Shape: 0.55, Scale: 8100}, law.Exponential{Scale: 12000}, 0.1, 0.05, 0.1, 0, law.Exponential{Scale: 43000}},
	{"GF", BOINC, 14, 1, 420, law.Exponential{Scale: 11000}, law.Exponential{Scale: 9700}, 0, 0.05, 0.1, 0, law.Weibull{Shape: 1.5, Scale: 12000}},
	{"GG", BOINC, 11, 7, 590, law.LogNormal{Mu: 8.16, Sigma: 1.3}, law.LogNormal{Mu: 7.35, Sigma: 1.3}, 0.3, 0.05, 0.1, 0, law.Exponential{Scale: 13000}},
	{"GH", BOINC, 2, 51, 510, law.LogNormal{Mu: 7.86, Sigma: 1.2}, law.LogNormal{Mu: 7.71, Sigma: 0.93}, 0.25, 0.05, 0.1, 0, law.Weibull{Shape: 0.53, Scale: 24000}},
	{"GI", BOINC, 6, 21, 160, law.Weibull{Shape: 0.64, Scale: 2400}, law.Exponential{Scale: 1400}, 0.3, 0.05, 0.1, 0, law.Weibull{Shape: 1.9, Scale: 46000}},
	{"GJ", BOINC, 59, 1.4, 81, law.Exponential{Scale: 2600}, law.LogNormal{Mu: 7.56, Sigma: 0.7}, 0, 0.05, 0.1, 0, law.Weibull{Shape: 1.7, Scale: 10000}},
}

// The closed form beside the simulator: the error of the median and of the 95 %
// point is within its bound, or the interval of the simulated one holds the bound.
func TestFinishAgainstSimulation(t *testing.T) {
	runs := longtest.Of(24, 90) // package planner/approximations has them on 200
	for i, k := range outOfSample {
		if i%longtest.Of(5, 1) > 0 {
			continue
		}
		p := &hosts.Platform{Count: k.machines, Up: k.up, Down: k.down, Speed: hosts.Speed{Mean: 1000, SD: 1000 * k.cv}, Departure: k.departure}
		b := bags.Bag{Size: bags.Spread{Mean: k.tasks}, Work: bags.Spread{Mean: k.minutes * 60000}, Arrival: k.arrival}
		f, err := bags.Finish(&bags.Setup{Bag: b, Hosts: p, Server: k.server})
		if err != nil {
			t.Fatal(err)
		}
		var ends []float64
		for i := range runs {
			ends = append(ends, simulate(t, &Case{Bag: b, Hosts: p, Server: k.server}, i).End)
		}
		slices.Sort(ends)
		for _, q := range []struct{ p, bound float64 }{{0.5, k.median}, {0.95, k.high}} {
			at := q.p * float64(runs)
			margin := 2 * math.Sqrt(at*(1-q.p))
			low, high := ends[int(max(0, at-margin))], math.Inf(1)
			if above := int(at + margin); above < runs {
				high = ends[above] // else the greatest of so few runs is no bound
			}
			got := f.Quantile(q.p)
			t.Logf("%s %-10v p%.0f: closed form %.0f, simulated %.0f (%.0f to %.0f), off by %+.1f %%", k.name, k.server, 100*q.p, got, ends[int(at)], low, high, 100*(got/ends[int(at)]-1))
			// None of these is called uncertain; see plateauSpan in planner/bags. Of two
			// tasks the law is wide by itself.
			if from, to := f.Plateau(q.p); to >= 1.5*from && k.tasks > 2 {
				t.Errorf("%s %v: p%.0f is said to lie from %.0f to %.0f s", k.name, k.server, 100*q.p, from, to)
			}
			if got < low*(1-q.bound) || got > high*(1+q.bound) {
				t.Errorf("%s %v: p%.0f is %.0f s, simulated %.0f to %.0f s", k.name, k.server, 100*q.p, got, low, high)
			}
		}
	}
}
