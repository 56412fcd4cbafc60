package ranking

import (
	"context"
	"github.com/capplan/capplan/smp"
	"math"
	"math/rand/v2"
	"testing"
)

func geometricCurve(p float64, n int) []float64 {
	r := make([]float64, n+1)
	for k := range r {
		r[k] = math.Pow(1-p, float64(k))
	}
	return r
}

func TestRankProactive(t *testing.T) {
	// A fast host that fails often against a slow one that lasts.
	fast := Candidate{Name: "fast", Rate: 2, Load: ConstantLoad(0), Step: 1, Reliability: geometricCurve(0.05, 5000), MTTF: 20}
	slow := Candidate{Name: "slow", Rate: 1, Load: ConstantLoad(0), Step: 1, Reliability: geometricCurve(0.001, 5000), MTTF: 1000}
	r, rule, err := RankProactive([]Candidate{fast, slow}, 30)
	if err != nil {
		t.Fatal(err)
	}
	// JCT 15 < 20: by JCTF. fast: 2·20(1−0.95^x) = 30 at x = 27.0; slow 30.5.
	if rule != ByJCTF || r[0].Index != 0 || r[0].JCTF < 27 || r[0].JCTF > 27.2 {
		t.Errorf("30 s: %v %+v", rule, r)
	}
	r, rule, _ = RankProactive([]Candidate{fast, slow}, 100)
	// fast never gets 100 s of work done: 2·20 = 40.
	if rule != ByJCTF || r[0].Index != 1 || !math.IsInf(r[1].JCTF, 1) {
		t.Errorf("100 s: %v %+v", rule, r)
	}
	r, rule, _ = RankProactive([]Candidate{fast, slow}, 5000)
	if rule != ByETL || r[0].Index != 1 || r[0].ETL != 1000 || r[1].ETL != 40 {
		t.Errorf("5000 s: %v %+v", rule, r)
	}
}

// hostOf is a host whose path is written one digit a step of 100 s.
func hostOf(t *testing.T, rate float64, digits string) Host {
	t.Helper()
	h := &smp.History{Period: 100}
	for i, s := range []byte(digits) {
		if err := h.Add(smp.Run{State: int(s - '1'), First: int64(i), Steps: 1}); err != nil {
			t.Fatal(err)
		}
	}
	return Host{Rate: rate, History: h}
}

func TestReplay(t *testing.T) {
	hosts := []Host{hostOf(t, 2, "1133111111"), hostOf(t, 1, "1111111111")}
	ctx := context.Background()
	jobs := []Submission{{Step: 0, Length: 600}}
	// Fast host: 2 steps, fails, from step 4 three steps: ends at 7. The slow
	// one takes 6.
	r, err := Replay(ctx, hosts, jobs, Fastest{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed != 1 || r.Restarts != 1 || r.MeanMakespan != 700 || r.FailureRate != 1 {
		t.Errorf("condor-like: %+v", r)
	}
	if r, _ = Replay(ctx, hosts, jobs, Omniscient{}); r.Failed != 0 || r.MeanMakespan != 600 {
		t.Errorf("omniscient: %+v", r)
	}
	predict := func(_ context.Context, host int, _ int64, _ float64) (Candidate, error) {
		p := []float64{0.4, 0.001}[host]
		return Candidate{Rate: hosts[host].Rate, Load: ConstantLoad(0), Step: 100, Reliability: geometricCurve(p, 100), MTTF: 100 / p}, nil
	}
	if r, _ = Replay(ctx, hosts, jobs, Proactive{Predict: predict}); r.Failed != 0 || r.MeanMakespan != 600 {
		t.Errorf("proactive: %+v", r)
	}
	// Nobody up now, somebody up five minutes later; and nobody at all.
	late := []Host{hostOf(t, 1, "5551111"), hostOf(t, 1, "3333333")}
	r, _ = Replay(ctx, late, []Submission{{0, 100}, {-10, 100}, {3, 5000}}, Fastest{})
	if r.Unscheduled != 1 || r.Finished != 1 || r.MeanMakespan != 400 || r.Unfinished != 1 {
		t.Errorf("late: %+v", r)
	}
}

// On any traces the omniscient scheduler finishes no later than another.
func TestOmniscientIsBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	k, err := smp.NewKernel(smp.Space{Names: []string{"1", "2", "3"}, Failure: []bool{false, false, true}}, []smp.Atom{
		{From: 0, To: 1, Steps: 2, Prob: 0.3}, {From: 0, To: 1, Steps: 6, Prob: 0.3}, {From: 0, To: 1, Steps: 11, Prob: 0.25}, {From: 0, To: 2, Steps: 9, Prob: 0.15},
		{From: 1, To: 0, Steps: 1, Prob: 0.4}, {From: 1, To: 0, Steps: 4, Prob: 0.4}, {From: 1, To: 2, Steps: 3, Prob: 0.2},
		{From: 2, To: 0, Steps: 2, Prob: 0.5}, {From: 2, To: 1, Steps: 7, Prob: 0.5},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		var hosts []Host
		for range 4 {
			h := &smp.History{Period: 60}
			at := int64(0)
			for _, v := range drawn(rng, k, 400) {
				if err := h.Add(smp.Run{State: v.State, First: at, Steps: int64(v.Steps)}); err != nil {
					t.Fatal(err)
				}
				at += int64(v.Steps)
			}
			load := rng.Float64() * 0.5
			hosts = append(hosts, Host{Rate: 0.5 + rng.Float64(), History: h, Load: func(int64) float64 { return load }})
		}
		job := []Submission{{Step: rng.Int64N(50), Length: 60 + 600*rng.Float64()}}
		a, err := Replay(context.Background(), hosts, job, Omniscient{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := Replay(context.Background(), hosts, job, Fastest{})
		if err != nil {
			t.Fatal(err)
		}
		if b.Finished > a.Finished || a.Finished == b.Finished && a.MeanMakespan > b.MeanMakespan {
			t.Errorf("omniscient %+v, condor-like %+v", a, b)
		}
	}
}

// drawn is a path of n+1 samples of a kernel that enters its first state at step 0.
func drawn(rng *rand.Rand, k *smp.Kernel, n int) smp.Sequence {
	var p []int
	for state := 0; len(p) <= n; {
		u := rng.Float64()
		lag, to := n+1, state
		for _, a := range k.Atoms() {
			if a.From != state {
				continue
			}
			if u -= a.Prob; u < 0 {
				lag, to = a.Steps, a.To
				break
			}
		}
		for range lag {
			p = append(p, state)
		}
		state = to
	}
	return smp.SequenceOf(p[:n+1])
}
