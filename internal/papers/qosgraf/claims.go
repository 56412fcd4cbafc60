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

// majorPortion is the note of what the text says of all methods.
const majorPortion = "more than, for the major portion in words"

// claims are the numbers of sections 5.3 and 5.4 by figure. What the text says in words is a
// number here, with the reading in its note.
var claims = map[string][]studyClaim{
	// The total revenue by primary factor: how near to the optimum the method MRPA is, and how far
	// above the greedy ones.
	"7a": {
		{what: "MRPA below the optimum", printed: 0.05, over: string(alloc.LPRoundPaper),
			method: allocation.StudyBound, less: 1, inverse: true, quantity: "revenue", note: "at most, at all " +
				"availabilities"},
		{what: "MRPA above UNIT_BIG", printed: 0.2, over: string(alloc.LPRoundPaper), method: string(alloc.UnitBig),
			less: 1, quantity: "revenue", note: "about"},
		{
			what:     "UNIT_BIG above MAX_BIG",
			printed:  0,
			over:     string(alloc.UnitBig),
			method:   string(alloc.MaxBig),
			less:     1,
			quantity: "revenue",
			note:     "more than, in words",
		},
		moreAvailable("MRPA", alloc.LPRoundPaper),
		moreAvailable("UNIT_BIG", alloc.UnitBig),
		moreAvailable("UNIT_BEST", alloc.UnitBest),
		moreAvailable("MAX_BIG", alloc.MaxBig),
		moreAvailable("MAX_BEST", alloc.MaxBest),
		{
			what:     "UNIT_BEST above MAX_BEST",
			printed:  0,
			over:     string(alloc.UnitBest),
			method:   string(alloc.MaxBest),
			less:     1,
			quantity: "revenue",
			note:     "more than, in words",
		},
		{
			what:     "UNIT_BIG above UNIT_BEST",
			printed:  0,
			over:     string(alloc.UnitBig),
			method:   string(alloc.UnitBest),
			less:     1,
			quantity: "revenue",
			note:     "more than, in words",
		},
		{
			what:     "MAX_BIG above MAX_BEST",
			printed:  0,
			over:     string(alloc.MaxBig),
			method:   string(alloc.MaxBest),
			less:     1,
			quantity: "revenue",
			note:     "more than, in words",
		},
	},
	// The revenue by class of job, of 100 jobs at primary factor 0.75.
	"7b": {
		{what: "MRPA above UNIT_BIG", printed: 0.2, over: string(alloc.LPRoundPaper), method: string(alloc.UnitBig),
			less: 1, quantity: "revenue"},
		{what: "MRPA above MAX_BIG", printed: 0.3, over: string(alloc.LPRoundPaper), method: string(alloc.MaxBig),
			less: 1, quantity: "revenue"},
		{
			what:     "MRPA above UNIT_BIG, small jobs",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			quantity: "revenue",
			note:     "equal, in words",
			class:    "small",
		},
		{
			what:     "MRPA above UNIT_BIG, medium jobs",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			quantity: "revenue",
			note:     "more than, in words",
			class:    "medium",
		},
		{
			what:     "MRPA above UNIT_BIG, large jobs",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			quantity: "revenue",
			note:     "more than, in words",
			class:    "large",
		},
		{what: "MRPA, medium jobs in the revenue", printed: 0.5, over: string(alloc.LPRoundPaper),
			quantity: "revenue", class: "medium", ofAll: true, note: majorPortion},
		{what: "UNIT_BIG, medium jobs in the revenue", printed: 0.5, over: string(alloc.UnitBig), quantity: "revenue",
			class: "medium", ofAll: true, note: majorPortion},
		{what: "UNIT_BEST, medium jobs in the revenue", printed: 0.5, over: string(alloc.UnitBest),
			quantity: "revenue", class: "medium", ofAll: true, note: majorPortion},
		{what: "MAX_BIG, medium jobs in the revenue", printed: 0.5, over: string(alloc.MaxBig), quantity: "revenue",
			class: "medium", ofAll: true, note: majorPortion},
		{what: "MAX_BEST, medium jobs in the revenue", printed: 0.5, over: string(alloc.MaxBest), quantity: "revenue",
			class: "medium", ofAll: true, note: majorPortion},
	},
	// At which levels jobs are served, as shares of the jobs of a class. "All" is read as nine in
	// ten, since a single job of a batch would break it.
	"7c": {
		{
			what:     "MAX_BIG, large jobs at the highest level",
			printed:  0.9,
			over:     string(alloc.MaxBig),
			quantity: "jobs",
			class:    "large",
			levels:   []int{4},
			note:     "at least nine in ten, for all in words",
		},
		{
			what:     "MAX_BIG, small jobs at the lowest level",
			printed:  0.9,
			over:     string(alloc.MaxBig),
			quantity: "jobs",
			class:    "small",
			levels:   []int{1},
			note:     "at least nine in ten, for all in words",
		},
		{
			what:     "MAX_BIG, medium jobs at the lowest level",
			printed:  0.9,
			over:     string(alloc.MaxBig),
			quantity: "jobs",
			class:    "medium",
			levels:   []int{1},
			note:     "at least nine in ten, for all in words",
		},
		{
			what:     "UNIT_BIG, large jobs at the lowest level",
			printed:  0.9,
			over:     string(alloc.UnitBig),
			quantity: "jobs",
			class:    "large",
			levels:   []int{1},
			note:     "at least nine in ten, for all in words",
		},
		{
			what:     "MRPA, medium jobs at levels 2 and 3",
			printed:  0.5,
			over:     string(alloc.LPRoundPaper),
			quantity: "jobs",
			class:    "medium",
			levels:   []int{2, 3},
			note:     "more than half, for well distributed between them in words",
		},
		{
			what:     "MRPA, large jobs at levels 2 and 3",
			printed:  0.5,
			over:     string(alloc.LPRoundPaper),
			quantity: "jobs",
			class:    "large",
			levels:   []int{2, 3},
			note:     "more than half, for well distributed between them in words",
		},
	},
	// The same levels by revenue.
	"7d": {
		{
			what:     "UNIT_BIG, medium jobs at the highest level in the revenue",
			printed:  0.5,
			over:     string(alloc.UnitBig),
			quantity: "revenue",
			class:    "medium",
			levels:   []int{4},
			ofAll:    true,
			note:     "more than, for most of its revenue in words",
		},
		{
			what:     "MRPA, medium jobs at level 3 over any other class and level",
			printed:  1,
			over:     string(alloc.LPRoundPaper),
			quantity: "revenue",
			class:    "medium",
			levels:   []int{3},
			greatest: true,
			note:     "more than, for its maximum revenue in words",
		},
	},
	// The part of each resource that stays unused, on average and at most.
	"7e": {
		{what: "MRPA, mean unused", printed: 0.03, over: string(alloc.LPRoundPaper), quantity: "mean_unused",
			note: "less than"},
		{
			what:     "MRPA, mean unused below UNIT_BIG's",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			inverse:  true,
			quantity: "mean_unused",
			note:     "more than, in words",
		},
		{
			what:     "MRPA, mean unused below MAX_BIG's",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.MaxBig),
			less:     1,
			inverse:  true,
			quantity: "mean_unused",
			note:     "more than, in words",
		},
		{what: "MRPA, most unused", printed: 0.07, over: string(alloc.LPRoundPaper), quantity: "most_unused",
			note: "no more than"},
		{what: "UNIT_BIG, mean unused", printed: 0.1, over: string(alloc.UnitBig), quantity: "mean_unused",
			note: "within"},
		{what: "UNIT_BIG, most unused", printed: 0.3, over: string(alloc.UnitBig), quantity: "most_unused",
			note: "as high as"},
		{what: "MAX_BIG, mean unused", printed: 0.1, over: string(alloc.MaxBig), quantity: "mean_unused",
			note: "within"},
		{what: "MAX_BIG, most unused", printed: 0.3, over: string(alloc.MaxBig), quantity: "most_unused",
			note: "as high as"},
	},
	// The revenue by number of jobs; the claims are on 200.
	"7f": {
		{what: "MRPA above UNIT_BIG", printed: 0.2, over: string(alloc.LPRoundPaper), method: string(alloc.UnitBig),
			less: 1, quantity: "revenue", above: 190, below: 210, note: "at 200 jobs"},
		{what: "MRPA above UNIT_BEST", printed: 0.2, over: string(alloc.LPRoundPaper), method: string(alloc.UnitBest),
			less: 1, quantity: "revenue", above: 190, below: 210, note: "at 200 jobs"},
	},
	// The revenue that a failure loses, by backup factor. The ends of ranges are moved a little
	// outwards, so that a point on an end is in whatever its last digit.
	"8a": {
		{what: "MLBA over the least loss", printed: 1.02, over: string(alloc.LPRoundPaper),
			method: allocation.StudyLeastLoss, quantity: "loss", above: 0.08, below: 0.151, note: "about, at low " +
				"availability"},
		{what: "MLBA over the least loss", printed: 1.05, over: string(alloc.LPRoundPaper),
			method: allocation.StudyLeastLoss, quantity: "loss", above: 0.199, below: 0.41, note: "within, at medium " +
				"and high availability"},
		{what: "UNIT_BIG over the least loss", printed: 2, over: string(alloc.UnitBig),
			method: allocation.StudyLeastLoss, quantity: "loss", above: 0.199, below: 0.41, note: "up to, at medium " +
				"and high availability"},
	},
	// The same loss over the revenue before the failure.
	"8b": {
		{what: "MLBA, loss in the primary revenue", printed: 0.1, printedTo: 0.2, over: string(alloc.LPRoundPaper),
			quantity: "loss_share", above: 0.199, below: 0.41, note: "at medium and high availability"},
		{
			what:     "MLBA's loss below UNIT_BIG's",
			printed:  0.2,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			quantity: "loss_share",
			note:     "around, at medium and high availability",
			inverse:  true,
			above:    0.199,
			below:    0.41,
		},
	},
	// The same loss by class of job.
	"8c": {
		{
			what:     "MLBA's loss below UNIT_BIG's, small jobs",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			inverse:  true,
			quantity: "loss",
			class:    "small",
			note:     "more than, in words, of figure 8d",
		},
		{
			what:     "MLBA's loss below UNIT_BIG's, medium jobs",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			inverse:  true,
			quantity: "loss",
			class:    "medium",
			note:     "more than, in words, of figure 8d",
		},
		{
			what:     "MLBA's loss below UNIT_BIG's, large jobs",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			inverse:  true,
			quantity: "loss",
			class:    "large",
			note:     "more than, in words, of figure 8d",
		},
	},
	// The revenue of all backups by number of jobs.
	"8e": {
		{what: "MLBA above UNIT_BIG", printed: 0.18, printedTo: 0.2, over: string(alloc.LPRoundPaper),
			method: string(alloc.UnitBig), less: 1, quantity: "backup_revenue", note: "as jobs contend"},
	},
	// The sharing factor is the demand of all backups over the backup capacity: above 1 jobs share.
	"8f": {
		{what: "MLBA, sharing factor", printed: 1, over: string(alloc.LPRoundPaper), quantity: "sharing_factor",
			note: "more than"},
		{
			what:     "MLBA, sharing above UNIT_BIG",
			printed:  0,
			over:     string(alloc.LPRoundPaper),
			method:   string(alloc.UnitBig),
			less:     1,
			quantity: "sharing_factor",
			note:     "more than, in words",
		},
	},
	// Losses after one to four failures, one after the other.
	"table2": {
		{
			what:      "MLBA's loss below UNIT_BIG's",
			printed:   0.1,
			printedTo: 0.2,
			over:      string(alloc.LPRoundPaper),
			method:    string(alloc.UnitBig),
			less:      1,
			inverse:   true,
			quantity:  "loss",
			note:      "after 1 to 4 failures together",
		},
	},
}

// moreAvailable is the claim that a method earns more at medium and high
// availability than at low, (0.5, 1) and (0.25, 0.5) by the text; the point that is
// in both is left out.
func moreAvailable(name string, m alloc.Method) studyClaim {
	return studyClaim{
		what:     name + ", revenue at medium and high availability above that at low",
		printed:  0,
		over:     string(m),
		method:   string(m),
		less:     1,
		quantity: "revenue",
		note:     "more than, in words, on average over the points with an answer in all batches",
		above:    0.501,
		below:    1.001,
		lower:    0.499,
	}
}

// table2 is table 2: loss, stopped and unprotected jobs after 1 to 4
// failures, for MLBA and UNIT_BIG.
var table2 = map[alloc.Method]map[string][4]float64{
	alloc.LPRoundPaper: {"loss": {40703, 94077, 207626, 485494}, "stopped": {0, 0, 0, 1}, "unprotected": {0, 4, 8, 28}},
	alloc.UnitBig: {"loss": {45290, 156016, 285353, 510482}, "stopped": {0, 1, 1, 7},
		"unprotected": {1, 0, 10, 45}},
}
