package queueing

import (
	"strings"
	"testing"
)

// An error names the model that was asked, not the one that computes for it.
func TestErrorsNameTheModel(t *testing.T) {
	for name, m := range map[string]Model{
		"MMC":  MMC{10, 1},
		"GGC":  GGC{10, 1, 2, 0.5},
		"GIGC": GIGC{GGC{10, 1, 2, 0.5}},
	} {
		for _, servers := range []float64{8, -1} {
			_, err := m.At(servers)
			if err == nil || !strings.HasPrefix(err.Error(), "queueing: "+name+": ") {
				t.Errorf("%s.At(%v): %v", name, servers, err)
			}
		}
	}
}
