package bags

import (
	"context"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// Help that reaches an easier target is found beside that for the harder one, whose numbers of workers and hours
// bound those of the other, as by itself: the 4 designs here and 23 of 69 of three seeds are found for two thirds of
// the hours with 15 % more time, and no others.
func TestCheaperIsThatOfTheEasierTarget(t *testing.T) {
	const share, margin = 1 / 1.5, 1.15
	sought, cheaper := 0, 0
	for _, seed := range longtest.Of([]uint64{2}, []uint64{1126, 1, 2}) {
		all := gridCases(t, 48, seed)
		for _, k := range longtest.Of([]gridCase{all[0], all[16], all[22], all[45]}, all) {
			f, easier := k.law(t)
			s, err := f.Seek(context.Background(), Target{easier.By / margin, easier.Chance}, k.cloud, easier, share)
			if err != nil {
				t.Fatal(err)
			}
			if !s.OK || s.Best.Workers == 0 {
				continue
			}
			sought++
			most := share * s.Best.Hours
			got, err := s.Cheaper(most)
			if err != nil {
				t.Fatal(err)
			}
			want, ok, err := f.Cheapest(context.Background(), easier, k.cloud)
			switch {
			case err != nil || !ok:
				t.Fatalf("%s: %+v, %v, %v", k.name, want, ok, err)
			case want.Hours > most && got != nil || want.Hours <= most && got == nil:
				t.Errorf("seed %d, %s: %+v for at most %.5g hours, of %+v for %.5g", seed, k.name, got, most, want.Help, want.Hours)
			case got != nil:
				if cheaper++; got.Hours > 1.02*want.Hours || got.Chance(easier.By) < easier.Chance-1e-6 {
					t.Errorf("seed %d, %s: %+v for %.5g hours with the chance %v, of %+v for %.5g", seed, k.name, got.Help,
						got.Hours, got.Chance(easier.By), want.Help, want.Hours)
				}
			}
			// Of more hours than were asked for beside the search.
			if again, err := s.Cheaper(0.99 * s.Best.Hours); err != nil || got != nil && again.Hours > 1.02*got.Hours {
				t.Errorf("seed %d, %s: of more hours %+v, %v", seed, k.name, again, err)
			}
			if _, err := s.Points(); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("of %d designs %d are found for %.2f of the hours", sought, cheaper, share)
	if cheaper == 0 {
		t.Error("none is cheaper: the test sees nothing")
	}
}
