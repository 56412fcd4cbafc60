package alloc

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
)

// A Violation is one rule that an answer breaks.
type Violation struct {
	// "missing", "level", "resource", "eligible", "capacity", "co-selection", "budget", "above
	// primary", "disjoint", "shared capacity"
	Rule   string `json:"rule"`
	Place  string `json:"place"`
	Detail string `json:"detail"`
}

// A Report says whether an answer is feasible and what it is worth.
type Report struct {
	Feasible    bool        `json:"feasible"`
	Violations  []Violation `json:"violations"`
	Revenue     int64       `json:"revenue"`     // of levels and base fees
	BaseFees    int64       `json:"base_fees"`   // part of the revenue
	Spending    float64     `json:"spending"`    // price of all primary capacity used
	Rejected    int         `json:"rejected"`    // optional jobs without any level
	Loss        int64       `json:"loss"`        // revenue lost if every job went to its backup; 0 without backups
	Unprotected int         `json:"unprotected"` // jobs with some dependency that has no backup; 0 without backups
	// UnprotectedPairs is of job and dependency, those without a backup.
	UnprotectedPairs int `json:"unprotected_pairs"`
}

func (r *Report) add(rule, place, format string, args ...any) {
	r.Violations = append(r.Violations, Violation{rule, place, fmt.Sprintf(format, args...)})
}

// Verify checks an answer against the batch alone: every job has exactly one
// level of every dependency it needs, on one resource of that dependency that
// it may use (a job whose admission is optional: that or no level at all), no
// resource is filled beyond its capacity, and all primary capacity used costs
// at most the budget. Backups, nil for
// none, must lie on a resource that does not share a failure unit with the
// primary and not above the primary's level; a job may be unprotected. The
// backups of jobs whose primaries fail together must fit the backup capacity;
// those of others share it, unless sharing is false. None of the code that
// builds answers is used.
func Verify(b *Batch, primary, backup Choices, sharing bool) *Report {
	r := &Report{Violations: []Violation{}}
	if b == nil {
		r.add("missing", "batch", "none given")
		return r
	}
	if len(primary) != len(b.Dependencies) || (backup != nil && len(backup) != len(b.Dependencies)) {
		r.add("missing", "answer", "%d of %d dependencies", len(primary), len(b.Dependencies))
		return r
	}
	v := &verification{
		Report:  r,
		b:       b,
		primary: primary,
		backup:  backup,
		sharing: sharing,
		served:  make([]int, len(b.Jobs)),
		used:    make([]int64, len(b.Resources)),
		bare:    make(map[int]struct{}),
		shared:  make(map[sharedBackup]int64),
	}
	for d := range primary {
		for k := range min(len(primary[d]), len(b.Jobs)) {
			if primary[d][k].Level != 0 {
				v.served[k]++
			}
		}
	}
	for d, name := range b.Dependencies {
		if len(primary[d]) != len(b.Jobs) || (backup != nil && len(backup[d]) != len(b.Jobs)) {
			r.add("missing", name, "choices for %d of %d jobs", len(primary[d]), len(b.Jobs))
			return r
		}
		for k := range b.Jobs {
			v.pair(k, d)
		}
	}
	v.money()
	v.primaryCapacity()
	v.backupCapacity()
	r.Feasible = len(r.Violations) == 0
	return r
}

// A verification is a report in the making, with what the choices add up to.
type verification struct {
	*Report
	b               *Batch
	primary, backup Choices
	sharing         bool

	served []int                  // dependencies with a level, by job
	used   []int64                // by primaries, by resource
	bare   map[int]struct{}       // jobs without some backup
	shared map[sharedBackup]int64 // taken by backups
}

// A sharedBackup is capacity that backups share whose primaries fail together: those of one
// unit, on one resource. Where backups are not shared its unit is empty.
type sharedBackup struct {
	unit     string
	resource int32
}

// optional reports whether a job may be left without any level.
func (v *verification) optional(k int) bool {
	return cmp.Or(v.b.Jobs[k].Admission, v.b.Admission) == Optional
}

// unit names what fails as one with a resource.
func (v *verification) unit(resource int32) string {
	if g := v.b.Resources[resource].RiskGroup; g != "" {
		return "group " + g
	}
	return "resource " + v.b.Resources[resource].ID
}

// pair checks what a job has of a dependency.
func (v *verification) pair(k, d int) {
	name := v.b.Dependencies[d]
	place := v.b.Jobs[k].ID + "/" + name
	levels, _ := v.b.LevelsOf(k, d)
	primary := v.primary[d][k]
	var backup Choice
	if v.backup != nil {
		backup = v.backup[d][k]
	}
	switch {
	case len(levels) == 0:
		if primary.Level != 0 || backup.Level != 0 {
			v.add("level", place, "has a level although it needs none")
		}
		return
	case primary.Level == 0 && v.optional(k):
		if v.served[k] > 0 {
			v.add("co-selection", place, "no level here but one in another dependency: want levels in all it needs or in none")
		}
		if backup.Level != 0 {
			v.add("level", place, "has a backup but no primary")
		}
		return
	}
	l, ok := v.one(k, name, place, primary, levels)
	if !ok {
		return
	}
	v.used[primary.Resource] += l.Demand
	v.Revenue += l.Revenue
	switch {
	case v.backup == nil:
	case backup.Level == 0:
		v.Loss += l.Revenue
		v.UnprotectedPairs++
		v.bare[k] = struct{}{}
	default:
		v.pairBackup(k, name, place, primary, backup, levels)
	}
}

// pairBackup checks a backup against its primary.
func (v *verification) pairBackup(k int, name, place string, primary, backup Choice, levels []Level) {
	l, ok := v.one(k, name, place, backup, levels)
	if !ok {
		return
	}
	v.Loss += levels[primary.Level-1].Revenue - l.Revenue
	if backup.Level > primary.Level {
		v.add("above primary", place, "backup at level %d, primary at %d", backup.Level, primary.Level)
	}
	unit := v.unit(primary.Resource)
	if unit == v.unit(backup.Resource) {
		v.add("disjoint", place, "primary and backup fail together with %s", unit)
	}
	if !v.sharing {
		unit = ""
	}
	v.shared[sharedBackup{unit, backup.Resource}] += l.Demand
}

// money adds fees, counts the rejected jobs and holds spending against the budget.
func (v *verification) money() {
	for k := range v.b.Jobs {
		if v.served[k] == 0 && v.optional(k) {
			v.Rejected++
			continue
		}
		v.BaseFees += v.b.Jobs[k].BaseFee
	}
	v.Unprotected = len(v.bare)
	v.Revenue += v.BaseFees
	for j, res := range v.b.Resources {
		v.Spending += res.Price * (float64(v.used[j]) / cmp.Or(res.Speed, 1))
	}
	if v.b.Budget != nil && v.Spending > *v.b.Budget*(1+1e-12) {
		v.add("budget", "budget", "the capacity used costs %v, the budget is %v", v.Spending, *v.b.Budget)
	}
}

// primaryCapacity holds the primaries of each resource against what it has.
func (v *verification) primaryCapacity() {
	for j, res := range v.b.Resources {
		if c := unitsOf(res.PrimaryCapacity, res.Speed); v.used[j] > c {
			v.add("capacity", res.ID, "primaries use %d of %d", v.used[j], c)
		}
	}
}

// backupCapacity holds the backups that one failure calls on against what a resource has for them.
func (v *verification) backupCapacity() {
	// In the order of the batch, not of the map.
	shared := slices.Collect(maps.Keys(v.shared))
	sort.Slice(shared, func(i, j int) bool {
		x, y := shared[i], shared[j]
		return x.resource < y.resource || x.resource == y.resource && x.unit < y.unit
	})
	for _, s := range shared {
		res := v.b.Resources[s.resource]
		if c := unitsOf(res.BackupCapacity, res.Speed); v.shared[s] > c {
			v.add("shared capacity", res.ID, "backups for %s use %d of %d",
				cmp.Or(s.unit, "all failures"), v.shared[s], c)
		}
	}
}

// unitsOf returns the whole units of demand that a capacity holds at a speed; 0 is a speed of 1.
func unitsOf(capacity int64, speed float64) int64 {
	if speed == 0 {
		return capacity
	}
	return int64(math.Floor(float64(capacity) * speed))
}

// one checks a single choice.
func (v *verification) one(k int, name, place string, c Choice, levels []Level) (Level, bool) {
	b := v.b
	switch {
	case c.Level == 0:
		v.add("missing", place, "no level")
		return Level{}, false
	case c.Level < 0 || int(c.Level) > len(levels):
		v.add("level", place, "level %d of %d", c.Level, len(levels))
		return Level{}, false
	case c.Resource < 0 || int(c.Resource) >= len(b.Resources):
		v.add("resource", place, "no such resource")
		return Level{}, false
	case b.Resources[c.Resource].Dependency != name:
		v.add("resource", place, "%s serves %s", b.Resources[c.Resource].ID, b.Resources[c.Resource].Dependency)
		return Level{}, false
	}
	if ids, listed := b.Jobs[k].Eligible[name]; listed {
		if !slices.Contains(ids, b.Resources[c.Resource].ID) {
			v.add("eligible", place, "%s is not among its eligible resources", b.Resources[c.Resource].ID)
		}
	}
	return levels[c.Level-1], true
}
