package planner

import (
	"cmp"
	"context"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/survival"
)

// linkQuestion puts together what the link is asked, with the given replicas,
// where there is no mix: in the worst case, when every job goes to public
// machines.
func (l *leading) linkQuestion(epoch *float64, replicas int64) (*survival.LinkQuestion, error) {
	q := l.Link.Question()
	q.Epoch, q.Explain = epoch, l.Explain
	q.Replicas = cmp.Or(q.Replicas, &replicas)
	switch {
	case q.Epoch == nil:
		return nil, ask.Missing("link.epoch",
			"the scheduling epoch such as 2min, or the part epoch that it follows from")
	case l.Link.Rate != nil:
		q.Rate = float64(*l.Link.Rate)
	case l.load != nil && l.load.Rate != nil:
		q.Rate = *l.load.Rate
	case l.load != nil:
		return nil, ask.Missing("link.rate", "the arrival rate such as 5/s: the load has none")
	}
	return q, nil
}

// link answers for the mix, or for what the scenario gives, at the epoch of the
// scenario, else the one that was found; nil where no epoch is stable.
func (l *leading) link(ctx context.Context, found *survival.EpochAnswer,
	unscheduled string) (*survival.LinkAnswer, error) {
	if l.Link == nil || unscheduled != "" {
		return nil, nil
	}
	if x := l.crossed(); x != nil {
		return l.mixedLink(x)
	}
	// Without a mix all jobs go to public machines, with the replicas of the type
	// that takes the most.
	k := int64(1)
	for i := range l.types {
		if t := &l.types[i]; t.Kind == scenario.Public {
			k = max(k, int64(t.Copies))
		}
	}
	if l.Link.Replicas == nil && len(l.types) == 0 {
		return nil, ask.Missing("link.replicas", "the number of replicas of a job such as 2, or public machines")
	}
	epoch := l.delta
	if epoch == nil && found != nil {
		epoch = &found.Epoch
	}
	q, err := l.linkQuestion(epoch, k)
	if err != nil {
		return nil, err
	}
	a, err := survival.Link(ctx, q)
	return a, ask.In("link", err)
}

// mixedLink answers for the load that the mix puts on the link. It states the loads even if the
// link has no bandwidth, and what the link can carry only if it has.
func (l *leading) mixedLink(x *mixes.Crossed) (*survival.LinkAnswer, error) {
	// An overloaded link has an answer beside its error.
	a, err := survival.SharedLink(l.crossing.Link(x), l.mix.mixing.Model != nil, l.Explain)
	if a == nil {
		return nil, err
	}
	if x.Share == 0 {
		a.Warnings = append(a.Warnings, "the mix has no public machines: nothing crosses the link")
	}
	if has := l.dedicated(); l.Link.Dedicated != nil && int64(*l.Link.Dedicated) != has {
		ask.Warn(&a.Warnings,
			"link.dedicated is %d but the mix has %d dedicated machines: the link is charged for the %d",
			*l.Link.Dedicated, has, *l.Link.Dedicated)
	}
	return a, err
}
