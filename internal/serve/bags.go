package serve

import (
	"context"
	"strings"

	model "github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/units"
)

// The questions of bags name one of those of SpeQuloS, and machines: a command
// reads both from files too.

// finishQuestion is the body of a request for the time of a bag. The two names take the place of
// fields that hold no JSON. The price may be written with a currency, which the answer then has.
type finishQuestion struct {
	Bag        string       `json:"bag"`
	Hosts      string       `json:"hosts"`
	CloudPrice *units.Money `json:"cloud_price_per_h,omitempty"`
	bags.FinishQuestion
}

// finish answers how long a bag takes. Errors: *ask.InputError of bag or hosts for a name that is
// none; those of bags.Done.
func finish(ctx context.Context, q *finishQuestion) (_ *bags.FinishAnswer, err error) {
	if q.FinishQuestion.Bag, err = namedBag(q.Bag); err != nil {
		return nil, err
	}
	if q.FinishQuestion.Hosts, err = namedHosts(q.Hosts); err != nil {
		return nil, err
	}
	if q.CloudPrice != nil {
		q.PriceAs(*q.CloudPrice)
	}
	return bags.Done(ctx, &q.FinishQuestion)
}

// bagQuestion is the body of a request to simulate a bag, with the same two names.
type bagQuestion struct {
	Bag   string `json:"bag"`
	Hosts string `json:"hosts"`
	bags.SimulateQuestion
}

// simulateBag simulates a bag of a name on machines of a name.
func simulateBag(ctx context.Context, q *bagQuestion) (_ *bags.SimulateAnswer, err error) {
	if q.SimulateQuestion.Bag, err = namedBag(q.Bag); err != nil {
		return nil, err
	}
	if q.SimulateQuestion.Hosts, err = namedHosts(q.Hosts); err != nil {
		return nil, err
	}
	return bags.Simulate(ctx, &q.SimulateQuestion)
}

// hostsQuestion is the body of a request for how many machines are there.
type hostsQuestion struct {
	Hosts string `json:"hosts"`
	bags.HostsQuestion
}

func simulateHosts(ctx context.Context, q *hostsQuestion) (_ *bags.HostsAnswer, err error) {
	if q.HostsQuestion.Hosts, err = namedHosts(q.Hosts); err != nil {
		return nil, err
	}
	return bags.Hosts(ctx, &q.HostsQuestion)
}

// namedBag finds a bag by its name. A name that is nearly one gets a suggestion.
func namedBag(name string) (*model.Bag, error) {
	if b, ok := bags.NamedBag(name); ok {
		return b, nil
	}
	return nil, &ask.InputError{
		Field:  "bag",
		Reason: bags.Unknown(name, bags.BagNames()),
		Want:   "one of " + strings.Join(bags.BagNames(), ", "),
	}
}

// namedHosts finds machines by their name, of which SpeQuloS table 2 has six.
func namedHosts(name string) (*hosts.Platform, error) {
	if p, ok := bags.NamedHosts(name); ok {
		return p, nil
	}
	return nil, &ask.InputError{
		Field:  "hosts",
		Reason: bags.Unknown(name, bags.HostNames()),
		Want:   "one of " + strings.Join(bags.HostNames(), ", "),
	}
}
