package bags

import "github.com/capplan/capplan/bags"

// From which standard deviation of the work of tasks over its mean on these are called unlike. The
// formula takes a long task for one on a slow machine, which does fewer of them: but machines are
// given long and short ones in turn, all results of a task are as long, and one that is lost is again.
// Of 60 drawn bags of such tasks 37 were off beyond what is told of others, and where the deviation is
// 0.17 one median by 8 %. The random bags of SpeQuloS have as much, and are done when the last of
// them has come: they are within 5 %.
const (
	unlikeTasksShare = 0.1
	unlikeLateShare  = 0.2 // of tasks that take no longer than they take to come, one by one
)

// unlikeOff is by which share the median of the formula was early at most of bags of such tasks.
const unlikeOff = 0.95

// unlikeTasks says whether tasks differ by more than the formula holds for, on machines of a speed.
// Those that come within a part of the time of one are as those that are there from the beginning on:
// of 21 tasks of 14 h that spread by 0.15 and come within two hours the median was 10 % early.
func unlikeTasks(b *bags.Bag, speed float64) bool {
	most := unlikeTasksShare
	if b.Arrival != nil && len(b.Tasks) == 0 && b.Arrival.Mean() >= b.Work.Mean/speed {
		most = unlikeLateShare
	}
	return b.Unlike() > most
}
