package bags

import (
	"context"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// Of a cloud that bills each hour begun, help takes the hours that simulated runs are billed, to a tenth, whether
// the formula, drawn runs or judged ones say so, and costs no more than help chosen by the second would there.
func TestHourlyHelpAgainstRuns(t *testing.T) {
	type asked struct {
		hosts, bag, server string
		share              float64
	}
	all := []asked{
		{"nd", "big", "xwhep", 0.9}, {"nd", "small", "checkpoint", 0.8}, {"g5klyo", "big", "checkpoint", 0.8},
		{"spot10", "small", "xwhep", 0.8}, {"nd", "small", "boinc", 0.8}, {"spot100", "small", "checkpoint", 0.95},
	}
	for i, k := range all {
		if i > 0 && !longtest.Chosen(i, 3) {
			continue
		}
		b, _ := NamedBag(k.bag)
		p, _ := NamedHosts(k.hosts)
		ask := func(q FinishQuestion) *FinishAnswer {
			q.Bag, q.Hosts, q.Server, q.Replications, q.Seed = b, p, k.server, longtest.Of(40, 200), 5
			a, err := Done(context.Background(), &q)
			if err != nil {
				t.Fatal(k, err)
			}
			return a
		}
		by := k.share * *ask(FinishQuestion{}).Finish.P95
		a, second := ask(FinishQuestion{By: &by, Hourly: true}), ask(FinishQuestion{By: &by})
		if a.Design.Workers == 0 {
			t.Errorf("%v: no help", k)
			continue
		}
		got, ran := a.Design.Hours, a.Simulation.Hours
		if got < 0.9**ran.Low || got > 1.1**ran.High {
			t.Errorf("%v: %v from %v for %v hours, billed %v to %v", k, a.Design.Workers, a.Design.Start, got, *ran.Low,
				*ran.High)
		}
		// What the help chosen by the second is billed by the hour.
		strategy := &SimulateQuestion{Bag: b, Hosts: p, Server: k.server, Strategy: second.Design.Strategy, Hourly: true,
			Credits: new(1e12), Seed: 5, Replications: longtest.Of(40, 200)}
		r, err := Simulate(context.Background(), strategy)
		if err != nil {
			t.Fatal(err)
		}
		if least := *r.Help.CloudTime.High / 3600; *ran.Low > 1.02*least {
			t.Errorf("%v: billed %v hours, help by the second %v", k, *ran.Low, least)
		}
		t.Logf("%v: %d from %.4g for %.4g hours, billed %.4g; chosen by the second %d from %.4g, billed %.4g", k,
			a.Design.Workers, a.Design.Start, got, *ran.Mean, second.Design.Workers, second.Design.Start,
			*r.Help.CloudTime.Mean/3600)
	}
}
