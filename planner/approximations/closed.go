package approximations

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/queueing/networks"
)

// schweitzer measures the approximation of mean value analysis by the exact one.
func schweitzer(ctx context.Context) ([]Measure, error) {
	rate := Measure{Key: "SchweitzerThroughput", Figure: "throughput by class"}
	stay := Measure{Key: "SchweitzerResponse", Figure: "response by class"}
	var rates, stays []Case
	for _, servers := range []int{1, 4} {
		for _, classes := range []int{1, 2} {
			for _, customers := range []int{2, 5, 20, 60} {
				for _, think := range []float64{0, 20} {
					n := networks.Closed{Stations: []networks.Station{{Servers: servers}, {Servers: 1},
						{Servers: 1}}}
					for k := range classes {
						n.Classes = append(n.Classes, networks.Class{
							Customers: customers,
							ThinkTime: think,
							Demands:   []float64{float64(servers) * (1 + float64(k)), 0.8, 0.5 + float64(k)},
						})
					}
					exact, err := n.Exact(ctx)
					if err != nil {
						return nil, err
					}
					f, err := n.Schweitzer(ctx)
					if err != nil {
						return nil, err
					}
					for k, c := range exact.Classes {
						name := fmt.Sprintf(
							"%d servers at the first station, %d classes of %d customers, thinking %g, class %d",
							servers, classes, customers, think, k+1,
						)
						rates = append(rates, Case{name, f.Classes[k].Throughput, c.Throughput, 0})
						stays = append(stays, Case{name, f.Classes[k].MeanResponse, c.MeanResponse, 0})
					}
				}
			}
		}
	}
	rate.groups, stay.groups = [][]Case{rates}, [][]Case{stays}
	all := []Measure{rate, stay}
	for i := range all {
		all[i].Method = "mean value analysis by Schweitzer"
		all[i].Regime = "three stations, the first with 1 or 4 servers, one or two classes of 2 to 60 customers"
		all[i].Source, all[i].quoted = "exact mean value analysis", true
	}
	return all, nil
}
