package planner

import (
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
	return units.ExactCents(float64(m.Price) * hour)
}

// price writes an amount per hour as the prices of the question are written.
func (p *premises) price(perHour float64) string {
	return p.money.Write(ask.Digits(units.ExactCents(p.money.Amount(perHour))))
}

// hour is that of prices, s.
const hour = 3600
