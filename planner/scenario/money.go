package scenario

import (
	"fmt"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// PriceForm is the form of all prices of the question: nil where they are plain
// prices an hour. Two currencies are an error of the second field that has one.
func (q *Question) PriceForm() (*units.PriceForm, error) {
	var (
		forms  []units.PriceForm
		fields []string
	)
	add := func(field string, f units.PriceForm) { forms, fields = append(forms, f), append(fields, field) }
	for i := range q.Machines {
		if p := q.Machines[i].Price; p != nil {
			add(fmt.Sprintf("machines[%d].price", i), p.Form())
		}
	}
	if o := q.Objectives; o != nil && o.Budget != nil {
		add("objectives.budget", o.Budget.Form)
	}
	if c := q.Costs; c != nil && c.Shortfall != nil {
		add("costs.shortfall", c.Shortfall.Form)
	}
	common, clashed := units.OneForm(forms...)
	if clashed == "" {
		if common == (units.PriceForm{}) {
			return nil, nil
		}
		return &common, nil
	}
	first := slices.IndexFunc(forms, func(f units.PriceForm) bool { return f.Currency == common.Currency })
	second := slices.IndexFunc(forms, func(f units.PriceForm) bool { return f.Currency == clashed })
	return nil, clash(fields[first], fields[second],
		fmt.Sprintf("one is in %s and the other in %s", common.Currency, clashed),
		"all prices in one currency: capplan knows no rates of exchange")
}

// checkMoney holds all prices to one currency.
func (q *Question) checkMoney() error {
	_, err := q.PriceForm()
	return err
}

// Shortfall is the price of a missing server of speed 1; nil: none is given.
func (q *Question) Shortfall() *units.Money { return ask.Value(q.Costs).Shortfall }
