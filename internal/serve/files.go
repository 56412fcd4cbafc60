package serve

import (
	"context"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/units"
)

// A routeQuestion may write its price of time with a currency, which the answer then has.
type routeQuestion struct {
	routes.Question
	DelayCost *units.Money `json:"delay_cost_per_s,omitempty"`
}

// check checks clusters and types by the rules of their file. d knows where each field is, so that
// a fault is reported with its line.
func (q *routeQuestion) check(d *document.Document) error {
	f := &routes.ClusterFile{Clusters: q.Clusters, Types: q.Types}
	// A question without clusters has a workload, or is refused by the model.
	if len(f.Clusters) > 0 {
		if err := routes.CheckClusters(d, f); err != nil {
			return err
		}
	}
	return routes.CheckTypes(d, f)
}

func route(ctx context.Context, q *routeQuestion) (*routes.Answer, error) {
	if q.DelayCost != nil {
		q.PriceDelay(*q.DelayCost)
	}
	a, err := routes.Route(ctx, &q.Question)
	if err == nil && a.Uncertainty == nil && q.Seed > 1 { // as the command, which does not know it before either
		return nil, ask.Inputf("seed", "only used with rates that are ranges")
	}
	return a, err
}
