package queues

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/units"
)

// A station of a network has as many servers as its file says, however many.
func TestStationsOfMillionsOfServers(t *testing.T) {
	servers := units.Count(50_000_000)
	closed := &ClosedNetworkFile{
		Stations: []ClosedStation{{Name: "farm", Servers: &servers}},
		Classes:  []ClosedClass{{Name: "all", Customers: 1_000_000_000, Demands: []units.Duration{1}}},
	}
	a, err := ClosedNetwork(context.Background(), &ClosedQuestion{Network: closed, Method: "schweitzer"})
	if err != nil {
		t.Fatal(err)
	}
	// All servers are busy with twenty customers each: X = c/D.
	if x := *a.Throughput; math.Abs(x-5e7) > 5e4 {
		t.Errorf("throughput of 5e7 busy servers of 1 s is %g/s, want 5e7", x)
	}

	servers, rate := 5_000_000_000, units.Rate(2e9)
	open := &OpenNetworkFile{Stations: []OpenStation{{Name: "farm", Rate: &rate, ServiceTime: 1, Servers: &servers}}}
	b, err := OpenNetwork(context.Background(), &OpenQuestion{Network: open})
	if err != nil {
		t.Fatalf("5e9 servers under 2e9 erl: %v", err)
	}
	if u := *b.Stations[0].Utilization; math.Abs(u-0.4) > 1e-9 {
		t.Errorf("utilization of 5e9 servers under 2e9 erl is %g, want 0.4", u)
	}
}
