package frailty

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/capplan/capplan/smp"
)

// Days that are counted give each cell what a walk through the hours does, where clocks change too.
func TestWholeDaysCountAsHours(t *testing.T) {
	var zones []*time.Location
	for _, name := range []string{"UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata", "Australia/Lord_Howe"} {
		l, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, l)
	}
	rng := rand.New(rand.NewPCG(3, 1))
	for range 1200 {
		period := []float64{0.5, 1, 7, 30, 60, 300, 450, 900, 3600, 5400, 7200, 86400}[rng.IntN(12)]
		c := Clock{period, smp.Calendar{
			Location: zones[rng.IntN(len(zones))],
			Holidays: []smp.Date{{Year: 2012, Month: 3, Day: 9}},
		}}
		first := int64((946684800 + rng.Float64()*5e8) / period)
		age := Age{rng.Int64N(5000), rng.IntN(2) == 0}
		n := 1 + int64(rng.ExpFloat64()*1e7/period)
		if rng.IntN(4) == 0 {
			n = 1 + rng.Int64N(300)
		}
		var want, got tally
		c.each(first, age, n, func(cell int, _, steps int64) bool { want.add(cell, steps); return true })
		h := hours{clock: c}
		h.total(first, age, n, &got)
		for cell := range Ages * Hours {
			if want.n[cell] != got.n[cell] {
				t.Fatalf("%v %v %d from %d: cell %d has %d steps, want %d", c, age, n, first, cell, got.n[cell]/2, want.n[cell]/2)
			}
		}
	}
}

// The hour of a step on a date of 24 hours is that which the clock shows, and so is where it ends.
func TestHoursAreThoseOfTheClock(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	for _, name := range []string{"UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata", "Australia/Lord_Howe",
		"Pacific/Apia", "Africa/Monrovia"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			period := []float64{0.5, 1, 7, 300, 450, 3600, 5400, 86400}[rng.IntN(8)]
			h := hours{clock: Clock{period, smp.Calendar{Location: zone}}}
			step := int64((rng.Float64()*4e9 - 2e9) / period)
			for range 200 {
				hour, next := h.at(step)
				second := int64(math.Floor(float64(step) * period))
				at := time.Unix(second, 0).In(zone)
				week := 0
				if day := at.Weekday(); day == time.Saturday || day == time.Sunday {
					week = 24
				}
				end := second + int64(3600-60*at.Minute()-at.Second())
				want := max(int64(math.Ceil(float64(end)/period)), step+1)
				if hour != week+at.Hour() || next != want {
					t.Fatalf("%v, period %v: hour %d up to step %d, want %d and %d", at, period, hour, next, week+at.Hour(), want)
				}
				if step = next; rng.IntN(4) == 0 {
					step += int64(rng.ExpFloat64() * 1e5 / period)
				}
			}
		}
	}
}
