package machines

import (
	"context"
	"errors"
	"fmt"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// A LaboratoryQuestion asks for records of machines like those of iShare's
// student laboratory; 0 means the paper's, 20 machines over 90 days. The records
// are made, not measured: they serve where no trace can be had.
type LaboratoryQuestion struct {
	Machines int     `json:"machines,omitempty"`
	Days     int     `json:"days,omitempty"`
	Period   float64 `json:"period_s,omitempty"` // between samples; 0: 30 s
	Seed     uint64  `json:"seed"`
}

// A Laboratory generates the machines of a laboratory one by one.
type Laboratory struct {
	Machines int
	model    smp.Laboratory
	samples  int // of one machine, at most
}

// NewLaboratory checks the question.
func NewLaboratory(q LaboratoryQuestion) (*Laboratory, error) {
	l := &Laboratory{model: smp.Laboratory{Machines: q.Machines, Days: q.Days, Period: q.Period, Seed: q.Seed}}
	var err error
	l.Machines, l.samples, err = l.model.Size()
	var domain *smp.DomainError
	// The generator names its arguments as Go does; the field of the question has the name of JSON.
	if errors.As(err, &domain) {
		field := map[string]string{"Machines": "machines", "Days": "days", "Period": "every"}[domain.Arg]
		return nil, ask.Inputf(field, "is %s, want %s", ask.Digits(domain.Value), domain.Want)
	}
	return l, err
}

// mostWrittenSamples bounds a laboratory whose samples are written one by one, 7 GB of text.
const mostWrittenSamples = 220e6

// CheckText refuses a laboratory whose samples are too many to be written.
func (l *Laboratory) CheckText() error {
	return l.atMost(mostWrittenSamples, "take fewer machines or days, or more time between samples")
}

// atMost refuses more samples in all.
func (l *Laboratory) atMost(most float64, less string) error {
	if all := float64(l.Machines) * float64(l.samples); all > most {
		return ask.Inputf("machines", "%d of %d samples each are %s samples, want at most %s at a time: %s", l.Machines,
			l.samples, ask.Digits(all), ask.Digits(most), less)
	}
	return nil
}

// Name is that of machine m, 0 the first.
func (l *Laboratory) Name(m int) string { return fmt.Sprintf("lab-%02d", m+1) }

// EachSample generates the samples of a machine one by one, see [smp.Laboratory.EachSample].
func (l *Laboratory) EachSample(ctx context.Context, m int, each func(smp.Sample) error) error {
	return l.model.EachSample(ctx, m, each)
}

// Host generates machine m, 0 the first.
func (l *Laboratory) Host(ctx context.Context, m int) (*Trace, error) {
	ctx = given.Context(ctx)
	samples, err := l.model.Machine(ctx, m)
	if err != nil {
		return nil, err
	}
	return &Trace{Name: l.Name(m), Samples: samples}, nil
}

// Labelling returns the thresholds by which the machines were generated. Other thresholds find
// other states in the records.
func (l *Laboratory) Labelling() Labelling {
	p := l.model.Thresholds()
	return Labelling{Period: &p.Period, WorkingSet: new(p.WorkingSet * megabyte), Gap: &p.Gap}
}

// mostLaboratorySamples bounds what is held at a time: 31 million took the program to 1 GB.
const mostLaboratorySamples = 32e6

// Hosts generates all machines on all cores. An *ask.InputError refuses more than
// can be held.
func (l *Laboratory) Hosts(ctx context.Context) ([]Trace, error) {
	ctx = given.Context(ctx)
	if err := l.atMost(mostLaboratorySamples, "take fewer machines or days"); err != nil {
		return nil, err
	}
	if l.Machines < 0 || l.Machines > 0 && l.samples == 0 {
		return nil, ask.Inputf("machines", "%d, want those of [NewLaboratory]", l.Machines)
	}
	hosts := make([]Trace, l.Machines)
	err := parallel.Each(ctx, 0, l.Machines, func(m int) error {
		h, err := l.Host(ctx, m)
		if err == nil {
			hosts[m] = *h
		}
		return err
	})
	return hosts, err
}
