package bags

import (
	"context"
	"errors"
	"testing"

	"github.com/capplan/capplan/planner/ask"
)

// Of what is wrong with the cloud the field that holds it is named.
func TestFinishCloudFields(t *testing.T) {
	bag, _ := NamedBag("small")
	machines, _ := NamedHosts("g5klyo")
	wrong := -1.0
	for field, q := range map[string]*FinishQuestion{
		"boot":        {Bag: bag, Hosts: machines, Boot: &wrong},
		"cloud_speed": {Bag: bag, Hosts: machines, CloudSpeed: &wrong},
	} {
		_, err := Done(context.Background(), q)
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != field {
			t.Errorf("%s = -1: %v", field, err)
		}
	}
}
