package alloc

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
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
		r.add("missing", "answer", "%d dependencies of %d", len(primary), len(b.Dependencies))
		return r
	}
	capacity := func(c int64, speed float64) int64 {
		if speed == 0 {
			return c
		}
		return int64(math.Floor(float64(c) * speed))
	}
	unit := func(j int32) string {
		if g := b.Resources[j].RiskGroup; g != "" {
			return "group " + g
		}
		return "resource " + b.Resources[j].ID
	}
	used := make([]int64, len(b.Resources))
	served := make([]int, len(b.Jobs)) // dependencies, by job
	bare := make(map[int]struct{})     // jobs without some backup
	for d := range primary {
		for k := range min(len(primary[d]), len(b.Jobs)) {
			if primary[d][k].Level != 0 {
				served[k]++
			}
		}
	}
	optional := func(k int) bool {
		if a := b.Jobs[k].Admission; a != "" {
			return a == Optional
		}
		return b.Admission == Optional
	}
	type failure struct {
		unit string
		bin  int32
	}
	shared := make(map[failure]int64)
	for d, name := range b.Dependencies {
		if len(primary[d]) != len(b.Jobs) || (backup != nil && len(backup[d]) != len(b.Jobs)) {
			r.add("missing", name, "choices for %d jobs of %d", len(primary[d]), len(b.Jobs))
			return r
		}
		for k := range b.Jobs {
			levels, _ := b.LevelsOf(k, d)
			c := primary[d][k]
			if len(levels) == 0 {
				if c.Level != 0 || (backup != nil && backup[d][k].Level != 0) {
					r.add("level", b.Jobs[k].ID+"/"+name, "has a level although it needs none")
				}
				continue
			}
			if c.Level == 0 && optional(k) {
				if served[k] > 0 {
					r.add("co-selection",
						b.Jobs[k].ID+"/"+name, "no level, but one of another dependency: all that it needs, or none")
				}
				if backup != nil && backup[d][k].Level != 0 {
					r.add("level", b.Jobs[k].ID+"/"+name, "has a backup but no primary")
				}
				continue
			}
			l, ok := r.one(b, k, name, c, levels)
			if !ok {
				continue
			}
			used[c.Resource] += l.Demand
			r.Revenue += l.Revenue
			if backup == nil {
				continue
			}
			c2 := backup[d][k]
			if c2.Level == 0 {
				r.Loss += l.Revenue
				r.UnprotectedPairs++
				bare[k] = struct{}{}
				continue
			}
			l2, ok := r.one(b, k, name, c2, levels)
			if !ok {
				continue
			}
			r.Loss += l.Revenue - l2.Revenue
			if c2.Level > c.Level {
				r.add("above primary", b.Jobs[k].ID+"/"+name, "backup at level %d, primary at %d", c2.Level, c.Level)
			}
			at := unit(c.Resource)
			if at == unit(c2.Resource) {
				r.add("disjoint", b.Jobs[k].ID+"/"+name, "primary and backup fail together with %s", at)
			}
			if !sharing {
				at = ""
			}
			shared[failure{at, c2.Resource}] += l2.Demand
		}
	}
	for k := range b.Jobs {
		if served[k] == 0 && optional(k) {
			r.Rejected++
			continue
		}
		r.BaseFees += b.Jobs[k].BaseFee
	}
	r.Unprotected = len(bare)
	r.Revenue += r.BaseFees
	for j, res := range b.Resources {
		units := float64(used[j])
		if res.Speed != 0 {
			units /= res.Speed
		}
		r.Spending += res.Price * units
	}
	if b.Budget != nil && r.Spending > *b.Budget*(1+1e-12) {
		r.add("budget", "budget", "capacity used costs %v of %v", r.Spending, *b.Budget)
	}
	for j, res := range b.Resources {
		if c := capacity(res.PrimaryCapacity, res.Speed); used[j] > c {
			r.add("capacity", res.ID, "primaries take %d of %d", used[j], c)
		}
	}
	// In the order of the batch, not of the map.
	failures := slices.SortedFunc(maps.Keys(shared), func(x, y failure) int {
		return cmp.Or(cmp.Compare(x.bin, y.bin), cmp.Compare(x.unit, y.unit))
	})
	for _, f := range failures {
		taken := shared[f]
		if c := capacity(b.Resources[f.bin].BackupCapacity, b.Resources[f.bin].Speed); taken > c {
			at := f.unit
			if !sharing {
				at = "all failures"
			}
			r.add("shared capacity", b.Resources[f.bin].ID, "backups for %s take %d of %d", at, taken, c)
		}
	}
	r.Feasible = len(r.Violations) == 0
	return r
}

// one checks a single choice.
func (r *Report) one(b *Batch, k int, name string, c Choice, levels []Level) (Level, bool) {
	place := b.Jobs[k].ID + "/" + name
	switch {
	case c.Level == 0:
		r.add("missing", place, "no level")
		return Level{}, false
	case c.Level < 0 || int(c.Level) > len(levels):
		r.add("level", place, "level %d of %d", c.Level, len(levels))
		return Level{}, false
	case c.Resource < 0 || int(c.Resource) >= len(b.Resources):
		r.add("resource", place, "no such resource")
		return Level{}, false
	case b.Resources[c.Resource].Dependency != name:
		r.add("resource", place, "%s serves %s", b.Resources[c.Resource].ID, b.Resources[c.Resource].Dependency)
		return Level{}, false
	}
	if ids, listed := b.Jobs[k].Eligible[name]; listed {
		found := false
		for _, id := range ids {
			found = found || id == b.Resources[c.Resource].ID
		}
		if !found {
			r.add("eligible", place, "%s is not among its eligible resources", b.Resources[c.Resource].ID)
		}
	}
	return levels[c.Level-1], true
}
