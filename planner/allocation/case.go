package allocation

import (
	"context"
	"errors"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
)

// A studyCase is one batch at one point of a figure. The figure says what is
// measured and over what; the seed is that of the batch.
type studyCase struct {
	ctx  context.Context
	q    *StudyQuestion
	f    *StudyFigure
	seed uint64
	x    float64 // NaN where the figure varies nothing

	batch  *alloc.Batch
	system *alloc.System
	placed map[string]float64 // by method without an answer, the share of pairs it placed
	filled map[string]bool    // methods that the fallback answered for
}

// answer makes the batch and measures it.
func (c *studyCase) answer() ([]measured, error) {
	var err error
	if c.batch, err = c.generate(c.ctx); err != nil {
		return nil, generateError(err)
	}
	if c.system, err = alloc.New(c.batch); err != nil {
		return nil, err
	}
	return c.f.measure(c)
}

// generate draws the batch. Where the number of jobs varies, the jobs of a
// batch are the first of each class of the largest one, and resources are those
// of the batch with the number of jobs asked for: the same for all points.
func (c *studyCase) generate(ctx context.Context) (*alloc.Batch, error) {
	q := c.q
	o := alloc.GeneratorOptions{
		Jobs: q.Jobs, Resources: q.Resources, PrimaryFactor: *q.PrimaryFactor, BackupFactor: *q.BackupFactor,
		Mix: q.Mix, Law: q.CapacityLaw, Seed: c.seed,
	}
	switch c.f.Over {
	case "primary_factor":
		o.PrimaryFactor = c.x
	case "backup_factor":
		o.BackupFactor = c.x
	case "jobs":
		most := q.Over[len(q.Over)-1]
		o.Jobs = int(most)
		// A factor of the primaries is of the summed mean demand, so that the capacities of
		// the largest batch are scaled down to those of the number asked for.
		o.PrimaryFactor *= float64(q.Jobs) / most
	}
	b, err := alloc.Generate(ctx, o)
	if err != nil || c.f.Over != "jobs" {
		return b, err
	}
	total := map[string]int{}
	for i := range b.Jobs {
		total[b.Jobs[i].Class]++
	}
	var kept []alloc.Job
	taken := map[string]int{}
	for i := range b.Jobs {
		class := b.Jobs[i].Class
		// The k-th job of a class of n is in as soon as its share of the jobs is
		// reached.
		if float64(taken[class])+0.5 <= c.x*float64(total[class])/float64(len(b.Jobs)) {
			taken[class]++
			kept = append(kept, b.Jobs[i])
		}
	}
	b.Jobs = kept
	return b, nil
}

// options are those of one method; the search is seeded by the batch. The
// published methods may leave jobs unplaced; the fallback answers then if there
// is one.
func (c *studyCase) options(m alloc.Method) alloc.Options {
	o := alloc.Options{Method: m, Effort: c.q.Effort, Seed: c.seed}
	if m != alloc.LPRound {
		o.Fallback = c.q.Fallback
	}
	return o
}

// A primaryCase is the primaries of one method.
type primaryCase struct {
	name string
	*alloc.Plan
}

// plans returns the primaries of every method that has an answer, and notes
// what the others placed.
func (c *studyCase) plans() ([]primaryCase, error) {
	var plans []primaryCase
	for _, m := range c.q.Methods {
		p, err := c.system.Allocate(c.ctx, c.options(m))
		var missed *alloc.NotFoundError
		switch {
		// A method that places some jobs and not all is an answer to the study,
		// which says how many. Any other error ends the case.
		case errors.As(err, &missed) && missed.Method != "" && missed.Pairs > 0:
			if c.placed == nil {
				c.placed = map[string]float64{}
			}
			c.placed[string(m)] = float64(missed.Placed) / float64(missed.Pairs)
		case err != nil:
			return nil, err
		default:
			c.noteFallback(m, p.Fallback)
			plans = append(plans, primaryCase{string(m), p})
		}
	}
	return plans, nil
}

// noteFallback counts a batch for which the fallback answered.
func (c *studyCase) noteFallback(m alloc.Method, parts []string) {
	if len(parts) == 0 {
		return
	}
	if c.filled == nil {
		c.filled = map[string]bool{}
	}
	c.filled[string(m)] = true
}

// A backupCase is the backups of one method for primaries by the published
// one (MRPA), which all methods start from.
type backupCase struct {
	name string
	plan *alloc.BackupPlan
}

// backups returns the primaries and the backups of every method, withoutSharing also those that share
// no capacity. Loss and sharing compare backups alone, and so all must protect the same primaries.
func (c *studyCase) backups(withoutSharing bool) (*alloc.Plan, []backupCase, error) {
	primary, err := c.system.Allocate(c.ctx, c.options(alloc.LPRoundPaper))
	if err != nil {
		return nil, nil, err
	}
	c.noteFallback(alloc.LPRoundPaper, primary.Fallback)
	var cases []backupCase
	for _, m := range c.q.Methods {
		p, err := c.system.Backup(c.ctx, primary.Choices, alloc.BackupOptions{Options: c.options(m)})
		if err != nil {
			return nil, nil, err
		}
		c.noteFallback(m, p.Fallback)
		cases = append(cases, backupCase{string(m), p})
	}
	if withoutSharing {
		p, err := c.system.Backup(c.ctx, primary.Choices,
			alloc.BackupOptions{Options: c.options(alloc.LPRoundPaper), NoSharing: true})
		if err != nil {
			return nil, nil, err
		}
		cases = append(cases, backupCase{noSharing, p})
	}
	return primary, cases, nil
}

// generateError names the field of an argument that the generator refuses.
func generateError(err error) error {
	if domain, ok := err.(*alloc.DomainError); ok {
		return ask.Inputf(generateFields[domain.Arg], "%v, want %s", domain.Value, domain.Want)
	}
	return err
}

// key, by and at make the key of a row step by step: −1 stands for no level and
// no x.
func key(method, quantity string) studyKey {
	return studyKey{Method: method, Quantity: quantity, Level: -1, X: -1}
}

func (k studyKey) by(dependency, class string) studyKey {
	k.Dependency, k.Class = dependency, class
	return k
}

func (k studyKey) at(level int) studyKey {
	k.Level = level
	return k
}

// revenue returns what a choice earns.
func (c *studyCase) revenue(dependency string, job int, choice alloc.Choice) int64 {
	if choice.Level == 0 {
		return 0
	}
	return c.batch.Jobs[job].Levels[dependency][choice.Level-1].Revenue
}

// classNames are the classes of jobs in the order of table 1.
var classNames = []string{"small", "medium", "large"}
