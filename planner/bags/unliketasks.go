package bags

import "github.com/capplan/capplan/sim/bot"

// Tasks count as unlike if the standard deviation of their work is more than a share of its mean. Under
// BOINC the formula treats a long task like one on a slow machine, which would do fewer of them. But
// machines get long and short tasks in turn, and all results of a task are equally long. Of 60 drawn
// bags of such tasks 37 were off by more than is stated for others; with a deviation of 0.17 one median
// was off by 8 %. The random bags of SpeQuloS have the same deviation, but are done when their last tasks
// arrive, and are within 5 %. Under other servers the formula is right (TestFinishOfUnlikeLists), but not
// that of help, which takes a task like any other where the largest is the one that is late.
const (
	unlikeTasksShare = 0.1
	unlikeLateShare  = 0.2 // if tasks take no longer than the mean time until they arrive
)

// unlikeOff is the greatest share by which the median of the formula was early for such bags under BOINC.
const unlikeOff = 0.95

// unlikeTasks reports whether tasks differ by more than these formulas allow. Tasks that arrive within
// a fraction of a task's time count like tasks that are there from the beginning: with 21 tasks of
// 14 h that spread by 0.15 and arrive within two hours the median was 10 % early.
func unlikeTasks(c *bot.Case) bool {
	most, b := unlikeTasksShare, &c.Bag
	if b.Arrival != nil && len(b.Tasks) == 0 && b.Arrival.Mean() >= b.Work.Mean/c.Hosts.Speed.Mean {
		most = unlikeLateShare
	}
	return b.Unlike() > most
}

// mostStays is the number of stays found under way that the largest task may take with checkpoints for the effect of
// help to be that of the formula, which follows such tasks as they progress (TestFinishOfManyStays), but not what
// workers take over.
const mostStays = 10

// manyStays reports whether the largest task takes more.
func manyStays(c *bot.Case) bool {
	up, down, err := c.Hosts.Laws()
	if c.Server != bot.Checkpoint || err != nil || down == nil {
		return false
	}
	return c.Bag.LargestWork()/c.Hosts.Speed.Mean > mostStays*up.Mean()*(1+up.SCV())/2
}
