package loss

import (
	"context"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/measured"
)

// What is said of trunk reservation is what exact chains show.
func TestReservationErrorsAreMeasured(t *testing.T) {
	var found [2][]float64
	for _, r := range numtest.Table(t, "../../planner/approximations/references/reservation.csv") {
		f, err := Reservation{Capacity: int(r.Float("capacity")), Streams: []ReservedStream{
			{Stream{Name: "narrow", Width: 1, JobLoad: r.Float("narrow_load")}, int(r.Float("reserve"))},
			{Stream{Name: "wide", Width: int(r.Float("wide")), JobLoad: r.Float("wide_load")}, 0},
		}}.Figures(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if a := f.Approximation; (r.Float("reserve") > 0) != (a != nil) ||
			a != nil && (a.Blocking.Low > measured.ReservedUnlike.Low || a.Blocking.High < measured.ReservedUnlike.High) {
			t.Errorf("line %d: approximation %+v", r.Line, a)
		}
		kind := 0
		if r.Float("narrow_rate") != r.Float("wide_rate") {
			kind = 1
		}
		for i, name := range []string{"narrow_loss", "wide_loss"} {
			found[kind] = append(found[kind], f.Blocking[i]/r.Float(name)-1)
		}
	}
	for i, e := range []queueing.ErrorRange{queueing.ErrorRange(measured.ReservedAlike.Range), queueing.ErrorRange(measured.ReservedUnlike.Range)} {
		numtest.SameRange(t, []string{"one service time", "unlike service times"}[i], numtest.Range(e), numtest.Outwards(found[i]))
	}
}
