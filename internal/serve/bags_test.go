package serve

import (
	"net/http"
	"strings"
	"testing"
)

// Tasks and machines may be described as on the command line, in numbers and laws.
func TestBagsByLaws(t *testing.T) {
	s := newServer(t, Options{})
	const described = `"machines": 50, "up": "weibull:0.6,4h", "down": "1h", "departure": "2%", "groups": 2, "group_up": "3d",
		"group_down": "2h"`
	const sped = described + `, "speed": 1500, "speed_cv": 0.1`
	for name, body := range map[string]string{
		"finish": `{"tasks": 200, "task_time": "30min", ` + sped + `}`,
		"simulate-bot": `{"tasks": 200, "task_time_s": 1800, "wall_clock": "1h", "strategy": "9C-C-R",
			"replications": 2, ` + sped + `}`,
		"simulate-hosts": `{"horizon": "1d", "replications": 2, ` + described + `}`,
	} {
		if code, text := send(s, "POST", "/v1/"+name, body); code != http.StatusOK || !strings.Contains(text, `"machines":50`) {
			t.Errorf("%s: %d: %.300s", name, code, text)
		}
	}
}
