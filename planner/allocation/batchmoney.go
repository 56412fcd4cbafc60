package allocation

import (
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// money returns what has a currency in the batch: its costs, and where they
// stand. Resources without a currency are not listed, of which there may be a
// million.
func (f *BatchFile) money() (costs []units.Cost, places []string) {
	add := func(place string, v units.Amount) {
		if v.Currency != "" {
			// Only the currency is looked at here.
			costs = append(costs, units.Cost{Form: units.CostForm{Currency: v.Currency}})
			places = append(places, place)
		}
	}
	add("currency", units.Amount{Currency: string(f.Currency)})
	add("budget", ask.Value(f.Budget))
	for i := range f.Resources {
		if price := f.Resources[i].Price; price != nil && price.Currency != "" {
			add(fmt.Sprintf("resources[%d].price", i), *price)
		}
	}
	return costs, places
}

// checkMoney holds prices, budget and the batch itself to one currency.
func (f *BatchFile) checkMoney() error {
	costs, places := f.money()
	_, clash := units.OneCost(costs...)
	if clash == nil {
		return nil
	}
	line := f.At(places[clash.First], "", "").Line
	return f.At(places[clash.Second], clash.Beside(line), units.OneCurrency)
}

// form is what amounts of the batch are in; nil: bare numbers.
func (f *BatchFile) form() *units.CostForm {
	if f == nil {
		return nil
	}
	costs, _ := f.money()
	form, _ := units.OneCost(costs...)
	return form.Unless()
}

// amountOf is the number of an amount.
func amountOf(v *units.Amount) *float64 {
	if v == nil {
		return nil
	}
	return ask.Figure(float64(v.Number))
}
