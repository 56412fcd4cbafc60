package bot

import "github.com/capplan/capplan/bags/spequlos"

// An Outcome is what became of a bag in one run.
type Outcome struct {
	Progress *spequlos.Progress // every assignment and completion

	Tasks     int
	Completed int
	End       float64 // s, when the last was done, or the run was given up

	Ordered     float64 // credits
	Spent       float64 // credits, at most Ordered
	CloudTime   float64 // s that cloud workers were billed for
	Workers     int     // of the cloud that were started
	Started     bool    // the strategy found that it was time
	StartedAt   float64 // s
	CloudTasks  int     // that a result of the cloud completed
	CloudCopies int     // given to cloud workers

	Lost   float64 // s of work of machines that left
	Wasted int     // results of tasks that were done
	Events uint64
}

// Done reports whether the whole bag was done.
func (o *Outcome) Done() bool { return o.Completed == o.Tasks }

// Tail returns the share of the tasks that were done after the ideal time, and the
// share of the bag's time that lies after it; ok is false where the bag is not
// done. Source: SpeQuloS table 1.
func (o *Outcome) Tail() (tasks, time float64, ok bool) {
	if o.Progress == nil {
		return 0, 0, false
	}
	ideal, ok := o.Progress.IdealTime()
	if !ok || !o.Done() || o.End == 0 {
		return 0, 0, false
	}
	if o.End <= ideal {
		return 0, 0, true
	}
	after := 0
	for k := o.Tasks; k > 0; k-- {
		if t, _ := o.Progress.CompletionTime(float64(k) / float64(o.Tasks)); t <= ideal {
			break
		}
		after++
	}
	return float64(after) / float64(o.Tasks), (o.End - ideal) / o.End, true
}

// LeastSlowdown is the tail slowdown above which there is a tail to be removed.
const LeastSlowdown = 1.05

// TailRemoval returns the tail removal efficiency of help, 1 − (t − ideal)/(t0 − ideal), where t0
// and the ideal time are of the same run without it. ok is false if that run had no tail to speak
// of (a slowdown of at most 1.05), or if one of the two was given up. Source: SpeQuloS section
// 4.2.1.
func TailRemoval(without, with *Outcome) (tre float64, ok bool) {
	if without == nil || with == nil || without.Progress == nil || with.Progress == nil {
		return 0, false
	}
	slowdown, ok := without.Progress.TailSlowdown()
	if !ok || slowdown <= LeastSlowdown || !with.Done() {
		return 0, false
	}
	ideal, _ := without.Progress.IdealTime()
	return 1 - (with.End-ideal)/(without.End-ideal), true
}
