package reliability_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

func pcuDesign() reliability.DesignParams {
	return reliability.DesignParams{
		Component: reliability.Component{MTTF: 36000, MTTR: 600}, Target: 0.999, PublicJobs: 400,
		Migrations: 2, MigrationTime: 20,
		Link: reliability.LinkParams{Uplink: 100e6, Downlink: 100e6, Footprint: 8e6, Dedicated: 100, ArrivalRate: 1},
	}
}

func TestJointDesign(t *testing.T) {
	p := pcuDesign()
	d, err := reliability.JointDesign(p)
	if err != nil {
		t.Fatal(err)
	}
	// Step by step, by hand: u = 1/61, k = 2, y = 400·2·u²/600.
	if d.Replicas != 2 || d.Count.Replicas != 2 {
		t.Errorf("replicas = %d", d.Replicas)
	}
	y := 400 * 2 / (61.0 * 61 * 600)
	numtest.Close(t, "y", d.FailureRate, y, 1e-13)
	epoch, err := reliability.BestEpoch(reliability.EpochParams{2, 20, y, reliability.MM1})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "epoch", d.Epoch.Epoch, epoch.Epoch, 1e-13)
	numtest.Close(t, "uplink load", d.Link.UplinkLoad, 2*8e6*(1+100/epoch.Epoch), 1e-13)

	p.Replicas, p.Target = 3, 0
	if d, err = reliability.JointDesign(p); err != nil || d.Replicas != 3 || d.Count.Replicas != 0 {
		t.Errorf("replicas given: %+v, %v", d, err)
	}
}

// A step that fails leaves the steps before it filled in.
func TestJointDesignErrors(t *testing.T) {
	p := pcuDesign()
	p.Target = 1
	if _, err := reliability.JointDesign(p); !errors.Is(err, reliability.ErrNoFiniteCount) {
		t.Errorf("target 1: %v", err)
	}
	p = pcuDesign()
	p.Migrations = 1e6
	d, err := reliability.JointDesign(p)
	var e *reliability.EpochError
	if !errors.As(err, &e) || d.FailureRate == 0 || d.Epoch.Epoch != 0 {
		t.Errorf("no stable epoch: %+v, %v", d, err)
	}
	p = pcuDesign()
	p.Link.Uplink = 1e6
	d, err = reliability.JointDesign(p)
	var l *reliability.LinkError
	if !errors.As(err, &l) || d.Epoch.Epoch == 0 || !l.Hopeless {
		t.Errorf("link too small: %+v, %v", d, err)
	}
	p = pcuDesign()
	p.PublicJobs = 0
	_, err = reliability.JointDesign(p)
	wantDomain(t, err, "PublicJobs")
	p = pcuDesign()
	p.Component, p.Replicas = reliability.Component{1e300, 1e-300}, 3
	_, err = reliability.JointDesign(p)
	wantDomain(t, err, "FailureRate")
}

func ExampleJointDesign() {
	d, err := reliability.JointDesign(reliability.DesignParams{
		Component: reliability.Component{MTTF: 36000, MTTR: 600}, Target: 0.999, PublicJobs: 400,
		Migrations: 2, MigrationTime: 20,
		Link: reliability.LinkParams{Uplink: 100e6, Downlink: 100e6, Footprint: 8e6, Dedicated: 100, ArrivalRate: 1},
	})
	fmt.Printf("%d replicas, y = %.3g/s, epoch %.1f s, uplink %.1f %% full, %v\n",
		d.Replicas, d.FailureRate, d.Epoch.Epoch, 100*d.Link.UplinkUtilization, err)
	// Output:
	// 2 replicas, y = 0.000358/s, epoch 469.4 s, uplink 19.4 % full, <nil>
}
