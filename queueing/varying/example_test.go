package varying_test

import (
	"fmt"
	"log"

	"github.com/capplan/capplan/queueing/varying"
)

func ExampleIntervalLoads() {
	day := varying.Cycle{Start: []float64{0, 3600, 7200}, End: 10800, Rate: []float64{0.1, 0.5, 0.2}}
	loads, err := varying.IntervalLoads(day, 240, 1, varying.MOL)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", loads)
	// Output: [48.0 120.0 120.0]
}
