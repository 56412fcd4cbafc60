package say

import "testing"

// The end of an interval has the unit of its figure, which stands before the end in its name.
func TestEndsOfIntervalsHaveUnits(t *testing.T) {
	for name, want := range map[string][3]string{
		"mean_wait_s": {"mean wait", "s", "90 s"}, "mean_wait_s_low": {"mean wait low", "s", "90 s"},
		"throughput_per_s_high": {"throughput high", "/s", "90/s"}, "mean_jobs_low": {"mean jobs low", "", ""},
		"offered_load_low_erl": {"offered load low", "erl", "90 erl"},
	} {
		words, unit := FigureName(name)
		text, ok := Figure(name, 90, 3)
		if words != want[0] || unit != want[1] || ok != (unit != "") || ok && text != want[2] {
			t.Errorf("%s is %q in %q, %q, want %q", name, words, unit, text, want)
		}
	}
}
