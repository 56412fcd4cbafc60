package serve

import (
	"context"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/units"
)

// The questions of bags say in words and numbers which tasks and machines there are: a command
// reads both from files too.

// finishQuestion is the body of a request for the time of a bag. What it says of tasks and machines
// takes the place of fields that hold no JSON. The price may be written with a currency, which the
// answer then has.
type finishQuestion struct {
	bags.BagSpec
	bags.HostsSpec
	CloudPrice *units.Money `json:"cloud_price_per_h,omitempty"`
	bags.FinishQuestion
}

// finish answers how long a bag takes. Errors: *ask.InputError of what is said of tasks or machines;
// those of bags.Done.
func finish(ctx context.Context, q *finishQuestion) (_ *bags.FinishAnswer, err error) {
	if q.FinishQuestion.Hosts, err = q.Platform(); err != nil {
		return nil, err
	}
	if q.FinishQuestion.Bag, err = q.Make(q.FinishQuestion.Hosts); err != nil {
		return nil, err
	}
	if err := q.Credited("", nil); err != nil {
		return nil, err
	}
	if q.CloudPrice != nil {
		q.PriceAs(*q.CloudPrice)
	}
	if q.Seed > 1 && q.Replications == 0 && !q.Search {
		return nil, ask.Inputf("seed", "only used with replications or a search")
	}
	return bags.Done(ctx, &q.FinishQuestion)
}

// bagQuestion is the body of a request to simulate a bag.
type bagQuestion struct {
	bags.BagSpec
	bags.HostsSpec
	bags.SimulateQuestion
}

// simulateBag simulates a bag on machines. Errors: as finish; those of bags.Simulate.
func simulateBag(ctx context.Context, q *bagQuestion) (_ *bags.SimulateAnswer, err error) {
	if q.SimulateQuestion.Hosts, err = q.Platform(); err != nil {
		return nil, err
	}
	if q.SimulateQuestion.Bag, err = q.Make(q.SimulateQuestion.Hosts); err != nil {
		return nil, err
	}
	if err := q.Credited(q.Strategy, q.Credits); err != nil {
		return nil, err
	}
	return bags.Simulate(ctx, &q.SimulateQuestion)
}

// hostsQuestion is the body of a request for how many machines are there.
type hostsQuestion struct {
	bags.HostsSpec
	bags.HostsQuestion
}

func simulateHosts(ctx context.Context, q *hostsQuestion) (_ *bags.HostsAnswer, err error) {
	if q.HostsQuestion.Hosts, err = q.Platform(); err != nil {
		return nil, err
	}
	if err := q.Counted(); err != nil {
		return nil, err
	}
	return bags.Hosts(ctx, &q.HostsQuestion)
}
