package sizing_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// How many people does a help desk need over a day, if 80% of the calls are to
// be answered within 20 seconds?
func Example_sizeADay() {
	file, err := os.Open("../../testdata/day.csv")
	if err != nil {
		panic(err)
	}
	defer file.Close()
	ctx := context.Background()
	day, err := traffic.Read(ctx, "day.csv", file, traffic.Options{})
	if err != nil {
		panic(err)
	}
	need, err := sizing.Size(ctx, &sizing.SizeQuestion{
		Traffic:    sizing.Traffic{Curve: day.Curve(), ServiceTime: units.Exactly(units.DurationOf(4 * time.Minute))},
		Objectives: sizing.Objectives{MaxWait: new(units.DurationOf(20 * time.Second)), Percentile: new(units.Percentile(0.8))},
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d at the peak, %.1f%% answered in time\n", need.Servers, 100**need.ServiceLevel)
	for _, other := range need.Alternatives {
		fmt.Printf("with %d: %.1f%%\n", other.Servers, 100**other.ServiceLevel)
	}
	fmt.Printf("%.0f person-hours follow the calls, %d would the peak all day\n", need.Staffing.HoursMOL, 24*need.Servers)
	// Output:
	// 226 at the peak, 83.0% answered in time
	// with 225: 79.5%
	// with 227: 85.9%
	// 2601 person-hours follow the calls, 5424 would the peak all day
}
