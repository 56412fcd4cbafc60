package planner

import (
	"cmp"
	"context"
	"fmt"

	model "github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/scenario"
)

// bag answers the part bag; nil where there is none. The machines are those of
// the type that the part names, else the first public type.
func (p *premises) bag(ctx context.Context) (*bags.FinishAnswer, error) {
	v := p.Bag
	if v == nil {
		return nil, nil
	}
	fleet, err := p.bagMachines()
	if err != nil {
		return nil, err
	}
	q := &bags.FinishQuestion{
		Bag: &model.Bag{
			Name: "tasks",
			Size: model.Spread{Mean: float64(v.Tasks)},
			Work: model.Spread{Mean: float64(v.TaskTime)}, // seconds on a machine of speed 1
		},
		Hosts:   fleet,
		Server:  v.Server,
		By:      ask.Number(v.By),
		With:    ask.Number(v.With),
		Boot:    ask.Number(v.Boot),
		Hourly:  v.Hourly,
		Explain: p.Explain,
	}
	cloud, err := p.bagCloud(q)
	if err != nil {
		return nil, err
	}
	a, err := bags.Done(ctx, q)
	if err != nil {
		return nil, bagError(err)
	}
	for _, w := range a.Warnings {
		p.warn("bag: " + w)
	}
	if a.Design != nil && a.Design.Workers > 0 && a.Design.Workers == q.MostWorkers {
		p.warn(fmt.Sprintf("bag: the help uses all %d of %s: with more machines it may cost less",
			q.MostWorkers, cloud.Name))
	}
	return a, nil
}

// bagMachines are those that the tasks run on.
func (p *premises) bagMachines() (*hosts.Platform, error) {
	v, i := p.Bag, -1
	if v.Machine != "" {
		var err error
		if i, err = p.named("bag.machine", v.Machine); err != nil {
			return nil, err
		}
	}
	for k := range p.types {
		if i < 0 && p.types[k].Kind == scenario.Public {
			i = k
		}
	}
	if i < 0 {
		return nil, ask.Inputf("bag.machine",
			"not given, and no machine of the plan is public: name the type that the tasks run on")
	}
	t := &p.types[i]
	count := cmp.Or(v.Count, t.Limit)
	switch {
	case count == nil:
		return nil, ask.Inputf("bag.count", "not given, and %s has no limit: say how many machines there are", t.Name)
	case *count < 1 || *count > hosts.MostMachines:
		return nil, ask.Inputf("bag.count", "is %s, want 1 to 10,000,000 machines", ask.Digits(float64(*count)))
	// A type with an availability and no times is refused here: of the same
	// availability, short stays lose more tasks than long ones.
	case t.MeanUp == nil && t.Source() != "":
		return nil, ask.Inputf("bag.machine",
			"%s has no mttf and mttr, and no trace that shows them: the plan must know how long a machine stays to "+
				"tell which tasks are lost",
			t.Name)
	}
	p.likeliest("bag", t, append(comings(t), rangeNamed("speed", t.Speed))...)
	h := &hosts.Platform{Name: t.Name, Count: int(*count), Speed: hosts.Speed{Mean: ask.Likely(t.Speed, 1)}}
	if t.SpeedCV != nil {
		h.Speed.SD = float64(*t.SpeedCV) * h.Speed.Mean
	}
	if t.MeanUp != nil {
		// Laws other than exponential need more than a mean. A bag with those of
		// a trace is a question of its own.
		h.Up, h.Down = law.Exponential{Scale: *t.MeanUp}, law.Exponential{Scale: *t.MeanDown}
		if t.Trace != nil {
			p.warn(fmt.Sprintf(
				"bag: the times up and down of %s are taken as exponential, with the means that its trace shows; "+
					"the question finish can use the trace itself",
				t.Name,
			))
		}
	}
	return h, nil
}

// bagCloud fills in the machines that help, and returns their type; nil where none is asked
// for. It is the one named, else the dedicated one that costs least for its speed.
func (p *premises) bagCloud(q *bags.FinishQuestion) (*worth.Machine, error) {
	// Without a time by which to be done nothing asks for help.
	if q.By == nil {
		return nil, nil
	}
	i := -1
	if name := p.Bag.Cloud; name != "" {
		var err error
		if i, err = p.named("bag.cloud", name); err != nil {
			return nil, err
		}
	} else {
		for k := range p.types {
			t := &p.types[k]
			if t.Kind == scenario.Dedicated && t.Price != nil && !none(t) && (i < 0 || perSpeed(t) < perSpeed(&p.types[i])) {
				i = k
			}
		}
	}
	if i < 0 {
		return nil, ask.Inputf("bag.cloud",
			"not given, and no available dedicated machine has a price: name the type that helps")
	}
	t := &p.types[i]
	if none(t) {
		return nil, ask.Inputf("bag.cloud", "is %s, which has a limit of 0", t.Name)
	}
	if t.Limit != nil {
		q.MostWorkers = int(*t.Limit)
	}
	q.CloudSpeed = new(ask.Likely(t.Speed, 1))
	if t.Price != nil {
		q.CloudPrice, q.Money = new(ask.Likely(t.Price, 0)*hour), p.money
	}
	p.likeliest("bag", t, rangeNamed("price", t.Price), rangeNamed("speed", t.Speed))
	return t, nil
}

// none says that not one of a type can be had.
func none(t *worth.Machine) bool { return t.Limit != nil && *t.Limit == 0 }

// perSpeed is the price of a server of speed 1.
func perSpeed(t *worth.Machine) float64 { return ask.Likely(t.Price, 0) / ask.Likely(t.Speed, 1) }

// bagError translates the field of an error into one of the part bag: its machines and its cloud
// are types of machines of the plan. An error of the question names fields that the part does not
// have.
func bagError(err error) error {
	return ask.In("bag", ask.Renamed(err, map[string]string{
		"machines": "count", "hosts": "machine", "speed": "machine", "speed_cv": "machine",
		"cloud_speed": "cloud", "cloud_price": "cloud",
	}))
}
