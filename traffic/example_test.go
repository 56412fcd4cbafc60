package traffic_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/capplan/capplan/traffic"
)

// The mean and the peak of a daily curve.
func ExampleRead() {
	csv := "time_s,rate_per_s\n0,0.2\n28800,0.9\n64800,0.3\n"
	r, err := traffic.Read(context.Background(), "day.csv", strings.NewReader(csv), traffic.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := r.Curve()
	at, _ := c.RateAt(86400 + 30000)
	fmt.Printf("period %.0f s, mean %.4f, peak %.1f, at 30000 s of the next day %.1f per s\n", c.Period(), c.Mean(), c.Peak(), at)
	// Output:
	// period 100800 s, mean 0.4857, peak 0.9, at 30000 s of the next day 0.2 per s
}

// What came in by hour on three days, and the day to plan for.
func ExampleRecord_Day() {
	csv := "time;calls\n" +
		"2026-11-23 09:00;3.600,0\n2026-11-23 10:00;1.800,0\n" +
		"2026-11-24 09:00;7.200,0\n2026-11-24 10:00;1.200,0\n" +
		"2026-11-25 09:00;5.400,0\n2026-11-25 10:00;2.400,0\n"
	r, err := traffic.Read(context.Background(), "calls.csv", strings.NewReader(csv), traffic.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	day, err := r.Day(traffic.Level{Percentile: 0.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	nine, _ := day.RateAt(9 * 3600)
	ten, _ := day.RateAt(10 * 3600)
	fmt.Printf("%d days, median %.2f per s at nine and %.2f at ten\n", r.Days(), nine, ten)
	// Output:
	// 3 days, median 1.50 per s at nine and 0.50 at ten
}
