package frailty

import (
	"context"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/smp"
)

// MergeRecords adds up the records of the same machine and returns one for each
// name, in their order. The arguments stay as they are. A machine's group is
// that of its last record that names one.
func MergeRecords(sets ...[]Record) ([]Record, error) {
	var all []Record
	for _, s := range sets {
		all = append(all, s...)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name }) // generic, it would be 27 kB
	out := all[:0]
	for _, r := range all {
		last := len(out) - 1
		if last < 0 || out[last].Name != r.Name {
			out = append(out, r)
			continue
		}
		own := &out[last]
		// The first still shares its memory with the caller.
		own.Exposure, own.Failures = own.Exposure.clone(), own.Failures.clone()
		if err := own.Merge(&r); err != nil {
			return nil, err
		}
		if r.Group != "" {
			own.Group = r.Group
		}
	}
	return out, nil
}

func (c *Cells) clone() Cells { return Cells{slices.Clone(c.index), slices.Clone(c.count)} }

// Update fits a model anew with more of the record, such as one more day. It
// starts where the model stands and comes, within the tolerance, to what
// [Fit] makes of all records together.
func (m *Model) Update(ctx context.Context, c smp.Calendar, before, more []Record,
	o *Options) (*Model, []Record, error) {
	all, err := MergeRecords(before, more)
	if err != nil {
		return nil, nil, err
	}
	out, err := fit(given.Context(ctx), Clock{m.Period, c}, all, o, m)
	return out, all, err
}
