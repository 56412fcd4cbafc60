package bot

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/bags/spequlos"
)

// books are the times at which cloud workers ran, as the run itself saw them. At the end of every
// run the scheduler's bill is compared with them.
type books struct {
	from, to []float64 // s, by cloud worker; to is NaN while it runs
}

func (b *books) start(now float64) {
	b.from = append(b.from, now)
	b.to = append(b.to, math.NaN())
}

func (b *books) stop(id int32, now float64) {
	if math.IsNaN(b.to[id]) {
		b.to[id] = now
	}
}

// ran returns the least and the most time in seconds that may be billed for the workers until now, each
// rounded separately. Whether a worker that ends when an hour does has begun another depends on which
// of the two comes first.
func (b *books) ran(now float64, by spequlos.Billing) (least, most float64) {
	for i, from := range b.from {
		to := b.to[i]
		if math.IsNaN(to) {
			to = now
		}
		if hours := (to - from) / 3600; by == spequlos.ByHour {
			least += 3600 * max(1, math.Ceil(hours-1e-9))
			most += 3600 * (1 + math.Floor(hours+1e-9))
		} else {
			least += to - from
			most += to - from
		}
	}
	return least, most
}

// audit returns an error if the books do not balance: each task completes once or is unfinished;
// the credits spent are those for the time that workers ran, and no more than ordered. The times
// are summed in another order than the scheduler does, so rounding is allowed for.
func (r *run) audit(o *Outcome) error {
	done := 0
	for i := range r.units {
		if r.units[i].done {
			done++
		}
	}
	if done != o.Completed || o.Completed > o.Tasks {
		return fmt.Errorf("bot: %d of %d tasks are done, %d completed", done, o.Tasks, o.Completed)
	}
	if r.scheduler == nil {
		return nil
	}
	const rounding = 1e-9
	if !(o.Spent <= o.Ordered) {
		return fmt.Errorf("bot: %v credits spent of %v", o.Spent, o.Ordered)
	}
	if spent := o.CloudTime / 3600 * spequlos.CreditsPerHour; !(math.Abs(o.Spent-spent) <= rounding*(1+spent)) {
		return fmt.Errorf("bot: %v credits spent, %v billed", o.Spent, spent)
	}
	least, most := r.books.ran(r.now, r.c.Billing)
	if !(o.CloudTime >= least-rounding*(1+least) && o.CloudTime <= most+rounding*(1+most)) {
		return fmt.Errorf("bot: cloud workers ran for %v to %v s, %v s are billed", least, most, o.CloudTime)
	}
	return nil
}
