package ask

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/queueing"
)

// No message holds a number beyond float64.
func TestFromQueueingIsFinite(t *testing.T) {
	for _, err := range []error{
		&queueing.UnstableError{Func: "MMC", Utilization: math.Inf(1)},
		&queueing.DomainError{Func: "MMC", Arg: "load", Value: math.Inf(1), Want: "load <= 1e12"},
		&queueing.DomainError{Func: "MMC", Arg: "load", Value: math.NaN(), Want: "load <= 1e12"},
	} {
		text := FromQueueing("load", err).Error()
		if strings.Contains(text, "Inf") || strings.Contains(text, "NaN") {
			t.Errorf("%T: %s", err, text)
		}
	}
	var infeasible *InfeasibleError
	if !errors.As(FromQueueing("load", &queueing.UnstableError{Utilization: 1.5}), &infeasible) || !strings.Contains(infeasible.Reason, "1.5") {
		t.Errorf("%v", infeasible)
	}
}
