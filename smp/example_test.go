package smp_test

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/smp"
)

// Two windows of a host, one digit a sample: 1 free, 2 busy, 3 failed. The
// last sojourn of each is cut by the window's end.
func ExampleEstimateCensored() {
	space := smp.Space{Names: []string{"free", "busy", "failed"}, Failure: []bool{false, false, true}}
	windows := []smp.Sequence{
		smp.SequenceOf([]int{0, 0, 1, 1, 1, 0, 2, 0, 0, 0}),
		smp.SequenceOf([]int{0, 0, 0, 1, 0, 0, 2, 2, 0, 1, 1, 1}),
	}
	fit, err := smp.EstimateCensored(space, windows)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := fit.Kernel.Exit()
	fmt.Printf("free to busy %.4f, free to failed %.4f\n", p[0][1], p[0][2])
	fmt.Println(fit.Warnings[0].Reason)
	// Output:
	// free to busy 0.6667, free to failed 0.3333
	// busy was visited 3 times: use more days
}

func ExampleKernel_Reliability() {
	space := smp.Space{Names: []string{"S1", "S2", "S3"}, Failure: []bool{false, false, true}}
	kernel, err := smp.NewDenseKernel(space, [][][]float64{
		{nil, {0.1, 0.2}, {0.05}}, // S1; the rest, 0.65, never leaves
		{{0.5}, nil, {0, 0.5}},    // S2
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	all, err := kernel.Reliability(ctx, 10, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fresh, _ := all.From(ctx, smp.Start{State: 0})
	aged, _ := all.From(ctx, smp.Start{State: 0, Elapsed: 1})
	fmt.Printf("just entered S1: %.4f\n", fresh.Reliability[10])
	fmt.Printf("a step in S1:    %.4f\n", aged.Reliability[10])
	// Output:
	// just entered S1: 0.7653
	// a step in S1:    0.8551
}
