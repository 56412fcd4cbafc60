package allocation

import (
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// FailureLosses are the distributions of the revenue lost when one resource or
// risk group fails, and when two do at once (null where not asked for).
type FailureLosses struct {
	Single *alloc.LossDistribution `json:"single"`
	Pairs  *alloc.LossDistribution `json:"pairs"`
}

// RevenueBounds are upper bounds on the net revenue of primaries, which differ:
// on the revenue where capacity has no price.
type RevenueBounds struct {
	// exactly one level for each job served: the multiple-choice knapsack relaxed; with admission
	// or a budget that of Lagrange, which is the same
	LP float64 `json:"lp_bound"`
	// the rows of QoS-GRAF as printed, relaxed: weaker; null with optional admission or a budget
	Published *float64 `json:"lp_bound_published"`
	Eligible  float64  `json:"lp_bound_eligible"` // a level only on resources that it fits and the job may use
	// the summed capacity in whole numbers; null where it is not proven, and with prices, optional
	// admission or a budget
	Integer *int64 `json:"integer_bound"`
}

// Best returns the least of the bounds, to which gaps are.
func (b *RevenueBounds) Best() float64 {
	v := min(b.LP, b.Eligible)
	if b.Published != nil {
		v = min(v, *b.Published)
	}
	if b.Integer != nil {
		v = min(v, float64(*b.Integer))
	}
	return v
}

// An Answer is an assignment and how far from the best it can be.
// Method, revenue and gaps are null where only bounds were asked for. All bounds
// are on the net revenue of primaries.
type Answer struct {
	Method *alloc.Method `json:"method"`
	// Fallback is what answers where the method does not place all jobs, null for
	// nothing; FallbackUsed the dependencies in which it did.
	Fallback     *alloc.Method `json:"fallback"`
	FallbackUsed []string      `json:"fallback_used"`

	Revenue *int64 `json:"revenue"` // of levels and base fees
	// NetRevenue is the revenue less the spending: what is made greatest.
	NetRevenue *float64 `json:"net_revenue"`
	RevenueBounds
	Gap *float64 `json:"gap"` // (bound − net revenue)/bound to the least of the four bounds
	// ProvenBound is at most the least of the four: whole numbers by
	// dependency, and the revenue itself where a search was exhausted.
	ProvenBound float64 `json:"proven_bound"`
	// ProvenGap is the gap to that bound.
	ProvenGap *float64 `json:"proven_gap"`
	Optimal   *bool    `json:"optimal"`   // proven
	BaseFees  *int64   `json:"base_fees"` // part of the revenue
	Spending  *float64 `json:"spending"`  // price of the primary capacity used
	Budget    *float64 `json:"budget"`    // null: any amount
	// net revenue that one more unit of budget would bring; null without a budget
	BudgetPrice  *float64 `json:"budget_shadow_price"`
	Admitted     *int     `json:"admitted"` // jobs served
	Rejected     *int     `json:"rejected"` // jobs left out, which their admission allows
	RejectedJobs []string `json:"rejected_jobs"`
	Stopped      bool     `json:"stopped"` // time ran out; the best so far
	PrimaryGiven bool     `json:"primary_given"`
	Solver       *string  `json:"solver"` // of the method exact
	Jobs         int      `json:"jobs"`
	Resources    int      `json:"resources"`
	Seed         uint64   `json:"seed"`
	// by dependency: revenue that one more unit of capacity would bring
	ShadowPrice  map[string]float64    `json:"shadow_price"`
	Dependencies []AllocatedDependency `json:"dependencies"`
	Assignments  []AllocatedJob        `json:"assignments"`
	Backup       *BackupAnswer         `json:"backup"`
	Failures     []alloc.FailureStep   `json:"failures"` // after each failure in turn
	Losses       *FailureLosses        `json:"losses,omitempty"`
	// Curves are the greatest revenue against capacity, where only bounds were
	// asked for.
	Curves []RevenueCurve `json:"revenue_curves,omitempty"`

	// Money is what revenues and prices are in; nil: bare numbers.
	Money *units.CostForm `json:"money,omitempty"`

	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`

	system *alloc.System // for the plots; nil: read from a file
}

// An AllocatedDependency is the part of one dependency. Quantities are in its
// unit. What only an assignment has is null or 0 where bounds were asked for.
type AllocatedDependency struct {
	Dependency string `json:"dependency"`
	Revenue    *int64 `json:"revenue"` // of levels
	// RevenueBounds are those as if this dependency were alone, with admission
	// of its own and no budget.
	RevenueBounds
	Gap *float64 `json:"gap"` // null with optional admission or a budget
	// revenue that one more unit of capacity would bring, itself at no price
	ShadowPrice float64          `json:"shadow_price"`
	Capacity    int64            `json:"capacity"`         // of its resources together
	LeastDemand int64            `json:"least_demand"`     // of all jobs at their least level
	MostDemand  int64            `json:"most_demand"`      // of all jobs at their greatest
	Used        int64            `json:"used"`             // by the assignment
	Spending    *float64         `json:"spending"`         // price of the capacity used
	NetRevenue  *float64         `json:"net_revenue"`      // revenue − spending
	Levels      []int            `json:"levels"`           // jobs by level, from level 1 on
	ByClass     map[string]int64 `json:"revenue_by_class"` // by class of job
}

// An AllocatedJob is where one job gets one dependency. A backup without a
// resource has level 0: the job is unprotected.
type AllocatedJob struct {
	Job        string `json:"job"`
	Dependency string `json:"dependency"`
	// Resource is null where the job gets none.
	Resource *string `json:"resource"`
	Level    int     `json:"level"` // from 1
	// Demand and revenue are those of the level.
	Demand  int64 `json:"demand"`
	Revenue int64 `json:"revenue"`
}

// A BackupAnswer is an assignment of backups. The loss is summed over all jobs,
// each failing once; bounds on it are null where they prove that none exists, and that of the rows as
// printed, which protect every job, also where soft backups may lose less.
type BackupAnswer struct {
	// Mode is the one that backups were planned by.
	Mode           alloc.BackupMode `json:"mode"`
	Loss           int64            `json:"loss"`
	LPBound        *float64         `json:"lp_bound_loss"`           // exactly one level, not above the primary's
	PublishedBound *float64         `json:"lp_bound_loss_published"` // rows as printed; may be negative
	EligibleBound  *float64         `json:"lp_bound_loss_eligible"`  // only levels that fit
	ProvenBound    float64          `json:"proven_bound_loss"`       // in whole numbers, by exhaustion where proven
	Gap            float64          `json:"gap"`                     // (loss − proven bound)/loss
	// Optimal says that no backups lose less.
	Optimal bool `json:"optimal"`
	// Stopped says that time ran out: the backups are the best so far.
	Stopped      bool     `json:"stopped"`
	FallbackUsed []string `json:"fallback_used"` // by dependency and failure
	Unprotected  int      `json:"unprotected"`   // jobs with some dependency that has no backup
	// UnprotectedPairs is of job and dependency, those without a backup;
	// NoBackupSite those of them that no resource could ever back up.
	UnprotectedPairs int            `json:"unprotected_pairs"`
	NoBackupSite     int            `json:"no_backup_site"`
	SharingFactor    float64        `json:"sharing_factor"` // mean over resources of backup demand / backup capacity
	UnprotectedJobs  []string       `json:"unprotected_jobs"`
	Assignments      []AllocatedJob `json:"assignments"`
}
