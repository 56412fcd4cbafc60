package alloc

import (
	"cmp"
	"fmt"
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
	}
	if backup != nil {
		v.layUnits()
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
		v.backupCapacity()
	}
	v.money()
	v.primaryCapacity()
	v.overfull()
	r.Feasible = len(r.Violations) == 0
	return r
}

// A verification is a report in the making, with what the choices add up to.
type verification struct {
	*Report
	b               *Batch
	primary, backup Choices
	sharing         bool

	served []int   // dependencies with a level, by job
	used   []int64 // by primaries, by resource

	// Of backups. Those of a dependency are kept by resource, each before the one that came last.
	bare  []bool         // by job, whether it is without some backup
	unit  []int32        // by resource, the first that fails as one with it
	last  []int32        // by resource, its last backup; -1: none
	taken []sharedBackup // of the dependency
	sums  []int64        // by unit, 0 between two resources
	over  []sharedBackup // more than there is
}

// A sharedBackup is capacity of a resource that a backup takes, or all that share it: those whose primaries fail
// together with a unit. Where backups are not shared there is one unit, 0.
type sharedBackup struct {
	resource, unit int32
	before         int32
	demand         int64
}

// optional reports whether a job may be left without any level.
func (v *verification) optional(k int) bool {
	return cmp.Or(v.b.Jobs[k].Admission, v.b.Admission) == Optional
}

// layUnits finds what fails as one, and makes room for the backups.
func (v *verification) layUnits() {
	n := len(v.b.Resources)
	v.bare = make([]bool, len(v.b.Jobs))
	v.unit, v.last, v.sums = make([]int32, n), unplaced(n), make([]int64, n)
	v.taken = make([]sharedBackup, 0, len(v.b.Jobs))
	groups := make(map[string]int32)
	for j := range v.b.Resources {
		v.unit[j] = int32(j)
		if g := v.b.Resources[j].RiskGroup; g != "" {
			if first, seen := groups[g]; seen {
				v.unit[j] = first
			} else {
				groups[g] = int32(j)
			}
		}
	}
}

// unitName names what fails as one with a resource.
func (v *verification) unitName(resource int32) string {
	if g := v.b.Resources[resource].RiskGroup; g != "" {
		return "group " + g
	}
	return "resource " + v.b.Resources[resource].ID
}

// place names a job and a dependency.
func (v *verification) place(k, d int) string { return v.b.Jobs[k].ID + "/" + v.b.Dependencies[d] }

// pair checks what a job has of a dependency.
func (v *verification) pair(k, d int) {
	levels, _ := v.b.LevelsOf(k, d)
	primary := v.primary[d][k]
	var backup Choice
	if v.backup != nil {
		backup = v.backup[d][k]
	}
	switch {
	case len(levels) == 0:
		if primary.Level != 0 || backup.Level != 0 {
			v.add("level", v.place(k, d), "has a level although it needs none")
		}
		return
	case primary.Level == 0 && v.optional(k):
		if v.served[k] > 0 {
			v.add("co-selection", v.place(k, d),
				"no level here but one in another dependency: want levels in all it needs or in none")
		}
		if backup.Level != 0 {
			v.add("level", v.place(k, d), "has a backup but no primary")
		}
		return
	}
	l, ok := v.one(k, d, primary, levels)
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
		v.bare[k] = true
	default:
		v.pairBackup(k, d, primary, backup, levels)
	}
}

// pairBackup checks a backup against its primary.
func (v *verification) pairBackup(k, d int, primary, backup Choice, levels []Level) {
	l, ok := v.one(k, d, backup, levels)
	if !ok {
		return
	}
	v.Loss += levels[primary.Level-1].Revenue - l.Revenue
	if backup.Level > primary.Level {
		v.add("above primary", v.place(k, d), "backup at level %d, primary at %d", backup.Level, primary.Level)
	}
	unit := v.unit[primary.Resource]
	if unit == v.unit[backup.Resource] {
		v.add("disjoint", v.place(k, d), "primary and backup fail together with %s", v.unitName(unit))
	}
	if !v.sharing {
		unit = 0
	}
	v.taken = append(v.taken, sharedBackup{backup.Resource, unit, v.last[backup.Resource], l.Demand})
	v.last[backup.Resource] = int32(len(v.taken) - 1)
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
	for _, bare := range v.bare {
		if bare {
			v.Unprotected++
		}
	}
	v.Revenue += v.BaseFees
	for j := range v.b.Resources {
		res := &v.b.Resources[j]
		v.Spending += res.Price * (float64(v.used[j]) / cmp.Or(res.Speed, 1))
	}
	if v.b.Budget != nil && v.Spending > *v.b.Budget*(1+1e-12) {
		v.add("budget", "budget", "the capacity used costs %v, the budget is %v", v.Spending, *v.b.Budget)
	}
}

// primaryCapacity holds the primaries of each resource against what it has.
func (v *verification) primaryCapacity() {
	for j := range v.b.Resources {
		res := &v.b.Resources[j]
		if c := unitsOf(res.PrimaryCapacity, res.Speed); v.used[j] > c {
			v.add("capacity", res.ID, "primaries use %d of %d", v.used[j], c)
		}
	}
}

// backupCapacity holds the backups of a dependency that one failure calls on against what each resource has for them.
func (v *verification) backupCapacity() {
	for _, t := range v.taken {
		j := t.resource
		res := &v.b.Resources[j]
		c := unitsOf(res.BackupCapacity, res.Speed)
		for at := v.last[j]; at >= 0; at = v.taken[at].before {
			v.sums[v.taken[at].unit] += v.taken[at].demand
		}
		for at := v.last[j]; at >= 0; at = v.taken[at].before {
			u := v.taken[at].unit
			if v.sums[u] > max(c, 0) {
				v.over = append(v.over, sharedBackup{resource: j, unit: u, demand: v.sums[u]})
			}
			v.sums[u] = 0
		}
		v.last[j] = -1
	}
	v.taken = v.taken[:0]
}

// overfull says which resources have too little for the backups that share it.
func (v *verification) overfull() {
	name := func(s sharedBackup) string {
		if !v.sharing {
			return "all failures"
		}
		return v.unitName(s.unit)
	}
	sort.Slice(v.over, func(i, j int) bool {
		a, b := v.over[i], v.over[j]
		return a.resource < b.resource || a.resource == b.resource && name(a) < name(b)
	})
	for _, s := range v.over {
		res := v.b.Resources[s.resource]
		v.add("shared capacity", res.ID, "backups for %s use %d of %d", name(s), s.demand,
			unitsOf(res.BackupCapacity, res.Speed))
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
func (v *verification) one(k, d int, c Choice, levels []Level) (Level, bool) {
	b, name := v.b, v.b.Dependencies[d]
	switch {
	case c.Level == 0:
		v.add("missing", v.place(k, d), "no level")
		return Level{}, false
	case c.Level < 0 || int(c.Level) > len(levels):
		v.add("level", v.place(k, d), "level %d of %d", c.Level, len(levels))
		return Level{}, false
	case c.Resource < 0 || int(c.Resource) >= len(b.Resources):
		v.add("resource", v.place(k, d), "no such resource")
		return Level{}, false
	case b.Resources[c.Resource].Dependency != name:
		v.add("resource", v.place(k, d), "%s serves %s", b.Resources[c.Resource].ID, b.Resources[c.Resource].Dependency)
		return Level{}, false
	}
	for of, ids := range b.lists(k) {
		if of == name && !slices.Contains(ids, b.Resources[c.Resource].ID) {
			v.add("eligible", v.place(k, d), "%s is not among its eligible resources", b.Resources[c.Resource].ID)
		}
	}
	return levels[c.Level-1], true
}
