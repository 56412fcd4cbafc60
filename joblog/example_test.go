package joblog_test

import (
	"context"
	"fmt"
	"os"

	"github.com/capplan/capplan/joblog"
)

// The load of a log and the law of its gaps.
func ExampleSummarize() {
	f, err := os.Open("../testdata/das2-tiny.swf")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	var samples joblog.Samples
	each := func(j joblog.Job) error { samples.Add(j); return nil }
	s, _, err := joblog.Summarize(context.Background(), f.Name(), f, joblog.SWFOptions{}, each)
	if err != nil {
		fmt.Println(err)
		return
	}
	laws, err := joblog.FitLaws(samples)
	if err != nil {
		fmt.Println(err)
		return
	}
	w := laws.Gaps
	fmt.Printf("%d jobs, %.3f per s, offered load %.0f erlangs\n", s.Jobs, s.ArrivalRate, s.OfferedLoad)
	fmt.Printf("gaps: Weibull scale %.2f s, shape %.2f ± %.2f\n", w.Scale, w.Shape, w.ShapeSE)
	// Output:
	// 200 jobs, 0.141 per s, offered load 277 erlangs
	// gaps: Weibull scale 5.46 s, shape 0.70 ± 0.04
}

// Jobs from InterGrid's laws, and one of the laws fitted back.
func ExampleGenerate() {
	m := joblog.DAS2()
	jobs, err := joblog.Generate(context.Background(), m, 20000, 42)
	if err != nil {
		fmt.Println(err)
		return
	}
	var s joblog.Samples
	for _, j := range jobs {
		s.Add(j)
	}
	f, err := joblog.FitLogNormal(s.Runs)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("a = %.1f, fitted %.2f ± %.2f\n", m.Run.Mu, f.A, f.ASE)
	// Output:
	// a = 4.6, fitted 4.59 ± 0.01
}
