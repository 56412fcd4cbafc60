// Package planner answers: what does a whole plan cost and achieve, and which
// machines should be taken? [Plan] asks the questions of a scenario one after
// another and passes the answer of one part to the parts that need it. Questions
// and answers are plain structs with JSON tags, which other programs can embed
// and the command line prints.
//
//	question       answer        what it asks
//	PlanQuestion   PlanAnswer    a whole scenario at once, and which machines to take
//
// Each subject has a package of its own, which can be used alone:
//
//	planner/scenario    what does a scenario ask, and is it well put?
//	planner/growth      by how much does a load grow, and when is it too much?
//	planner/sizing      how many servers for a load, and what does a fleet do?
//	planner/queues      what are the figures of one queue, or of a network?
//	planner/survival    lifetimes, replicas, epoch, link and checkpoint
//	planner/machines    when will this machine be free, and which to take?
//	planner/shifts      which shifts cover a need of people?
//	planner/routes      how to split a stream over clusters?
//	planner/allocation  which job runs on which resource, with which backup?
//	planner/bags        when is a bag of tasks done, and what does help buy?
//	planner/leases      what do leases on shared clusters come to?
//	planner/pools       what does a pool with machines that come and go deliver?
//	planner/compare     how do two plans differ, and which input moved the answer?
//	planner/simulate    does a simulation agree with the figures?
//	planner/records     what do files say about machines and traffic?
//	planner/tally       what does a trace say about all its machines together?
//	planner/ask         shared types: errors and explanations
//
// A plan is a chain of values, and the function plan its table of contents:
//
//	premises   the scenario, with its machines resolved
//	timing     the limits that link and epoch put on a mix
//	chosen     the mix, and the figures by which it was chosen
//	judging    mixes tested against the draws of the ranges
//	leading    the mix that epoch, link and the parts that count machines refer to
//
// Every name in the JSON carries its unit: _s seconds, _per_s per second, _erl
// erlangs; fractions are 0..1. A figure that a model does not have is null,
// never NaN and never left out, so that scripts see the same keys each time.
//
// Errors: *ask.InputError for a question that is not well put (exit code 2 of the
// command line), *ask.InfeasibleError for a well-put question that has no answer
// (exit code 3), with the binding constraint and how far it is exceeded.
//
// A program of another module, after go get github.com/capplan/capplan:
//
//	package main
//
//	import (
//		"context"
//		"errors"
//		"fmt"
//		"log"
//
//		"github.com/capplan/capplan/planner/ask"
//		"github.com/capplan/capplan/planner/sizing"
//		"github.com/capplan/capplan/units"
//	)
//
//	func main() {
//		need, err := sizing.Size(context.Background(), &sizing.SizeQuestion{
//			Traffic:    sizing.Traffic{OfferedLoad: units.Exactly[units.Erlang](120)},
//			Objectives: sizing.Objectives{MaxBlocking: new(units.Fraction(0.01))},
//		})
//		var infeasible *ask.InfeasibleError
//		switch {
//		case errors.As(err, &infeasible):
//			log.Fatal("no fleet is enough: ", infeasible)
//		case err != nil:
//			log.Fatal(err)
//		}
//		fmt.Printf("%d servers, %.2f%% lost\n", need.Servers, 100**need.Blocking)
//	}
//
// prints
//
//	138 servers, 0.98% lost
//
// The package knows no files, flags or fonts. It holds no global state; what
// takes long takes a context.
package planner
