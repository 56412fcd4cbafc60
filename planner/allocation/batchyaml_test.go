package allocation

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/capplan/capplan/planner/ask"
)

// A batch of 40,000 jobs was written as YAML that no command reads.
func TestLargeYAMLIsNotWritten(t *testing.T) {
	ctx := context.Background()
	for jobs, fits := range map[int]bool{10_000: true, 40_000: false, 1_000_000: false} {
		q := &GenerateQuestion{Jobs: jobs, Resources: 2, PrimaryFactor: .6, BackupFactor: .4, Mix: [3]float64{20, 70, 10}}
		b, err := StreamBatch(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		err = WriteBatchYAML(&text, b.BatchFile, b.Jobs(ctx))
		var input *ask.InputError
		if fits && err != nil || !fits && (!errors.As(err, &input) || text.Len() > 0) {
			t.Errorf("%d jobs: %d bytes, %v", jobs, text.Len(), err)
		}
	}
}
