package allocation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/alloc"
)

// odd is a backend of somebody else whose answers have shapes of their own.
type odd struct{ answer *lp.Solution }

func (odd) Name() string { return "odd" }

func (o odd) Solve(context.Context, *lp.Model, lp.Settings) (*lp.Solution, error) {
	if o.answer == nil {
		return nil, nil
	}
	copied := *o.answer
	return &copied, nil
}

// oddAnswers are vectors of every wrong length, for every status.
func oddAnswers() []*lp.Solution {
	list := []*lp.Solution{nil, {}}
	for _, status := range []lp.Status{lp.Optimal, lp.Feasible, lp.Infeasible, lp.Unbounded, lp.InfeasibleOrUnbounded, lp.Unknown, "nonsense"} {
		for _, n := range []int{-1, 0, 1, 2, 3, 5000} {
			s := &lp.Solution{Status: status, Bound: math.Inf(-1), Message: "\x1b[31m"}
			if n >= 0 {
				s.X, s.Dual = make([]float64, n), make([]float64, n)
			}
			list = append(list, s)
		}
	}
	return list
}

// said reports whether an error is none, or says what is wrong with the answer.
func said(err error) bool {
	return err == nil || errors.As(err, new(*lp.AnswerError))
}

func TestSolversOfOthersMayAnswerAnything(t *testing.T) {
	models := []string{"Max\n x + y\nst\n c: x + y <= 3\nBounds\n x <= 1\nGenerals\n x\nEnd", "Min\n x\nst\n low: x >= 2\n high: x <= 1\nEnd"}
	var batches []*alloc.System
	for _, o := range []alloc.GeneratorOptions{
		{Jobs: 6, Resources: 2, PrimaryFactor: 0.7, BackupFactor: 0.4, Seed: 1},
		{Jobs: 6, Resources: 2, PrimaryFactor: 0.7, BackupFactor: 0.4, Seed: 1, PriceFactor: 0.5, OptionalShare: 1, BudgetFactor: 0.3},
	} {
		b, err := alloc.Generate(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := alloc.New(b)
		if err != nil {
			t.Fatal(err)
		}
		batches = append(batches, s)
	}
	for i, answer := range oddAnswers() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for _, text := range models {
				a, err := Solve(context.Background(), &ModelQuestion{Model: mustRead(t, text), Solver: &NamedSolver{odd{answer}, "odd"}, Explain: true})
				if !said(err) {
					t.Errorf("%v", err)
				} else if err == nil && (a.Solution != nil) != (a.Objective != nil) {
					t.Errorf("%+v", a)
				}
			}
			for _, s := range batches {
				o := alloc.Options{Method: alloc.Exact, Solver: odd{answer}, Effort: 0.001}
				plan, err := s.Allocate(context.Background(), o)
				if !said(err) {
					t.Error(err)
				}
				if err != nil {
					continue
				}
				if _, err := s.Backup(context.Background(), plan.Choices, alloc.BackupOptions{Options: o}); !said(err) {
					t.Error(err)
				}
			}
		})
	}
}
