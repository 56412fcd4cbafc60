package baseline

import (
	"math"
	"sort"

	"github.com/capplan/capplan/smp"
)

// dayDraw are the test days that are forecast, of those that stayed free and of the others.
type dayDraw struct {
	out         []bool // by day; nil: none is out
	kind        []int8 // by day: 1 where it stayed free
	days, drawn [2]float64
	stayed      [][2]float64 // by model: forecasts of staying free
}

// fewestOfKind is the number of days of a kind that are drawn in any case.
const fewestOfKind = 10

// drawDays draws about so many days by their dates, which are the same for all windows; 0 draws all.
func drawDays(days []smp.Day, space smp.Space, models, most int) *dayDraw {
	d := &dayDraw{kind: make([]int8, len(days)), stayed: make([][2]float64, models)}
	for i, day := range days {
		if _, failed := day.Parts[0].Failed(space); !failed {
			d.kind[i] = 1
		}
		d.days[d.kind[i]]++
	}
	d.drawn = d.days
	if most == 0 || len(days) <= most {
		return d
	}
	var of [2][]int
	for i, k := range d.kind {
		of[k] = append(of[k], i)
	}
	for k, all := range of {
		n := max(fewestOfKind, int(math.Ceil(float64(most)*float64(len(all))/float64(len(days)))))
		if n >= len(all) {
			continue
		}
		sort.Slice(all, func(a, b int) bool { return scattered(days[all[a]].Date) < scattered(days[all[b]].Date) })
		if d.out == nil {
			d.out = make([]bool, len(days))
		}
		for _, i := range all[n:] {
			d.out[i] = true
		}
		d.drawn[k] = float64(n)
	}
	return d
}

// scattered is a number of a date that has nothing to do with its place in the week or the year.
// Source: the finalizer of SplitMix64, Steele, Lea, Flood, OOPSLA 2014.
func scattered(d smp.Date) uint64 {
	x := uint64(d.Year)*10000 + uint64(d.Month)*100 + uint64(d.Day)
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// not reports whether a day is not forecast.
func (d *dayDraw) not(day int) bool { return d.out != nil && d.out[day] }

// stays counts a forecast of a model that a day stays free.
func (d *dayDraw) stays(model, day int) { d.stayed[model][d.kind[day]]++ }

// total returns on how many days a model foresees to stay free, each kind of day by the share of those
// drawn, and the standard error of that.
func (d *dayDraw) total(model int) (total, err float64) {
	of, square := d.stayed[model], 0.0
	for k, n := range d.drawn {
		if n == d.days[k] {
			total += of[k]
			continue
		}
		total += of[k] / n * d.days[k]
		// Of none, or all, the share may be a little more or less: one day of each is added.
		q := (of[k] + 1) / (n + 2)
		square += d.days[k] * d.days[k] * q * (1 - q) / n * (1 - n/d.days[k])
	}
	return total, math.Sqrt(square)
}
