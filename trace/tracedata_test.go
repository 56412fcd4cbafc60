package trace

import (
	"bytes"
	"context"
	"flag"
	"os"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/capplan/capplan/internal/source"
)

//go:generate go test -run ^TestTraceTestdata$ -update .

var update = flag.Bool("update", false, "rewrite the generated files in ../testdata")

// smallFleet is 50 made-up nodes over 30 days.
func smallFleet() []Interval { return fleetIntervals(50, 30, 11) }

// The generated traces are byte for byte what the generator makes.
func TestTraceTestdata(t *testing.T) {
	var fta bytes.Buffer
	z, err := xz.WriterConfig{DictCap: 1 << 20, CheckSum: xz.CRC64}.NewWriter(&fta)
	if err != nil {
		t.Fatal(err)
	}
	z.Write([]byte(fleetFTA(smallFleet())))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"fta-small.tab.xz": fta.Bytes(), "host-small.csv": []byte(hostCSV(1))} {
		path := "../testdata/" + name
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from the generator's output (%v); go generate ./trace rewrites it", name, err)
		}
	}
}

func TestTraceTestdataReads(t *testing.T) {
	ctx := context.Background()
	src, err := source.Open(context.Background(), "../testdata/fta-small.tab.xz", source.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var up, all float64
	log, err := ReadFTA(ctx, src.Name, src, FTAOptions{Strict: true}, func(i Interval) error {
		all += i.End - i.Start
		if i.Up {
			up += i.End - i.Start
		}
		return nil
	})
	if err != nil || log.Nodes != 50 || log.Rows != len(smallFleet()) || all != 50*30*86400 || !(up > 0.9*all && up < 0.97*all) {
		t.Errorf("%+v, %v s up of %v; %v", log, up, all, err)
	}
	host, err := source.Open(context.Background(), "../testdata/host-small.csv", source.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	var busy [2]float64
	samples, err := ReadHostTrace(ctx, host.Name, host, HostTraceOptions{Strict: true}, func(s Sample) error {
		weekend := int(s.Time/86400+3)%7 >= 5 // day 0 was a Thursday
		if s.CPU > 0.6 && weekend {
			busy[1]++
		} else if s.CPU > 0.6 {
			busy[0]++
		}
		return nil
	})
	if err != nil || samples.Rows != 4019 || samples.MinStep != 300 || samples.MaxStep != 9*300 || samples.Nodes != 1 {
		t.Errorf("%+v, %v", samples, err)
	}
	if busy[0] < 100 || busy[1] > 20 {
		t.Errorf("%v busy samples on weekdays and weekends", busy)
	}
}
