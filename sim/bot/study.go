package bot

import (
	"math"

	"github.com/capplan/capplan/sim"
)

// Figures of a Study. Those with the prefix "without_" are of the same run without the cloud; they
// exist only if the case has a strategy. Times are in seconds.
const (
	Finish     = "finish"        // when the bag is done; also finish_p5, _p50, _p95, _p99 over the runs
	Ideal      = "ideal"         // at the rate of the first nine tenths
	Half       = "half"          // when half of it is done
	Slowdown   = "tail_slowdown" // finish over ideal
	TailTasks  = "tail_tasks"    // share of the tasks done after the ideal time
	TailTime   = "tail_time"     // share of the time after it
	Unfinished = "unfinished"    // share of the runs given up
	Lost       = "lost"          // work of machines that left
	Without    = "without_"
	Saving     = "saving"       // finish without less finish with the cloud
	Removal    = "tail_removal" // if the run without the cloud had a tail
	Ordered    = "credits_ordered"
	Spent      = "credits_spent"
	SpentShare = "credits_share" // spent over ordered
	CloudTime  = "cloud_time"    // billed
	CloudTasks = "cloud_tasks"   // share of the tasks that the cloud completed
	Workers    = "cloud_workers"
)

// quantiles of the time of the bag, over the runs.
var quantiles = []struct {
	suffix string
	p      float64
}{{"_p5", 0.05}, {"_p50", 0.5}, {"_p95", 0.95}, {"_p99", 0.99}}

// A Study is a case as a model of package sim: a replication is one bag, with the
// cloud and, on the same machines, without.
type Study struct {
	Case *Case
	// HelpOnly leaves out the run without the cloud, and the figures that tell of it or compare with it.
	HelpOnly bool
	// Most is how many events a run may have before it is given up, with the cloud and as many without, where the
	// case has no Horizon; 0: any number.
	Most uint64

	names map[string]int
	list  []sim.Figure
}

// NewStudy returns the study of a case. Errors: those of Check.
func NewStudy(c *Case) (*Study, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	s := &Study{Case: c, names: map[string]int{}}
	parts := []string{""}
	if c.Strategy != nil {
		parts = append(parts, Without)
	}
	for _, part := range parts {
		s.add(part+Finish, "s", sim.Tally, 0)
		for _, q := range quantiles {
			s.add(part+Finish+q.suffix, "s", sim.RunQuantile, q.p)
		}
		s.add(part+Ideal, "s", sim.Tally, 0)
		s.add(part+Half, "s", sim.Tally, 0)
		s.add(part+Slowdown, "", sim.Tally, 0)
		s.add(part+TailTasks, "", sim.Tally, 0)
		s.add(part+TailTime, "", sim.Tally, 0)
		s.add(part+Unfinished, "", sim.Tally, 0)
		s.add(part+Lost, "s", sim.Tally, 0)
	}
	if c.Strategy != nil {
		s.add(Saving, "s", sim.Tally, 0)
		s.add(Removal, "", sim.Tally, 0)
		s.add(Ordered, "", sim.Tally, 0)
		s.add(Spent, "", sim.Tally, 0)
		s.add(SpentShare, "", sim.Tally, 0)
		s.add(CloudTime, "s", sim.Tally, 0)
		s.add(CloudTasks, "", sim.Tally, 0)
		s.add(Workers, "", sim.Tally, 0)
	}
	return s, nil
}

// add adds a figure. Only the mean time of the bag must reach a wanted precision.
func (s *Study) add(name, unit string, kind sim.Kind, p float64) {
	s.names[name] = len(s.list)
	s.list = append(s.list,
		sim.Figure{Name: name, Unit: unit, Kind: kind, P: p, Free: name != Finish && name != Without+Finish})
}

// Figures lists what the study answers.
func (s *Study) Figures() []sim.Figure { return s.list }

// Approximate memory of a run in bytes, measured with 3.6 million tasks as the memory of the whole
// process less that of an empty run.
const (
	workerBytes   = 350 // for a machine, with its random numbers and its event: three million take 1.01 GB
	taskBytes     = 110 // for a task
	resultBytes   = 115 // for a result that BOINC gives out, with the event of its deadline
	strategyBytes = 70  // for a task if the cloud helps, as a run without it follows
	listedBytes   = 30  // for a task that is listed, beside the run: the list, with room to grow, and its text
)

// Memory returns roughly how many bytes a replication needs.
func (s *Study) Memory(float64) float64 {
	if s.Case.Check() != nil {
		return 0
	}
	task := float64(taskBytes)
	if s.Case.Server == BOINC {
		task += resultBytes * float64(s.Case.Rules.WithDefaults().Results)
	}
	if s.Case.Strategy != nil {
		task += strategyBytes
	}
	if len(s.Case.Bag.Tasks) > 0 {
		task += listedBytes
	}
	return workerBytes*float64(s.Case.Hosts.Machines()) + task*s.Case.Bag.MeanSize()
}

// Replicate runs one bag.
func (s *Study) Replicate(r *sim.Replication) error {
	if err := s.Case.Check(); err != nil {
		return err
	}
	if r == nil || s.names == nil {
		return &DomainError{"Study", "study", math.NaN(), "one of NewStudy, run by sim.Run"}
	}
	c := s.Case.followed()
	if c.Horizon == 0 {
		c.all = s.Most
	}
	o, err := Simulate(c, r.Stream, r.Err)
	if err != nil {
		return err
	}
	r.Events += o.Events
	s.tell(r, "", o)
	if s.Case.Strategy == nil {
		return nil
	}
	s.spent(r, o)
	if s.HelpOnly {
		return nil
	}
	c.Strategy = nil
	without, err := Simulate(c, r.Stream, r.Err)
	if err != nil {
		return err
	}
	r.Events += without.Events
	s.tell(r, Without, without)
	s.compare(r, without, o)
	return nil
}

func (s *Study) observe(r *sim.Replication, name string, v float64) { r.Observe(s.names[name], v) }

// tell records the figures of one run.
func (s *Study) tell(r *sim.Replication, part string, o *Outcome) {
	unfinished := 0.0
	if !o.Done() {
		unfinished = 1
	}
	s.observe(r, part+Unfinished, unfinished)
	s.observe(r, part+Lost, o.Lost)
	if half, ok := o.Progress.CompletionTime(0.5); ok {
		s.observe(r, part+Half, half)
	}
	if ideal, ok := o.Progress.IdealTime(); ok {
		s.observe(r, part+Ideal, ideal)
	}
	if !o.Done() {
		return
	}
	s.observe(r, part+Finish, o.End)
	for _, q := range quantiles {
		s.observe(r, part+Finish+q.suffix, o.End)
	}
	if slowdown, ok := o.Progress.TailSlowdown(); ok {
		s.observe(r, part+Slowdown, slowdown)
	}
	if tasks, time, ok := o.Tail(); ok {
		s.observe(r, part+TailTasks, tasks)
		s.observe(r, part+TailTime, time)
	}
}

// compare records what the cloud changed.
func (s *Study) compare(r *sim.Replication, without, with *Outcome) {
	if without.Done() && with.Done() {
		s.observe(r, Saving, without.End-with.End)
	}
	if tre, ok := TailRemoval(without, with); ok {
		s.observe(r, Removal, tre)
	}
}

// spent records what the cloud did and what it cost.
func (s *Study) spent(r *sim.Replication, with *Outcome) {
	s.observe(r, Ordered, with.Ordered)
	s.observe(r, Spent, with.Spent)
	if with.Ordered > 0 {
		s.observe(r, SpentShare, with.Spent/with.Ordered)
	}
	s.observe(r, CloudTime, with.CloudTime)
	s.observe(r, CloudTasks, float64(with.CloudTasks)/float64(with.Tasks))
	s.observe(r, Workers, float64(with.Workers))
}
