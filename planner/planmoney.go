package planner

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// perHour is an amount of money an hour; 0 where none is given. It is rounded as
// prices of machines are, so that a budget and a cost that are the same are
// equal.
func perHour(m *units.Money) float64 {
	if m == nil {
		return 0
	}
	return cents(float64(m.Price) * hour)
}

// price writes an amount per hour as the prices of the question are written.
func (p *premises) price(perHour float64) string {
	return p.money.Write(ask.Digits(cents(p.money.Amount(perHour))))
}

// hour is that of prices, s.
const hour = 3600

// cents takes the rounding of a unit out of a price: 0.40/h is kept per
// second. The rounding to a millionth is only done where it changes less than the
// last digits of a float64.
func cents(price float64) float64 {
	if r := math.Round(price*1e6) / 1e6; math.Abs(r-price) <= 1e-12*math.Abs(price) {
		return r
	}
	return price
}
