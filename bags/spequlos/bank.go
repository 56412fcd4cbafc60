package spequlos

import (
	"fmt"
	"math"
)

// CreditsPerHour is what an hour of one cloud worker costs, in credits.
const CreditsPerHour = 15.0

// A Bank holds the users' credits. The zero value has no user.
type Bank struct{ balances map[string]float64 }

// Balance returns what a user may still order for; 0 for one it does not know.
func (b *Bank) Balance(user string) float64 { return b.balances[user] }

// Deposit adds credits to an account, which it opens where there is none. Errors:
// a *DomainError for less than 0.
func (b *Bank) Deposit(user string, credits float64) error {
	if !(credits >= 0) || math.IsInf(credits, 1) {
		return &DomainError{"Bank.Deposit", "credits", credits, "a finite number >= 0"}
	}
	if b.balances == nil {
		b.balances = map[string]float64{}
	}
	b.balances[user] += credits
	return nil
}

// TopUp fills an account up to a cap, cap − balance, and returns what that took; 0
// where it holds as much. Called once a day it limits what a user spends in one.
func (b *Bank) TopUp(user string, upTo float64) (float64, error) {
	deposit := max(0, upTo-b.Balance(user))
	if math.IsNaN(upTo) {
		deposit = upTo
	}
	return deposit, b.Deposit(user, deposit)
}

// An Order is what a bag may spend.
type Order struct {
	user   string
	bank   *Bank
	limit  float64
	spent  float64
	closed bool
}

// Order sets credits of a user's aside for a bag. Errors: a *DomainError for a
// number below 0, ErrCredits for more than the account holds.
func (b *Bank) Order(user string, credits float64) (*Order, error) {
	if !(credits >= 0) || math.IsInf(credits, 1) {
		return nil, &DomainError{"Bank.Order", "credits", credits, "a finite number >= 0"}
	}
	if have := b.Balance(user); credits > have {
		return nil, fmt.Errorf("spequlos: %v credits ordered, %s has %v: %w", credits, user, have, ErrCredits)
	}
	if credits > 0 {
		b.balances[user] -= credits
	}
	return &Order{user: user, bank: b, limit: credits}, nil
}

// Limit returns what was ordered.
func (o *Order) Limit() float64 { return o.limit }

// Spent returns what was billed, never more than the limit.
func (o *Order) Spent() float64 { return o.spent }

// Left returns what may still be billed; 0 of an order that is closed.
func (o *Order) Left() float64 {
	if o.closed {
		return 0
	}
	return max(0, o.limit-o.spent)
}

// Bill takes credits, or what is left where that is less, and returns how many.
func (o *Order) Bill(credits float64) float64 {
	paid := min(max(0, credits), o.Left())
	o.spent = min(o.limit, o.spent+paid)
	return paid
}

// Close ends the order and gives what is left back to the user; again, it does
// nothing. It returns what was given back.
func (o *Order) Close() float64 {
	left := o.Left()
	o.closed = true
	if o.bank != nil && o.bank.balances != nil && left > 0 {
		o.bank.balances[o.user] += left
	}
	return left
}
