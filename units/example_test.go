package units_test

import (
	"fmt"

	"github.com/capplan/capplan/units"
)

func ExampleParse() {
	d, err := units.Parse[units.Duration]("1h30m")
	fmt.Println(float64(d), d, err)
	_, err = units.Parse[units.Rate]("5.4")
	fmt.Println(err)
	// Output:
	// 5400 1.5h <nil>
	// units: "5.4" is not a rate: it has no "/" and time, want a rate such as 5.4/s, 120/min or 100/30min
}

func ExampleParseRange() {
	r, err := units.ParseRange[units.Erlang]("80..100..130")
	if err != nil {
		fmt.Println(err)
		return
	}
	p95, err := r.Quantile(0.95)
	fmt.Println(r.Kind(), r.Nominal(), units.FormatNumber(float64(p95), 4), err)
	// Output: triangular 100 121.3 <nil>
}

func ExampleFormatDuration() {
	fmt.Println(units.FormatDuration(0.2504, 3))
	fmt.Println(units.FormatDuration(93784, 3))
	fmt.Println(units.FormatFraction(0.99999, 3))
	// Output:
	// 250 ms
	// 26.1 h
	// 99.999%
}
