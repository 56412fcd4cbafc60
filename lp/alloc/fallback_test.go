package alloc

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// scarce is a generated batch that has an assignment, which the published
// methods do not find: two of its dependencies are nearly full at least levels.
func scarce(t *testing.T) *System {
	t.Helper()
	b, err := Generate(context.Background(), GeneratorOptions{Jobs: 100, Resources: 10, PrimaryFactor: 0.25, BackupFactor: 0.4, Law: Literal, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A published method that cannot place every job has no answer, and says how
// much it places; nothing of ours stands under its name.
func TestPublishedMethodsHaveNoSubstitute(t *testing.T) {
	s, ctx := scarce(t), context.Background()
	ours, err := s.Allocate(ctx, Options{Effort: 0.1})
	if err != nil || len(ours.Fallback) != 0 {
		t.Fatal(ours, err)
	}
	none := 0
	for _, m := range []Method{LPRoundPaper, MaxBig, MaxBest, UnitBig, UnitBest} {
		plan, err := s.Allocate(ctx, Options{Method: m})
		if err == nil {
			if len(plan.Fallback) != 0 {
				t.Errorf("%s: fallback %v without one", m, plan.Fallback)
			}
			continue
		}
		none++
		var missed *NotFoundError
		if !errors.As(err, &missed) || missed.Method != m || missed.Pairs != 300 || missed.Placed < 150 || missed.Placed+len(missed.Jobs) > 300 || len(missed.Jobs) == 0 {
			t.Errorf("%s: %+v", m, err)
			continue
		}
		if text := err.Error(); !strings.Contains(text, string(m)+" has no answer") || !strings.Contains(text, "of 300 pairs") {
			t.Errorf("%s: %s", m, text)
		}
		plan, err = s.Allocate(ctx, Options{Method: m, Fallback: LPRound, Effort: 0.1})
		if err != nil || plan.Method != m || len(plan.Fallback) == 0 {
			t.Errorf("%s with a fallback: %+v, %v", m, plan, err)
			continue
		}
		for i, d := range s.deps {
			named := false
			for _, name := range plan.Fallback {
				named = named || name == d.name
			}
			if named != reflect.DeepEqual(plan.Choices[i], ours.Choices[i]) {
				t.Errorf("%s: %s: named %v as answered by lp-round", m, d.name, named)
			}
		}
	}
	if none < 2 {
		t.Errorf("%d methods have no answer: the test says little", none)
	}
}

// One job stands where the only resource for the other is: with admission tied,
// nothing of ours stands under a published name either.
func TestFallbackOfWhatIsTied(t *testing.T) {
	s := scarce(t)
	free := *s.Batch
	free.Jobs = append([]Job(nil), free.Jobs...)
	free.Jobs[0].Admission = Optional
	tied, err := New(&free)
	if err != nil {
		t.Fatal(err)
	}
	_, err = tied.Allocate(context.Background(), Options{Method: UnitBig})
	var missed *NotFoundError
	if !errors.As(err, &missed) || missed.Method != UnitBig {
		t.Fatalf("%v", err)
	}
	plan, err := tied.Allocate(context.Background(), Options{Method: UnitBig, Fallback: LPRound, Effort: 0.1})
	if err != nil || len(plan.Fallback) != 3 || plan.Method != UnitBig {
		t.Errorf("%+v, %v", plan, err)
	}
}

func TestFallbackDomain(t *testing.T) {
	s := scarce(t)
	var domain *DomainError
	for _, o := range []Options{{Fallback: LPRound}, {Method: UnitBig, Fallback: MaxBig}, {Method: UnitBig, Fallback: "x"}, {Method: LPRound, Fallback: LPRound}} {
		if _, err := s.Allocate(context.Background(), o); !errors.As(err, &domain) || domain.Arg != "Fallback" {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
