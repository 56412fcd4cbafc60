package trace_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/capplan/capplan/trace"
)

func ExampleReadFTA() {
	text := "# event_id\tcomponent_id\tnode_id\tplatform_id\tnode_name\tevent_type\tevent_start_time\tevent_stop_time\tevent_end_reason\n" +
		"0\t0\t7\t1\tn7\t1\t0\t7200\tNULL\n" +
		"1\t0\t7\t1\tn7\t0\t7200\t9000\tNULL\n" +
		"2\t0\t7\t1\tn7\t1\t8000\t9999\tNULL\n" // overlaps
	log, err := trace.ReadFTA(context.Background(), "events.tab", strings.NewReader(text), trace.FTAOptions{}, func(i trace.Interval) error {
		fmt.Printf("%s up=%v for %v s, cut %v, censored %v\n", i.Name, i.Up, i.End-i.Start, i.Cut, i.Censored)
		return nil
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(log.Malformed.Total(), "malformed")
	var order *trace.OrderError
	if errors.As(log.Malformed.First[0], &order) {
		fmt.Println(order)
	}
	// Output:
	// n7 up=true for 7200 s, cut true, censored false
	// n7 up=false for 1800 s, cut false, censored true
	// 1 malformed
	// node "n7": the interval from 8000 s overlaps the one of line 3, which ends at 9000 s
}

func ExampleReadHostTrace() {
	text := "time,cpu,free_mb\n2024-01-01T00:00:00Z,0.25,2048\n1704067500,0.5,\n"
	_, err := trace.ReadHostTrace(context.Background(), "host.csv", strings.NewReader(text), trace.HostTraceOptions{}, func(s trace.Sample) error {
		fmt.Printf("%.0f %v %v %v\n", s.Time, s.CPU, s.FreeMB, s.HasFree)
		return nil
	})
	if err != nil {
		panic(err)
	}
	// Output:
	// 1704067200 0.25 2048 true
	// 1704067500 0.5 0 false
}

func ExampleReadDurations() {
	text := "6\n6+\n7\n"
	_, err := trace.ReadDurations(context.Background(), "weeks.txt", strings.NewReader(text), trace.DurationOptions{Unit: "d"}, func(d trace.Duration) error {
		fmt.Println(d.Seconds, d.Censored)
		return nil
	})
	if err != nil {
		panic(err)
	}
	// Output:
	// 518400 false
	// 518400 true
	// 604800 false
}

func ExampleReadSpot() {
	text := `{"metadata": {"gap_seconds": 300}, "data": [4, 4, 1, 0, 2]}`
	_, err := trace.ReadSpot(context.Background(), "us-east-2a", strings.NewReader(text), trace.SpotOptions{Threshold: 2}, func(i trace.Interval) error {
		fmt.Printf("%v..%v s up=%v\n", i.Start, i.End, i.Up)
		return nil
	})
	if err != nil {
		panic(err)
	}
	// Output:
	// 0..600 s up=true
	// 600..1200 s up=false
	// 1200..1500 s up=true
}
