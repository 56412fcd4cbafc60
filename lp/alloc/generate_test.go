package alloc

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"
)

func TestGenerateLaws(t *testing.T) {
	for _, law := range []CapacityLaw{Literal, Relative} {
		b, err := Generate(context.Background(), GeneratorOptions{Jobs: 1000, Resources: 50, PrimaryFactor: 0.6, BackupFactor: 0.3, Law: law, Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(b); err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		mean := 0.0
		for _, j := range b.Jobs {
			count[j.Class]++
			for _, l := range j.Levels["network"] {
				mean += float64(l.Demand) / 4
			}
		}
		if count["small"] != 200 || count["medium"] != 700 || count["large"] != 100 {
			t.Errorf("%s: mix = %v, want 200, 700, 100", law, count)
		}
		var total, square float64
		least := math.Inf(1)
		for _, r := range b.Resources {
			if r.Dependency != "network" {
				continue
			}
			c := float64(r.PrimaryCapacity)
			total, square, least = total+c, square+c*c, min(least, c)
			if r.BackupCapacity != int64(0.3*c) {
				t.Errorf("%s: backup of %v = %d, want ⌊0.3·C⌋", law, c, r.BackupCapacity)
			}
		}
		if math.Abs(total/(0.6*mean)-1) > 1e-3 {
			t.Errorf("%s: capacity %v, want %v", law, total, 0.6*mean)
		}
		// 50 draws: the deviation has a relative standard error of 0.1. That of
		// the cut normal law is 0.62 of the mean before scaling.
		sd := math.Sqrt(square/50 - total*total/2500)
		mu := total / 50
		if want := map[CapacityLaw]float64{Literal: math.Sqrt(0.75 + 1.0/12), Relative: 0.53 * mu}[law]; sd < 0.6*want || sd > 1.4*want {
			t.Errorf("%s: standard deviation %v, want about %v", law, sd, want)
		}
		again, _ := Generate(context.Background(), GeneratorOptions{Jobs: 1000, Resources: 50, PrimaryFactor: 0.6, BackupFactor: 0.3, Law: law, Seed: 7})
		if !reflect.DeepEqual(b, again) {
			t.Errorf("%s: the same seed gave another batch", law)
		}
	}
}

func TestGenerateDomain(t *testing.T) {
	good := GeneratorOptions{Jobs: 10, Resources: 2, PrimaryFactor: 0.5, BackupFactor: 0.2}
	for arg, change := range map[string]func(*GeneratorOptions){
		"Jobs":          func(o *GeneratorOptions) { o.Jobs = 0 },
		"Resources":     func(o *GeneratorOptions) { o.Resources = -1 },
		"PrimaryFactor": func(o *GeneratorOptions) { o.PrimaryFactor = math.NaN() },
		"BackupFactor":  func(o *GeneratorOptions) { o.BackupFactor = math.Inf(1) },
		"Mix":           func(o *GeneratorOptions) { o.Mix[0] = -1 },
		"Law":           func(o *GeneratorOptions) { o.Law = "normal" },
		"Dependencies":  func(o *GeneratorOptions) { o.Dependencies = []string{} },
	} {
		o := good
		change(&o)
		_, err := Generate(context.Background(), o)
		var d *DomainError
		if !errors.As(err, &d) || d.Arg != arg {
			t.Errorf("%s: err = %v", arg, err)
		}
	}
}

// Making a large batch ends with the context.
func TestGenerateEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b, err := Generate(ctx, GeneratorOptions{Jobs: 1_000_000, Resources: 2, PrimaryFactor: 0.6})
	if b != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// The jobs of a generator are those of Generate, each time they are asked for.
func TestGeneratorRepeats(t *testing.T) {
	ctx := context.Background()
	o := GeneratorOptions{Jobs: 700, Resources: 9, PrimaryFactor: 0.6, BackupFactor: 0.3, PriceFactor: 0.4, OptionalShare: 0.5, FeeFactor: 1, BudgetFactor: 0.5, Seed: 3}
	want, err := Generate(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGenerator(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(g.Resources, want.Resources) || *g.Budget != *want.Budget {
		t.Error("other resources or another budget")
	}
	for range 2 {
		k := 0
		for j, err := range g.Jobs(ctx) {
			if err != nil || !reflect.DeepEqual(*j, want.Jobs[k]) {
				t.Fatalf("job %d: %+v, %v, want %+v", k, j, err, want.Jobs[k])
			}
			k++
		}
		if k != o.Jobs {
			t.Errorf("%d jobs, want %d", k, o.Jobs)
		}
	}
}

// A generator ends within a thousand jobs of its context, or of its reader.
func TestGeneratorEnds(t *testing.T) {
	g, err := NewGenerator(context.Background(), GeneratorOptions{Jobs: 100_000, Resources: 2, PrimaryFactor: 0.6})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	for j, err := range g.Jobs(ctx) {
		if n++; n == 10 {
			cancel()
		}
		if (j == nil) != (err != nil) || err != nil && !errors.Is(err, context.Canceled) || n > 1100 {
			t.Fatalf("job %d: %v, %v", n, j, err)
		}
	}
	for range g.Jobs(context.Background()) {
		n = 0
		break
	}
	if n != 0 {
		t.Error("no first job")
	}
}
