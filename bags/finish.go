package bags

import (
	"math"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/bags/internal/early"
	"github.com/capplan/capplan/bags/internal/progress"
	"github.com/capplan/capplan/hosts"
)

// A Setup is a bag, the machines that it runs on, and their server.
type Setup struct {
	Bag    Bag
	Hosts  *hosts.Platform
	Server Server
	Rules  Rules
}

// Check returns the first error of the parts of the setup, nil if there is none.
func (s *Setup) Check() error {
	if err := s.Bag.Check(); err != nil {
		return err
	}
	if s.Hosts == nil {
		return &DomainError{"Setup", "Hosts", math.NaN(), "a platform"}
	}
	if err := s.Hosts.Check(); err != nil {
		return err
	}
	if s.Server < XWHEP || s.Server > Checkpoint {
		return &DomainError{"Setup", "Server", float64(s.Server), "XWHEP, BOINC or Checkpoint"}
	}
	return s.Rules.Check()
}

// A FinishLaw is the law of the time T at which a bag is done, from its submission.
type FinishLaw struct {
	law      attempts.Grid
	early    []*FinishLaw // the same law over shorter times in finer steps, in the order of their ends
	branches []branch
	untold   *untold                      // a law that is not computed yet; nil: it is
	finer    func(end float64) *FinishLaw // the same law over a shorter time, in finer steps
	work     float64                      // operations of a task
	unlike   float64                      // relative standard deviation of the work
	tasks    float64
	late     []float64      // share of the tasks that has not arrived, by cell; nil: all have
	come     []float64      // chance that all tasks have arrived, by cell; nil like late
	handing  *handing       // of results that wait; nil if there is none to know
	first    *attempts.Grid // law of when the first task is handed out; nil: at once
	// busy is the time until which tasks wait for machines, and spread its relative standard
	// deviation.
	busy, spread float64
	spreads      *attempts.Grid // for tasks that arrive one by one, spread up to each time; nil: the same at all times
	// Waves is true if there are more tasks than machines, so that a fluid phase comes
	// before the last wave.
	Waves bool
	Fluid float64 // s, when the last task is handed out; 0 without waves
	Ideal float64 // s, the expected t_c(0.9)/0.9; +Inf if the law does not reach that far
	Half  float64 // s, the expected t_c(0.5); +Inf if the law does not reach that far
}

// A branch is one of the courses that the fluid phase may take, with its chance and the mean number
// of tasks not done at each time.
type branch struct {
	share  float64
	undone []float64
	none   []float64 // chance that none is left; nil: that of as many tasks, each left as likely
}

// Chance returns P(T <= t), the chance that the bag is done by t.
func (f *FinishLaw) Chance(t float64) float64 { return f.within(t).law.At(t) }

// undoneError is the relative error that the mean number of tasks left was found to have against
// simulations, where F is flat.
const undoneError = 0.3

// Plateau returns the times between which the p-quantile lies if the computed mean number of tasks
// left is 30 % above or below the true one: the quantiles of p^1.3 and p^0.7. They are far apart
// where the law is flat, for example if a few tasks wait for machines that left for days.
func (f *FinishLaw) Plateau(p float64) (low, high float64) {
	return f.Quantile(math.Pow(p, 1+undoneError)), f.Quantile(math.Pow(p, 1-undoneError))
}

// within returns the law in the finest steps that reach a time.
func (f *FinishLaw) within(t float64) *FinishLaw {
	for _, e := range f.early {
		if t <= e.law.End() {
			return e
		}
	}
	return f
}

// Quantile returns the time in s by which the bag is done with chance p, 0 < p < 1; +Inf if
// the law does not reach p.
func (f *FinishLaw) Quantile(p float64) float64 {
	after := 0.0
	for _, e := range f.early {
		if p <= e.law.Last() {
			return max(after, e.law.Quantile(p))
		}
		after = e.law.End()
	}
	return max(after, f.law.Quantile(p))
}

// gridCells is the number of time steps to which laws are kept.
const gridCells = 500

// Finish returns the law of the time at which the bag is done.
//
// If there are two machines or more for each task, every task that is handed out or lost finds
// an idle machine: P(T <= t) = Π F(t − s_k), where s_k is the time at which the k-th task is
// handed out and F the law of the time from then to its result. Otherwise the mean numbers of
// tasks and machines are followed through time (see flow), and if U(t) of n tasks are not done
//
//	P(T <= t) = (1 − U(t)/n)^n
//
// where the product of this over kinds of tasks is taken if they are listed and unlike: the largest is left until a
// machine may be done with it. While more than 60 tasks wait for each machine, all machines work, and only the queue
// is followed.
//
// The end of the fluid phase is normal, with the spread of the machine time until then. If
// machines still finish together at that time, less machine time leaves more tasks to one more
// wave; see [model.stepping]. Under BOINC a result waits on its machine, and the quorum-th result
// completes a task; machines are told apart by how long they have stayed, since those that ask
// between the waves of the others are the ones that soon leave again.
//
// In the cases of TestFinishAgainstSimulation in package sim/bot, all but three of them out of
// sample, the median is within 5 % and the 95 % point within 10 % of simulation, up to chance. So
// it is in TestFinishOfDrawnBags, with bags similar to those of SpeQuloS on the machines of its
// table 2, and in TestFinishOfAWave in package planner/bags, with 57 bags of any size, and TestFinishOfUnlikeLists
// there. Under BOINC a long task counts as one on a slow machine, which is wrong if tasks are unlike. This does
// not hold where the law is flat ([FinishLaw.Plateau]) and on few machines ([FewMachines]).
// Errors: those of Check and of [hosts.Platform.Laws].
func Finish(s *Setup) (*FinishLaw, error) {
	if s == nil {
		return nil, &DomainError{"Finish", "setup", math.NaN(), "one"}
	}
	m, err := s.model()
	if err != nil {
		return nil, err
	}
	return m.solve()
}

// model returns what [Finish] computes from. Errors: as there.
func (s *Setup) model() (*model, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	up, down, err := s.Hosts.Laws()
	if err != nil {
		return nil, err
	}
	m := &model{
		s:      s,
		rules:  s.Rules.WithDefaults(),
		course: attempts.Course{Up: up, Down: down, Gone: s.Hosts.Departure},
		there:  float64(s.Hosts.Machines()) * s.Hosts.Availability(),
		n:      math.Round(s.Bag.MeanSize()),
	}
	if down == nil {
		m.cycle = math.Inf(1)
	} else {
		m.cycle = up.Mean() + down.Mean()
	}
	m.work = s.Bag.TotalWork() / s.Bag.MeanSize()
	steps := attempts.SpeedNodes
	if s.Server == BOINC {
		steps = attempts.BoincNodes
	}
	m.machines = attempts.TimesOf(m.work, attempts.NodesOf(s.Hosts.Speed, steps))
	m.times = m.machines.Spread(m.works(attempts.FewWorks))
	m.setTasks()
	m.done = m.rate()
	m.factors, m.soonest = m.sizes(), m.times.Fastest()
	return m, nil
}

// A model holds what Finish computes from a setup.
type model struct {
	s        *Setup
	rules    Rules
	course   attempts.Course
	there    float64 // machines that are up
	n        float64 // tasks
	work     float64
	tasks    *early.Bag
	attempts *early.Attempts // nil: nobody asks
	crowd    *progress.Crowd // nil: no task takes many attempts
	// machines are the times of a task of mean work, times those of all tasks
	machines, times attempts.Times
	cycle           float64
	delay           float64 // s, from the loss of a task until its next start
	done            float64 // completions per second while all machines work
	// factors of the number of tasks for which the bag is followed, the middle one 1.
	factors []float64
	soonest float64 // s, the time of a task on the fastest machines
}

// solve returns the law.
func (m *model) solve() (*FinishLaw, error) {
	m.delay = m.rules.Timeout - m.times.SinceSign(m.rules.KeepAlive) + m.rules.Ask/(1+m.there)
	if m.s.Server == Checkpoint {
		m.delay = m.rules.Ask / (1 + m.there)
	}
	var f *FinishLaw
	if m.crowd != nil {
		f = m.sharing()
	} else if m.s.Server == BOINC {
		f = m.quorum()
	} else {
		f = m.flowing()
	}
	for _, l := range append(f.early, f) {
		m.describe(l)
	}
	return f, nil
}

// describe sets what a law says of its tasks.
func (m *model) describe(f *FinishLaw) {
	f.work, f.unlike, f.tasks = m.work, m.s.Bag.Unlike(), m.n
	f.come = f.comes(&m.s.Bag)
}

// works returns how the work of tasks differs, see [attempts.WorksOf].
func (m *model) works(groups int) []attempts.Node {
	b := &m.s.Bag
	if len(b.Tasks) == 0 {
		return attempts.NormalWorks(b.Work.SD/b.Work.Mean, groups)
	}
	works := make([]float64, len(b.Tasks))
	for i, t := range b.Tasks {
		works[i] = t.Work / m.work
	}
	return attempts.WorksOf(works, groups)
}

func logOf(p float64) float64 { return math.Log(max(p, 1e-300)) }

// fluidNodes are the nodes over which the law is summed. They are close together, else the law
// would have steps: a bag of many tasks is done soon after the fluid phase, however long that
// takes.
var fluidNodes = attempts.EvenNodes(12, mostLate)

// mostLate is the reach of fluidNodes in standard deviations.
const mostLate = 3.6

// lateNodes are the parts of a normal law up to -0.6, 0.4, 1.2, 1.9 and beyond, each at its mean,
// for the branches in which help is followed. They are close together where the fluid phase takes
// long, because designs that are to be in time with 99 % depend on that.
var lateNodes = []attempts.Node{{Share: 0.2743, Speed: -1.215}, {Share: 0.3811, Speed: -0.092}, {Share: 0.2295, Speed: 0.759}, {Share: 0.0864, Speed: 1.489}, {Share: 0.0287, Speed: 2.285}}

// fluidSpread returns the relative standard deviation of the end of the fluid phase, from that of
// the machine time until then and that of the speed of the machines that are up,
//
//	Var ∫ / E² = v(T)/N + c²/N
//
// with v the variance of the time of one machine (see TimeVariance) and c the coefficient of
// variation of the speeds. If machines leave for good it is greater, see [model.goneSpread].
func (m *model) fluidSpread(t float64) float64 {
	if t <= 0 {
		return 0
	}
	speed := m.s.Hosts.Speed.SD / m.s.Hosts.Speed.Mean
	gone, late := m.goneSpread(t)
	// Where next to no machine is left it is thousands, of which no exponential is finite.
	return min(9, math.Sqrt(((m.course.TimeVariance(t)+speed*speed)*late*late+gone)/float64(m.s.Hosts.Machines())))
}

// oneWave makes the law of a bag whose tasks are all handed out at once, from the laws of the time of a task and,
// of a time t, the geometric mean of the chances that listed tasks are done.
func (m *model) oneWave(f *FinishLaw, attempt, each attempts.Grid) {
	const parts = 16
	undone := make([]float64, gridCells)
	for i := range f.law.F {
		sum := 0.0
		for k := range parts {
			start := attempts.Asked((float64(k)+0.5)/parts*m.n/m.there, m.rules.Ask)
			v := attempt.At(float64(i)*f.law.Step - start)
			sum += logOf(each.At(float64(i)*f.law.Step-start)) / parts
			undone[i] += m.n * (1 - v) / parts
		}
		f.law.F[i] = math.Exp(m.n * sum)
	}
	f.branches = []branch{{share: 1, undone: undone}}
	shifted := m.rules.Ask / 2 * m.n / m.there
	f.Half = shifted + attempt.Quantile(0.5)
	f.Ideal = (shifted + attempt.Quantile(0.9)) / 0.9
}
