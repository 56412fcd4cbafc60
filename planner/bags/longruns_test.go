package bags

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// Where machines come and go so often that the runs of two designs take what a race for cheaper help may take,
// there is no race: what was found is answered with a warning. Each run of this bag has some 10^5 changes.
func TestNoRaceOfLongRuns(t *testing.T) {
	q := &FinishQuestion{
		Bag: &bags.Bag{Name: "long", Size: bags.Spread{Mean: 12}, Work: bags.Spread{Mean: 1.3e9}},
		Hosts: &hosts.Platform{Name: lawHosts, Count: 160, Speed: Desktop,
			Up: law.Exponential{Scale: 300}, Down: law.Exponential{Scale: 300}},
		Server: "checkpoint", By: new(5.5e5), CloudSpeed: new(3000.), Seed: 11,
	}
	a, err := Done(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if a.Design == nil || a.Design.Judged == nil || a.Design.Workers < 12 {
		t.Fatalf("design %+v: %q", a.Design, a.Warnings)
	}
	t.Logf("%+v %+v", *a.Design, *a.Design.Judged)
	if all := strings.Join(a.Warnings, "\n"); !strings.Contains(all, "no cheaper help was looked for by runs") {
		t.Errorf("no warning among %s", all)
	}
	if a.Design.Judged.Tried > 3 {
		t.Errorf("%d designs tried", a.Design.Judged.Tried)
	}
}
