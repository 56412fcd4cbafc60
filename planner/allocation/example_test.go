package allocation_test

import (
	"context"
	"fmt"
	"os"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
)

// Which job runs at which level on which resource, how far is that from the
// best there can be, and what do the backups leave at risk?
func Example_allocateWithBackups() {
	const name = "../../testdata/alloc/i02.json"
	file, err := os.Open(name)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	ctx := context.Background()
	batch, err := allocation.ReadBatch(ctx, name, file)
	if err != nil {
		panic(err)
	}
	plan, err := allocation.Allocate(ctx, &allocation.Question{Batch: batch, Backup: alloc.Soft, Seed: 1})
	if err != nil {
		panic(err)
	}
	fmt.Printf("revenue %d, no plan exceeds %.0f\n", *plan.Revenue, plan.ProvenBound)
	for _, d := range plan.Dependencies {
		fmt.Printf("%s: %.1f%% used, one more unit is worth %.2f\n", d.Dependency, 100*float64(d.Used)/float64(d.Capacity), d.ShadowPrice)
	}
	fmt.Printf("%d of %d assignments protected\n", len(plan.Backup.Assignments)-plan.Backup.Unprotected, len(plan.Backup.Assignments))
	// Output:
	// revenue 476853, no plan exceeds 477110
	// compute: 99.0% used, one more unit is worth 3.66
	// network: 99.4% used, one more unit is worth 4.26
	// storage: 99.8% used, one more unit is worth 5.59
	// 59 of 60 assignments protected
}
