package bags

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/hosts"
)

// BenchmarkDone is what finish takes with a design: the bar is 50 ms.
func BenchmarkDone(b *testing.B) {
	by, price := 8*3600., 0.1
	type of struct{ bag, name string }
	for _, k := range []of{{"small", "nd"}, {"small", "g5klyo"}, {"small", "spot100"}, {"random", "nd"}, {"big", "seti"}} {
		for _, server := range ServerNames() {
			bag, _ := NamedBag(k.bag)
			p, _ := NamedHosts(k.name)
			b.Run("bag="+k.bag+"/hosts="+k.name+"/server="+server, func(b *testing.B) {
				for b.Loop() {
					q := &FinishQuestion{Bag: bag, Hosts: p, Server: server, By: &by, CloudPrice: &price}
					if server == "boinc" {
						late := 4 * by
						q.By = &late
					}
					if _, err := Done(context.Background(), q); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// Of recorded machines that come and go together the formulas are wrong, by how much
// nobody knows before it is simulated: finish says so, and not of those that do so each
// for itself.
func TestCommonAbsencesAreTold(t *testing.T) {
	bag, _ := NamedBag("big")
	for name, apart := range map[string]float64{"together": 0, "each for itself": 97} {
		p := &hosts.Platform{Name: name, Speed: hosts.Speed{Mean: 1000}}
		for i := range 100 {
			from := math.Mod(float64(i)*apart, 900)
			r := hosts.Record{Span: 10000}
			for at := from; at+400 < r.Span; at += 1000 {
				r.Changes = append(r.Changes, at, at+400)
			}
			p.Records = append(p.Records, r)
		}
		a, err := Done(context.Background(), &FinishQuestion{Bag: bag, Hosts: p})
		if err != nil {
			t.Fatal(err)
		}
		told := strings.Contains(strings.Join(a.Warnings, " "), "come and go together")
		if told != (apart == 0) {
			t.Errorf("%s: told: %v, of %q", name, told, a.Warnings)
		}
	}
}

// With a deadline that is close to the least time the margin has its price, which is
// told; with one that is far, or without a margin, it is not.
func TestDearMarginIsTold(t *testing.T) {
	bag, _ := NamedBag("big")
	p, _ := NamedHosts("spot100")
	none := 0.0
	for _, k := range []struct {
		by     float64
		margin *float64
		told   bool
	}{{299, nil, true}, {299, &none, false}, {3000, nil, false}} {
		a, err := Done(context.Background(), &FinishQuestion{
			Bag: bag, Hosts: p, Server: "checkpoint", By: &k.by, Margin: k.margin})
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(strings.Join(a.Warnings, " "), "the margin of 3% is expensive"); told != k.told {
			t.Errorf("by %v s: told: %v, design %+v, of %q", k.by, told, a.Design, a.Warnings)
		}
	}
}
