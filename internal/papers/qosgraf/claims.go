package qosgraf

import (
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
)

// A studyClaim is a number that QoS-GRAF prints about a figure: a ratio of
// means, or a mean. The fields say how the number is computed of the study's rows: which quantity,
// of which jobs, over which points.
type studyClaim struct {
	what         string
	printed      float64
	printedTo    float64 // above printed where a range is printed
	over, method string  // over/method − less, or the mean of over where method is ""
	less         float64
	inverse      bool // less − over/method
	quantity     string
	class        string // of job; "": all
	levels       []int  // of these levels, as a share of all levels; nil: no share
	ofAll        bool   // as a share of all classes and levels
	greatest     bool   // over the most of any other class and level
	note         string
	above, below float64 // of x; both 0: all points
	// lower is the x up to which points are compared with those from above on, over
	// the same batches; 0: each point is compared by itself.
	lower float64
}

// The methods of the text by the names of this program, and what their results are held against.
const (
	mrpa      = string(alloc.LPRoundPaper) // of backups the text says MLBA
	unitBig   = string(alloc.UnitBig)
	unitBest  = string(alloc.UnitBest)
	maxBig    = string(alloc.MaxBig)
	maxBest   = string(alloc.MaxBest)
	optimum   = allocation.StudyBound
	leastLoss = allocation.StudyLeastLoss
)

// What the text says in words, as the note beside the number that stands for it.
const (
	moreInWords  = "more than, in words"
	allInWords   = "at least nine in ten, for all in words"
	majorPortion = "more than, for the major portion in words"
)

// over is a claim on the ratio of two methods. Claims are pointers, so that each word that narrows
// one adds a store and not a copy to what runs when the program begins.
func over(what, method, other, quantity string) *studyClaim {
	return &studyClaim{what: what, over: method, method: other, quantity: quantity}
}

// above is a claim on how far a method lies above another, as a share of the other.
func above(what, method, other, quantity string) *studyClaim {
	c := over(what, method, other, quantity)
	c.less = 1
	return c
}

// below is the same of a method that lies below.
func below(what, method, other, quantity string) *studyClaim {
	c := above(what, method, other, quantity)
	c.inverse = true
	return c
}

// mean is a claim on the mean of one method.
func mean(what, method, quantity string) *studyClaim { return over(what, method, "", quantity) }

// of narrows a claim to a class of jobs, and at to levels of service.
func (c *studyClaim) of(class string) *studyClaim { c.class = class; return c }

func (c *studyClaim) at(levels ...int) *studyClaim { c.levels = levels; return c }

// inAll makes a share of all classes and levels of it, and overOthers compares it with the most of any other.
func (c *studyClaim) inAll() *studyClaim { c.ofAll = true; return c }

func (c *studyClaim) overOthers() *studyClaim { c.greatest = true; return c }

// where narrows it to points with an x from and to.
func (c *studyClaim) where(from, to float64) *studyClaim { c.above, c.below = from, to; return c }

// says is what is printed, and how it is to be read.
func (c *studyClaim) says(printed float64, note string) *studyClaim {
	c.printed, c.note = printed, note
	return c
}

// saysRange is says of a printed range.
func (c *studyClaim) saysRange(from, to float64, note string) *studyClaim {
	c.printedTo = to
	return c.says(from, note)
}

// claims are the numbers of sections 5.3 and 5.4 by figure. What the text says in words is a
// number here, with the reading in its note.
var claims = map[string][]*studyClaim{
	// The total revenue by primary factor: how near to the optimum the method MRPA is, and how far
	// above the greedy ones.
	"7a": {
		below("MRPA below the optimum", mrpa, optimum, "revenue").says(0.05, "at most, at all availabilities"),
		above("MRPA above UNIT_BIG", mrpa, unitBig, "revenue").says(0.2, "about"),
		above("UNIT_BIG above MAX_BIG", unitBig, maxBig, "revenue").says(0, moreInWords),
		moreAvailable("MRPA", mrpa),
		moreAvailable("UNIT_BIG", unitBig),
		moreAvailable("UNIT_BEST", unitBest),
		moreAvailable("MAX_BIG", maxBig),
		moreAvailable("MAX_BEST", maxBest),
		above("UNIT_BEST above MAX_BEST", unitBest, maxBest, "revenue").says(0, moreInWords),
		above("UNIT_BIG above UNIT_BEST", unitBig, unitBest, "revenue").says(0, moreInWords),
		above("MAX_BIG above MAX_BEST", maxBig, maxBest, "revenue").says(0, moreInWords),
	},
	// The revenue by class of job, of 100 jobs at primary factor 0.75.
	"7b": {
		above("MRPA above UNIT_BIG", mrpa, unitBig, "revenue").says(0.2, ""),
		above("MRPA above MAX_BIG", mrpa, maxBig, "revenue").says(0.3, ""),
		above("MRPA above UNIT_BIG, small jobs", mrpa, unitBig, "revenue").of("small").
			says(0, "equal, in words"),
		above("MRPA above UNIT_BIG, medium jobs", mrpa, unitBig, "revenue").of("medium").says(0, moreInWords),
		above("MRPA above UNIT_BIG, large jobs", mrpa, unitBig, "revenue").of("large").says(0, moreInWords),
		mean("MRPA, medium jobs in the revenue", mrpa, "revenue").of("medium").inAll().says(0.5, majorPortion),
		mean("UNIT_BIG, medium jobs in the revenue", unitBig, "revenue").of("medium").inAll().
			says(0.5, majorPortion),
		mean("UNIT_BEST, medium jobs in the revenue", unitBest, "revenue").of("medium").inAll().
			says(0.5, majorPortion),
		mean("MAX_BIG, medium jobs in the revenue", maxBig, "revenue").of("medium").inAll().
			says(0.5, majorPortion),
		mean("MAX_BEST, medium jobs in the revenue", maxBest, "revenue").of("medium").inAll().
			says(0.5, majorPortion),
	},
	// At which levels jobs are served, as shares of the jobs of a class. "All" is read as nine in
	// ten, since a single job of a batch would break it.
	"7c": {
		mean("MAX_BIG, large jobs at the highest level", maxBig, "jobs").of("large").at(4).
			says(0.9, allInWords),
		mean("MAX_BIG, small jobs at the lowest level", maxBig, "jobs").of("small").at(1).says(0.9, allInWords),
		mean("MAX_BIG, medium jobs at the lowest level", maxBig, "jobs").of("medium").at(1).
			says(0.9, allInWords),
		mean("UNIT_BIG, large jobs at the lowest level", unitBig, "jobs").of("large").at(1).
			says(0.9, allInWords),
		mean("MRPA, medium jobs at levels 2 and 3", mrpa, "jobs").of("medium").at(2, 3).
			says(0.5, "more than half, for well distributed between them in words"),
		mean("MRPA, large jobs at levels 2 and 3", mrpa, "jobs").of("large").at(2, 3).
			says(0.5, "more than half, for well distributed between them in words"),
	},
	// The same levels by revenue.
	"7d": {
		mean("UNIT_BIG, medium jobs at the highest level in the revenue", unitBig, "revenue").of("medium").at(4).inAll().
			says(0.5, "more than, for most of its revenue in words"),
		mean("MRPA, medium jobs at level 3 over any other class and level", mrpa, "revenue").of("medium").at(3).overOthers().
			says(1, "more than, for its maximum revenue in words"),
	},
	// The part of each resource that stays unused, on average and at most.
	"7e": {
		mean("MRPA, mean unused", mrpa, "mean_unused").says(0.03, "less than"),
		below("MRPA, mean unused below UNIT_BIG's", mrpa, unitBig, "mean_unused").says(0, moreInWords),
		below("MRPA, mean unused below MAX_BIG's", mrpa, maxBig, "mean_unused").says(0, moreInWords),
		mean("MRPA, most unused", mrpa, "most_unused").says(0.07, "no more than"),
		mean("UNIT_BIG, mean unused", unitBig, "mean_unused").says(0.1, "within"),
		mean("UNIT_BIG, most unused", unitBig, "most_unused").says(0.3, "as high as"),
		mean("MAX_BIG, mean unused", maxBig, "mean_unused").says(0.1, "within"),
		mean("MAX_BIG, most unused", maxBig, "most_unused").says(0.3, "as high as"),
	},
	// The revenue by number of jobs; the claims are on 200.
	"7f": {
		above("MRPA above UNIT_BIG", mrpa, unitBig, "revenue").where(190, 210).says(0.2, "at 200 jobs"),
		above("MRPA above UNIT_BEST", mrpa, unitBest, "revenue").where(190, 210).says(0.2, "at 200 jobs"),
	},
	// The revenue that a failure loses, by backup factor. The ends of ranges are moved a little
	// outwards, so that a point on an end is in whatever its last digit.
	"8a": {
		over("MLBA over the least loss", mrpa, leastLoss, "loss").where(0.08, 0.151).
			says(1.02, "about, at low availability"),
		over("MLBA over the least loss", mrpa, leastLoss, "loss").where(0.199, 0.41).
			says(1.05, "within, at medium and high availability"),
		over("UNIT_BIG over the least loss", unitBig, leastLoss, "loss").where(0.199, 0.41).
			says(2, "up to, at medium and high availability"),
	},
	// The same loss over the revenue before the failure.
	"8b": {
		mean("MLBA, loss in the primary revenue", mrpa, "loss_share").where(0.199, 0.41).
			saysRange(0.1, 0.2, "at medium and high availability"),
		below("MLBA's loss below UNIT_BIG's", mrpa, unitBig, "loss_share").where(0.199, 0.41).
			says(0.2, "around, at medium and high availability"),
	},
	// The same loss by class of job.
	"8c": {
		below("MLBA's loss below UNIT_BIG's, small jobs", mrpa, unitBig, "loss").of("small").
			says(0, "more than, in words, of figure 8d"),
		below("MLBA's loss below UNIT_BIG's, medium jobs", mrpa, unitBig, "loss").of("medium").
			says(0, "more than, in words, of figure 8d"),
		below("MLBA's loss below UNIT_BIG's, large jobs", mrpa, unitBig, "loss").of("large").
			says(0, "more than, in words, of figure 8d"),
	},
	// The revenue of all backups by number of jobs.
	"8e": {
		above("MLBA above UNIT_BIG", mrpa, unitBig, "backup_revenue").saysRange(0.18, 0.2, "as jobs contend"),
	},
	// The sharing factor is the demand of all backups over the backup capacity: above 1 jobs share.
	"8f": {
		mean("MLBA, sharing factor", mrpa, "sharing_factor").says(1, "more than"),
		above("MLBA, sharing above UNIT_BIG", mrpa, unitBig, "sharing_factor").says(0, moreInWords),
	},
	// Losses after one to four failures, one after the other.
	"table2": {
		below("MLBA's loss below UNIT_BIG's", mrpa, unitBig, "loss").
			saysRange(0.1, 0.2, "after 1 to 4 failures together"),
	},
}

// moreAvailable is the claim that a method earns more at medium and high
// availability than at low, (0.5, 1) and (0.25, 0.5) by the text; the point that is
// in both is left out.
func moreAvailable(name, method string) *studyClaim {
	c := above(name+", revenue at medium and high availability above that at low", method, method, "revenue").
		where(0.501, 1.001).says(0, moreInWords+", on average over the points with an answer in all batches")
	c.lower = 0.499
	return c
}

// table2 is table 2: loss, stopped and unprotected jobs after 1 to 4
// failures, for MLBA and UNIT_BIG.
var table2 = map[alloc.Method]map[string][4]float64{
	alloc.LPRoundPaper: {"loss": {40703, 94077, 207626, 485494}, "stopped": {0, 0, 0, 1}, "unprotected": {0, 4, 8, 28}},
	alloc.UnitBig: {"loss": {45290, 156016, 285353, 510482}, "stopped": {0, 1, 1, 7},
		"unprotected": {1, 0, 10, 45}},
}
