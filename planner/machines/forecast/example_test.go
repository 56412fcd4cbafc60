package forecast_test

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/planner/records"
)

// From a trace to chances: a Stream reads the machines, a Learning counts each, and the Fleet of all of
// them is asked. Fleet can be kept as JSON, for ReadFleet and for the flag --fleet of the commands.
func Example() {
	ctx := context.Background()
	learning, err := forecast.NewLearning(machines.Labelling{}, nil, nil)
	if err != nil {
		panic(err)
	}
	traces := records.Stream{Labelling: learning.Labelling()}
	if err := traces.Read(ctx, []string{"../../../testdata/hosts-small.csv"}, learning.Add); err != nil {
		panic(err)
	}
	fleet, err := learning.Fleet(ctx)
	if err != nil {
		panic(err)
	}
	answer, err := forecast.Ask(ctx, &forecast.Question{
		Fleet:     fleet,
		DayWindow: machines.DayWindow{Day: "weekday", Start: 9 * 3600, Window: 2 * 3600}, // from 09:00 for 2 h
	})
	if err != nil {
		panic(err)
	}
	for _, m := range answer.Machines {
		fmt.Printf("%s stays free with %.0f%%\n", m.Name, 100*m.Reliability)
	}
	// Output:
	// quiet stays free with 81%
	// mixed stays free with 64%
	// busy stays free with 52%
}
