package planner

import (
	"errors"
	"fmt"

	"github.com/capplan/capplan/lp/alloc"
)

// A GenerateQuestion asks for a synthetic batch after QoS-GRAF section 5.2.
type GenerateQuestion struct {
	Jobs          int               `json:"jobs"`
	Resources     int               `json:"resources"`      // of each dependency
	PrimaryFactor float64           `json:"primary_factor"` // primary capacity / summed mean demand
	BackupFactor  float64           `json:"backup_factor"`  // backup capacity / primary capacity
	Mix           [3]float64        `json:"mix"`            // weights of small, medium and large jobs
	CapacityLaw   alloc.CapacityLaw `json:"capacity_law,omitempty"`
	Seed          uint64            `json:"seed"`
}

// A GeneratedBatch is a batch in the form of its file.
type GeneratedBatch struct {
	Comment string `json:"comment"` // the command line that makes it again
	*alloc.Batch
}

// generateFlags are the flags by the argument of the generator.
var generateFlags = map[string]string{"Jobs": "jobs", "Resources": "resources", "PrimaryFactor": "primary-factor", "BackupFactor": "backup-factor", "Mix": "mix", "Law": "capacity-law"}

// GenerateBatch makes a batch; the same question makes the same batch. An
// argument outside its domain is an *InputError.
func GenerateBatch(q *GenerateQuestion) (*GeneratedBatch, error) {
	law := q.CapacityLaw
	if law == "" {
		law = alloc.Relative
	}
	b, err := alloc.Generate(alloc.GeneratorOptions{
		Jobs: q.Jobs, Resources: q.Resources, PrimaryFactor: q.PrimaryFactor, BackupFactor: q.BackupFactor, Mix: q.Mix, Law: law, Seed: q.Seed,
	})
	var domain *alloc.DomainError
	if errors.As(err, &domain) {
		return nil, &InputError{generateFlags[domain.Arg], fmt.Sprintf("%v, want %s", domain.Value, domain.Want)}
	}
	if err != nil {
		return nil, err
	}
	return &GeneratedBatch{fmt.Sprintf("capplan allocate generate --jobs %d --resources %d --primary-factor %v --backup-factor %v --mix %v,%v,%v --capacity-law %s --seed %d",
		q.Jobs, q.Resources, q.PrimaryFactor, q.BackupFactor, q.Mix[0], q.Mix[1], q.Mix[2], law, q.Seed), b}, nil
}
