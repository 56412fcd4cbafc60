package scenario

import (
	"fmt"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
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
		// What a request or a unit of capacity costs is for no time: only its currency counts.
		if err := q.routedMoney(&common, fields, forms); err != nil {
			return nil, err
		}
		if common == (units.PriceForm{}) {
			return nil, nil
		}
		return &common, nil
	}
	first := slices.IndexFunc(forms, func(f units.PriceForm) bool { return f.Currency == common.Currency })
	second := slices.IndexFunc(forms, func(f units.PriceForm) bool { return f.Currency == clashed })
	return nil, clash(fields[first], fields[second],
		fmt.Sprintf("one is in %s and the other in %s", common.Currency, clashed),
		units.OneCurrency)
}

// routedMoney holds the prices of clusters to the currency of the others, or to
// their own where those have none.
func (q *Question) routedMoney(common *units.PriceForm, fields []string, forms []units.PriceForm) error {
	if q.Routing == nil {
		return nil
	}
	currency, at := routes.Currency(q.Routing.Listed())
	switch {
	case currency == "" || currency == common.Currency:
	case common.Currency == "":
		common.Currency = currency
	default:
		first := slices.IndexFunc(forms, func(f units.PriceForm) bool { return f.Currency == common.Currency })
		return clash(fields[first], fmt.Sprintf("routing.clusters[%d].price", at),
			fmt.Sprintf("one is in %s and the other in %s", common.Currency, currency), units.OneCurrency)
	}
	return nil
}

// checkMoney holds all prices to one currency.
func (q *Question) checkMoney() error {
	_, err := q.PriceForm()
	return err
}

// Shortfall is the price of a missing server of speed 1; nil: none is given.
func (q *Question) Shortfall() *units.Money { return ask.Value(q.Costs).Shortfall }
