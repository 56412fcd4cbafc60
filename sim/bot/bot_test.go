package bot

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
)

func chanceOf(seed uint64, replication int) Chance {
	return func(e ...uint64) *rand.Rand { return sim.Stream(seed, replication, e...) }
}

func simulate(t *testing.T, c *Case, replication int) *Outcome {
	t.Helper()
	return simulateOf(t, c, 1, replication)
}

// simulateOf is with a seed of its own: what chance does to one case it then does to no other.
func simulateOf(t *testing.T, c *Case, seed uint64, replication int) *Outcome {
	t.Helper()
	o, err := Simulate(c, chanceOf(seed, replication), nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func platform(t testing.TB, name string) *hosts.Platform {
	t.Helper()
	for _, trace := range hosts.Traces() {
		if trace.Name == name {
			p, err := trace.Platform()
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
	}
	t.Fatal("no trace " + name)
	return nil
}

func strategy(t *testing.T, text string) *spequlos.Strategy {
	t.Helper()
	s, err := spequlos.ParseStrategy(text)
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

// bag is a bag of equal tasks that are there at once.
func bag(tasks, work float64) bags.Bag {
	return bags.Bag{Size: bags.Spread{Mean: tasks}, Work: bags.Spread{Mean: work}, WallClock: 3600}
}

// steadyHosts never leave.
func steadyHosts(n int) *hosts.Platform {
	return &hosts.Platform{Count: n, Speed: hosts.Speed{Mean: 10}}
}

// played are machines with these records, begun at their beginning.
func played(records ...hosts.Record) *hosts.Platform {
	return &hosts.Platform{Records: records, Speed: hosts.Speed{Mean: 10}}
}

// One machine that stays does n tasks one after the other; it begins within the
// first gap between two asks.
func TestOneMachine(t *testing.T) {
	for _, server := range []Server{XWHEP, Checkpoint} {
		for i := range 20 {
			o := simulate(t, &Case{Bag: bag(7, 1000), Hosts: steadyHosts(1), Server: server}, i)
			if first := o.End - 7*100; !(first >= 0 && first <= 90) || o.Completed != 7 {
				t.Errorf("%v: 7 tasks of 100 s take %v s", server, o.End)
			}
		}
	}
}

// With two results wanted and three given out three machines do all of a bag three
// times over, less what is still open at the end.
func TestQuorum(t *testing.T) {
	o := simulate(t, &Case{Bag: bag(10, 1000), Hosts: steadyHosts(3), Server: BOINC}, 0)
	if o.End < 1000 || o.End > 1090 {
		t.Errorf("10 tasks on 3 machines, each with a result of all, take %v s, want 1000 and the first ask", o.End)
	}
	one := &Case{Bag: bag(10, 1000), Hosts: steadyHosts(3), Server: BOINC, Rules: Rules{Results: 1, Quorum: 1}}
	if o := simulate(t, one, 0); o.End < 400 || o.End > 490 {
		t.Errorf("without copies %v s, want 4 rounds of 100 s", o.End)
	}
	var domain *DomainError
	if _, err := Simulate(&Case{Bag: bag(10, 1000), Hosts: steadyHosts(2), Server: BOINC}, chanceOf(1, 0), nil); !errors.As(err, &domain) {
		t.Errorf("two machines for three results: %v", err)
	}
}

// A task of 100 s on a machine that leaves for 1000 s 50 s after it began: XWHEP
// gives it out again 900 s after the sign of life at its start; BOINC lets it wait;
// Checkpoint keeps what was saved. Each record is gone round from a random moment
// on, so what is compared is the greatest time over many.
func TestWhatIsLost(t *testing.T) {
	p := played(hosts.Record{Changes: []float64{0, 150}, Span: 10000})
	longest := func(c *Case) float64 {
		most := 0.0
		for i := range 300 {
			most = max(most, simulate(t, c, i).End)
		}
		return most
	}
	// The task is begun within the up time of 150 s at the worst when less than 100 s
	// are left: lost, and begun anew with the next up time 9,850 s later.
	if got := longest(&Case{Bag: bag(1, 1000), Hosts: p}); got < 9850 || got > 10000+100 {
		t.Errorf("XWHEP: at most %v s", got)
	}
	if got := longest(&Case{Bag: bag(1, 1000), Hosts: p, Server: Checkpoint, Rules: Rules{Save: 10}}); got < 9850 || got > 9850+200 {
		t.Errorf("Checkpoint: at most %v s", got)
	}
	// A task of 300 s needs three stays: only one that is saved is ever done.
	long := &Case{Bag: bag(1, 3000), Hosts: p, Server: Checkpoint, Rules: Rules{Save: 10}}
	if o := simulate(t, long, 0); !o.Done() || o.End < 10000 {
		t.Errorf("Checkpoint: done %v after %v s", o.Done(), o.End)
	}
	wait := &Case{Bag: bag(1, 3000), Hosts: p, Server: BOINC, Rules: Rules{Results: 1, Quorum: 1}}
	if o := simulate(t, wait, 0); !o.Done() || o.End < 10000 {
		t.Errorf("BOINC: done %v after %v s", o.Done(), o.End)
	}
	long.Server = XWHEP
	var never *NeverError
	if _, err := Simulate(long, chanceOf(1, 0), nil); !errors.As(err, &never) || never.Longest != 150 {
		t.Errorf("XWHEP: error %v, want that no machine stays", err)
	}
}

// A result that does not come back within a day is given to another machine, and
// counts where it comes first after all.
func TestDeadline(t *testing.T) {
	// Both machines leave for ever, at the end of their records for 30 days.
	p := played(hosts.Record{Changes: []float64{0, 100}, Span: 30 * hosts.Day}, hosts.Record{Changes: []float64{0, 29 * hosts.Day}, Span: 30 * hosts.Day})
	c := &Case{Bag: bag(1, 5000), Hosts: p, Server: BOINC, Rules: Rules{Results: 1, Quorum: 1}}
	again := 0
	for i := range 2000 {
		if o := simulate(t, c, i); o.Done() && o.End > hosts.Day && o.End < 3*hosts.Day {
			again++
		}
	}
	if again == 0 {
		t.Error("no result was ever given out again after a day")
	}
}

// The books balance in every case: each task completes once or not, what is spent
// is what was billed, and no more than was ordered.
func TestConservation(t *testing.T) {
	small := &hosts.Platform{
		Count: 12, Up: law.Weibull{Shape: 0.6, Scale: 900}, Down: law.Exponential{Scale: 600},
		Speed: hosts.Speed{Mean: 1000, SD: 250}, Departure: 0.02,
		Groups: hosts.Groups{Count: 3, Up: law.Exponential{Scale: 9000}, Down: law.Exponential{Scale: 3000}},
	}
	random := bags.Bags()[2]
	random.Size = bags.Spread{Mean: 60, SD: 10}
	for _, server := range []Server{XWHEP, BOINC, Checkpoint} {
		for _, kind := range []bags.Bag{bag(50, 3e5), random} {
			for _, s := range spequlos.Strategies() {
				for _, billing := range []spequlos.Billing{spequlos.BySecond, spequlos.ByHour} {
					for _, credits := range []float64{-1, 0, 20} {
						c := &Case{
							Bag: kind, Hosts: small, Server: server,
							Strategy: &s, Billing: billing, Credits: credits,
							Cloud: Cloud{Boot: DefaultBoot}, Horizon: 4 * hosts.Day,
						}
						o := simulate(t, c, 3)
						if o.Completed > o.Tasks || o.Done() && o.Progress.Assigned() != o.Tasks {
							t.Errorf("%v %v: %d of %d done, %d assigned", server, s, o.Completed, o.Tasks, o.Progress.Assigned())
						}
						if o.Spent > o.Ordered || math.Abs(o.Spent-o.CloudTime*spequlos.CreditsPerHour/3600) > 1e-6 {
							t.Errorf("%v %v: %v spent of %v, %v s billed", server, s, o.Spent, o.Ordered, o.CloudTime)
						}
						if credits == 0 && (o.Workers > 0 || o.CloudTasks > 0) {
							t.Errorf("%v %v: %d workers for nothing", server, s, o.Workers)
						}
						if o.CloudTasks > o.Completed || o.CloudTasks > o.CloudCopies {
							t.Errorf("%v %v: %d tasks done in the cloud, %d copies given", server, s, o.CloudTasks, o.CloudCopies)
						}
					}
				}
			}
		}
	}
}

// Until the cloud starts both runs are the same, task by task.
func TestCommonRandomNumbers(t *testing.T) {
	for _, server := range []Server{XWHEP, BOINC} {
		c := &Case{Bag: bags.Bags()[0], Hosts: platform(t, "nd"), Server: server, Credits: -1, Cloud: Cloud{Boot: DefaultBoot}}
		without := simulate(t, c, 0)
		c.Strategy = strategy(t, "9C-C-R")
		with := simulate(t, c, 0)
		if !with.Started || with.Workers == 0 {
			t.Fatalf("%v: no worker was started", server)
		}
		for k := 1; k <= without.Tasks; k++ {
			a, _ := without.Progress.CompletionTime(float64(k) / float64(without.Tasks))
			b, _ := with.Progress.CompletionTime(float64(k) / float64(with.Tasks))
			if a > with.StartedAt {
				break
			}
			if a != b {
				t.Fatalf("%v: task %d done at %v without, at %v with the cloud, which starts at %v", server, k, a, b, with.StartedAt)
			}
		}
		if with.End >= without.End {
			t.Errorf("%v: help makes %v s of %v s", server, with.End, without.End)
		}
	}
}

// With all of the bag copied at once and a worker for each task the cloud alone
// bounds the time: a look, the boot, the slowest task.
func TestDuplicateBound(t *testing.T) {
	c := &Case{
		Bag: bag(100, 3e6), Hosts: platform(t, "nd"),
		Strategy: strategy(t, "9C-10-D"), Credits: 1e5,
		Cloud: Cloud{Speed: hosts.Speed{Mean: 3000}, Boot: DefaultBoot},
	}
	for i := range 30 {
		o := simulate(t, c, i)
		at, _ := o.Progress.CompletionTime(0.9)
		if bound := at + 60 + DefaultBoot + 1000 + 1e-6; o.End > bound {
			t.Errorf("run %d: done at %v s, want at most %v", i, o.End, bound)
		}
	}
}

// With help the paper's cells come out as it prints them, within its own spread:
// SETI under BOINC 3195 s, of which 3196 s are the last arrival's.
func TestPrintedWithHelp(t *testing.T) {
	c := &Case{Bag: bags.Bags()[2], Hosts: platform(t, "seti"), Server: BOINC, Credits: -1, Cloud: Cloud{Boot: DefaultBoot}, Strategy: strategy(t, "9C-C-R")}
	sum := 0.0
	const runs = 12
	for i := range runs {
		sum += simulate(t, c, i).End
	}
	numtest.Close(t, "seti, BOINC, random, 9C-C-R", sum/runs, 3195, 0.2)
}

func TestCasesThatAreNone(t *testing.T) {
	for name, change := range map[string]func(*Case){
		"no tasks":  func(c *Case) { c.Bag.Size.Mean = 0 },
		"no hosts":  func(c *Case) { c.Hosts = nil },
		"no server": func(c *Case) { c.Server = 7 },
		"rules":     func(c *Case) { c.Rules.Timeout = -1 },
		"quorum":    func(c *Case) { c.Rules.Quorum = 9 },
		"boot":      func(c *Case) { c.Cloud.Boot = math.NaN() },
		"speed":     func(c *Case) { c.Cloud.Speed.Mean = -1 },
		"credits":   func(c *Case) { c.Credits = math.NaN() },
		"horizon":   func(c *Case) { c.Horizon = -1 },
	} {
		c := &Case{Bag: bag(3, 1000), Hosts: steadyHosts(5)}
		change(c)
		if _, err := Simulate(c, chanceOf(1, 0), nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	stopped := errors.New("stopped")
	long := &Case{Bag: bag(1e5, 1e4), Hosts: steadyHosts(5)}
	if _, err := Simulate(long, chanceOf(1, 0), func() error { return stopped }); !errors.Is(err, stopped) {
		t.Errorf("not stopped: %v", err)
	}
}
