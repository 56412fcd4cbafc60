package alloc

import "iter"

// A Batch is one allocation problem: jobs that run side by side and the
// resources they compete for. All quantities are whole numbers: demands and
// capacities in the unit of the dependency, revenues in the unit of account.
type Batch struct {
	Dependencies []string `json:"dependencies" yaml:"dependencies"`
	// of jobs that do not say; empty: required
	Admission Admission `json:"admission,omitempty" yaml:"admission,omitempty"`
	// most that primaries may cost together, ≥ 0; nil: any amount
	Budget    *float64   `json:"budget,omitempty" yaml:"budget,omitempty"`
	Resources []Resource `json:"resources" yaml:"resources"`
	Jobs      []Job      `json:"jobs" yaml:"jobs"`
	// by job, beside or instead of its Eligible, in a tenth of the memory; nil: none
	Lists [][]EligibleList `json:"-" yaml:"-"`
}

// Admission says whether a job must be served.
type Admission string

const (
	Required Admission = "required" // at some level of every dependency that it needs
	Optional Admission = "optional" // so, or not at all
)

// A Resource serves one dependency, with capacity set aside for primaries and
// for backups.
type Resource struct {
	ID              string `json:"id" yaml:"id"`
	Dependency      string `json:"dependency" yaml:"dependency"`
	PrimaryCapacity int64  `json:"primary_capacity" yaml:"primary_capacity"` // ≥ 0
	BackupCapacity  int64  `json:"backup_capacity" yaml:"backup_capacity"`   // ≥ 0
	// resources of one group fail together; empty: fails alone
	RiskGroup string `json:"risk_group,omitempty" yaml:"risk_group,omitempty"`
	// demand served per unit of capacity, > 0; 0 means 1
	Speed float64 `json:"speed,omitempty" yaml:"speed,omitempty"`
	// unit of account per unit of primary capacity used, ≥ 0; backup capacity is free
	Price float64 `json:"price,omitempty" yaml:"price,omitempty"`
}

// A Job asks for each dependency it needs at one of several levels of
// service. A dependency that is missing from Levels, or has none in Needs, is
// not needed.
type Job struct {
	ID        string    `json:"id" yaml:"id"`
	Class     string    `json:"class,omitempty" yaml:"class,omitempty"`
	Admission Admission `json:"admission,omitempty" yaml:"admission,omitempty"` // empty: that of the batch
	// ≥ 0, earned when the job is served, beside the revenues of its levels
	BaseFee int64              `json:"base_fee,omitempty" yaml:"base_fee,omitempty"`
	Levels  map[string][]Level `json:"levels" yaml:"levels"`
	// instead of Levels, by index of the dependency, nil where it needs none: a fifth of the memory
	Needs [][]Level `json:"-" yaml:"-"`
	// by dependency, the only resources the job may use; missing: any
	Eligible map[string][]string `json:"eligible,omitempty" yaml:"eligible,omitempty"`
}

// An EligibleList names the only resources of a dependency that a job may use.
type EligibleList struct {
	Dependency string
	Resources  []string
}

// lists yields the resources that job k may use by dependency, of those where it may not use any.
func (b *Batch) lists(k int) iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		if k < len(b.Lists) {
			for _, l := range b.Lists[k] {
				if !yield(l.Dependency, l.Resources) {
					return
				}
			}
		}
		for dependency, resources := range b.Jobs[k].Eligible {
			if !yield(dependency, resources) {
				return
			}
		}
	}
}

// LevelsOf returns the levels of job k for dependency d, by their indexes, and
// whether the job needs it; no job needs what is not in the batch.
func (b *Batch) LevelsOf(k, d int) ([]Level, bool) {
	if k < 0 || k >= len(b.Jobs) || d < 0 || d >= len(b.Dependencies) {
		return nil, false
	}
	j := &b.Jobs[k]
	if j.Needs != nil {
		if d >= len(j.Needs) {
			return nil, false
		}
		return j.Needs[d], j.Needs[d] != nil
	}
	levels, ok := j.Levels[b.Dependencies[d]]
	return levels, ok
}

// A Level is one step of the demand-revenue function: demands rise strictly
// from level to level, revenues never fall. Levels count from 1.
type Level struct {
	Demand  int64 `json:"demand" yaml:"demand"`   // ≥ 0
	Revenue int64 `json:"revenue" yaml:"revenue"` // ≥ 0
}

// A Choice is where one job got one dependency.
type Choice struct {
	Resource int32 // index in Batch.Resources, -1 for none
	Level    int32 // from 1; 0 for none
}

// none is the choice of a job that does not need a dependency or got nothing.
var none = Choice{-1, 0}

// Choices are the choices by dependency and job, in the order of the batch.
type Choices [][]Choice

// An Assignment is a [Choice] in words, with what it takes and what it earns.
type Assignment struct {
	Job        string `json:"job" yaml:"job"`
	Dependency string `json:"dependency" yaml:"dependency"`
	Resource   string `json:"resource" yaml:"resource"` // empty: unprotected
	Level      int    `json:"level" yaml:"level"`       // from 1; 0: unprotected
	Demand     int64  `json:"demand" yaml:"demand"`
	Revenue    int64  `json:"revenue" yaml:"revenue"`
}
