package machines

import (
	"strconv"
	"testing"
	"time"

	"github.com/capplan/capplan/smp/ranking"
)

// A fleet of which next to no machine is ever free at the start is put in order in one pass: a
// machine taken out of the list at a time took minutes of 200,000.
func TestManyWithoutPredictionAreOrderedAtOnce(t *testing.T) {
	const n = 100_000
	hosts := make([]RankedHost, n)
	for i := range hosts {
		hosts[i].Name = strconv.Itoa(i)
	}
	p := 0.5
	hosts[n-2].TemporalReliability, hosts[n-2].Days = &p, 1
	a, began := &RankAnswer{}, time.Now()
	if err := a.order(&RankQuestion{}, hosts, make([]ranking.Candidate, n)); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	if a.Hosts[0].Name != strconv.Itoa(n-2) || a.Hosts[1].Name != "0" || a.Hosts[n-1].Name != strconv.Itoa(n-1) ||
		len(a.Hosts) != n || a.Hosts[n-1].Rank != n {
		t.Errorf("first %+v, last %+v", a.Hosts[0], a.Hosts[n-1])
	}
}
