package trace

import "testing"

func TestSniffTrace(t *testing.T) {
	for head, want := range map[string]TraceKind{
		"# event_id component_id node_id\n": FTAKind, "0\t0\t0\t5\tn\t1\t0\t5\tNULL\n": FTAKind, "#\n\n0\t0\t0\t5\tn\t1\t0\t5": FTAKind,
		"\n {\"data\": []}": SpotKind, "duration_s\n5\n": DurationsKind, "# a comment\n5+\n": DurationsKind, "": "", "a letter\n": "",
		"\xef\xbb\xbftime,cpu\n1,0\n": HostKind, "Host, Time, CPU\n": HostKind, "timestamp,value\n": CloudWatchKind, `"timestamp","value"` + "\n": CloudWatchKind,
		"time,price_usd_per_hour\n": PriceKind, "System,nodenumz,Prob Started,Prob Fixed,Down Time\n": LANLKind,
		wholeDay(7): PlanetLabKind, wholeDay(7)[2:]: DurationsKind, "censored,duration_h\n1,2\n": DurationsKind, "101\n" + wholeDay(7): DurationsKind, "1.5\n": DurationsKind,
	} {
		if got := SniffTrace([]byte(head)); got != want {
			t.Errorf("%.30q: %q, want %q", head, got, want)
		}
	}
}
