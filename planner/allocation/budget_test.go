package allocation

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A budget of the question stands in place of that of the batch for one answer
// and leaves the question as it is.
func TestBudgetLeavesTheQuestion(t *testing.T) {
	b, err := GenerateBatch(context.Background(), &GenerateQuestion{Jobs: 6, Resources: 2, PrimaryFactor: 0.7,
		BackupFactor: 0.4, Mix: [3]float64{20, 70, 10}, PriceFactor: 0.5, Optional: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	q := &Question{Batch: b, Budget: &units.Amount{Number: 1}}
	if _, err := Allocate(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	if q.Batch != b {
		t.Error("the question has another batch after it was answered")
	}
	q.Budget = nil
	a, err := Allocate(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if a.Budget != nil {
		t.Errorf("without a budget the answer has one of %g", *a.Budget)
	}
}

// However short the time, a bound under a budget is a number.
func TestBudgetBoundInNoTime(t *testing.T) {
	b, err := GenerateBatch(context.Background(), &GenerateQuestion{Jobs: 6, Resources: 2, PrimaryFactor: 0.7,
		BackupFactor: 0.4, Mix: [3]float64{20, 70, 10}, PriceFactor: 0.5, Optional: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	limit := units.Duration(5e-324)
	a, err := Allocate(context.Background(), &Question{Batch: b, Budget: &units.Amount{Number: 1}, TimeLimit: &limit})
	if err != nil || math.IsInf(a.LP, 0) {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestBudgetWithoutBatch(t *testing.T) {
	_, err := Allocate(context.Background(), &Question{Budget: &units.Amount{Number: 1}})
	if input := (*ask.InputError)(nil); !errors.As(err, &input) {
		t.Errorf("%v, want an *ask.InputError", err)
	}
}
