package sizing

import (
	"context"
	"testing"
)

// The fewest servers with headroom are those that a trial of every number, its
// zones filled one by one and the fullest of them emptied, finds.
func TestHeadroomAgainstTrial(t *testing.T) {
	lost := func(servers, zones, survive, spare int) int {
		if zones == 0 {
			return servers - spare
		}
		in := make([]int, zones)
		for i := range servers {
			in[i%zones]++
		}
		left := 0
		for _, n := range in[survive:] { // the first ones are the fullest
			left += n
		}
		return left - spare
	}
	for _, zones := range []int{0, 2, 3, 5, 7} {
		for survive := range zones {
			for spare := range 3 {
				if zones > 0 && survive == 0 {
					continue
				}
				h := &Headroom{Spare: int64(spare), Zones: int64(zones), Survive: int64(survive)}
				if err := h.Check(); err != nil {
					t.Fatal(err)
				}
				for needed := 1; needed < 60; needed++ {
					want := needed
					for lost(want, zones, survive, spare) < needed {
						want++
					}
					if got := h.Covers(float64(needed)); got != float64(want) {
						t.Errorf("%+v: %d needed take %v, want %d", *h, needed, got, want)
					}
					if left := h.Left(float64(want)); left != float64(lost(want, zones, survive, spare)) {
						t.Errorf("%+v: of %d %v are left", *h, want, left)
					}
				}
			}
		}
	}
}

// A fleet with headroom meets the objectives after the loss, and one server
// fewer does not.
func TestHeadroomMeetsAfterLoss(t *testing.T) {
	q := lossQuestion(t, "120")
	q.Headroom = &Headroom{Zones: 3, Survive: 1, Spare: 1}
	a := size(t, q)
	if a.Servers != 209 || a.Headroom.Needed != 138 || a.Headroom.Extra != 71 || a.Headroom.Left != 138 {
		t.Errorf("%d servers, %+v", a.Servers, a.Headroom)
	}
	for servers, met := range map[int64]bool{209: true, 208: false} {
		c, err := Check(context.Background(), &CheckQuestion{SizeQuestion: *q, Servers: servers})
		if err != nil || c.Met != met {
			t.Errorf("%d servers: %+v, %v", servers, c, err)
		}
		if !met && c.Shortfall != 1 {
			t.Errorf("short by %d", c.Shortfall)
		}
	}
}
