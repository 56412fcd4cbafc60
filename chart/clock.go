package chart

import (
	"fmt"
	"math"
	"time"
)

// HourSteps returns the distances of labels that people expect along hours.
func HourSteps() []float64 { return []float64{0.25, 0.5, 1, 2, 3, 6, 12, 24} }

// datedFrom is from when on, in hours, times are of a calendar: no day that is
// counted from the first one is in the eleventh year.
const datedFrom = 10 * 365 * 24

// timeLabeller writes hours since a midnight as times of day; where the axis is
// longer than two days, midnights are the days that they begin, dates where they
// are of Unix time.
func timeLabeller(last float64) func(float64) string {
	return func(hours float64) string {
		minutes := math.Round(hours * 60)
		day := math.Floor(minutes / (24 * 60))
		minutes -= day * 24 * 60
		if last > 48 && minutes == 0 && hours >= datedFrom {
			return time.Unix(int64(day)*24*3600, 0).UTC().Format(time.DateOnly)
		}
		if last > 48 && minutes == 0 {
			return fmt.Sprintf("day %.0f", day+1)
		}
		if minutes == 0 && hours == last {
			return "24:00"
		}
		return fmt.Sprintf("%02.0f:%02.0f", math.Floor(minutes/60), math.Mod(minutes, 60))
	}
}
