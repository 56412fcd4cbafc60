package alloc

// backupSteps bounds the search for the backups of a batch at an effort of 1, in steps of some nanoseconds each. It is
// a variable for a test.
var backupSteps = 1_000_000_000

// A stint is the part of a search for many problems that one of them may take, in steps; nil is without end.
type stint struct{ left int }

// stintOf returns the part of each of the next few of all problems that are left: not more than they have together,
// nor eight times as much as if all that are left had alike, so that steps that are not needed are there for those
// after them.
func stintOf(left, next, all int) *stint { return &stint{left / max(1, next, all/8)} }

// most returns how many things may be looked at, of so many that take some steps each.
func (t *stint) most(n, steps int) int {
	if t == nil {
		return n
	}
	return min(n, (max(t.left, 0)+steps-1)/steps)
}

// take notes steps that were made.
func (t *stint) take(steps int) {
	if t != nil {
		t.left -= steps
	}
}

// over reports whether all steps are made.
func (t *stint) over() bool { return t != nil && t.left <= 0 }
