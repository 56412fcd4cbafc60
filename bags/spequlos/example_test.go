package spequlos_test

import (
	"bufio"
	"fmt"
	"log"
	"math"
	"os"

	"github.com/capplan/capplan/bags/spequlos"
)

// A middleware reports what its bag does, here from a file of events with a line
// "SECONDS assigned|completed" each, and does as it is told.
func Example() {
	var bank spequlos.Bank
	if _, err := bank.TopUp("anne", 60); err != nil {
		log.Fatal(err)
	}
	order, err := bank.Order("anne", 40)
	if err != nil {
		log.Fatal(err)
	}
	progress, err := spequlos.NewProgress(20)
	if err != nil {
		log.Fatal(err)
	}
	strategy, err := spequlos.ParseStrategy("9C-C-R")
	if err != nil {
		log.Fatal(err)
	}
	scheduler, err := spequlos.NewScheduler(progress, spequlos.Options{Strategy: strategy, Order: order})
	if err != nil {
		log.Fatal(err)
	}

	next := 0.0
	until := func(now float64) {
		for ; next <= now && !math.IsInf(next, 1); next = tick(scheduler, next) {
		}
	}
	file, err := os.Open("testdata/events.txt")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var at float64
		var what string
		if _, err := fmt.Sscan(lines.Text(), &at, &what); err != nil {
			log.Fatal(err)
		}
		until(at)
		if what == "assigned" {
			err = progress.Assign(at)
		} else {
			err = progress.Complete(at)
		}
		if err != nil {
			log.Fatal(err)
		}
		if progress.Done() {
			tick(scheduler, at)
		}
	}
	slowdown, _ := progress.TailSlowdown()
	fmt.Printf("tail slowdown %.2f; %.2f credits spent, %.2f back\n", slowdown, order.Spent(), order.Close())
	// Output:
	// 1860 s: start 2 workers
	// 2400 s: stop workers [0 1]
	// tail slowdown 1.20; 4.50 credits spent, 35.50 back
}

// tick asks at a time what to do, does it, and returns when to ask again.
func tick(s *spequlos.Scheduler, now float64) (next float64) {
	d := s.Tick(now)
	if d.Start > 0 {
		fmt.Printf("%.0f s: start %d workers\n", now, d.Start)
	}
	if len(d.Stop) > 0 {
		fmt.Printf("%.0f s: stop workers %v\n", now, d.Stop)
	}
	return d.Next
}
