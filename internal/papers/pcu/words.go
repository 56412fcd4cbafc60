package pcu

import (
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/pool"
)

// What PCU says in words of its simulations, beside the claims of each figure: in
// sections 4.3 and 4.6 before them, and in sections 5.4 to 5.6 after.

// migrationWords are of figure 8. A migration is counted in each direction.
func (s *poolStudy) migrationWords() {
	share := 0.0
	for _, load := range []float64{500, 1000} { // 5 to 10 times 100 machines, as section 5.4 has it
		share = math.Max(share, s.mean("migrations in an epoch", dedicatedMachines(pcuDedicated), load)/pcuDedicated)
	}
	s.claim(share < 0.5, share, "of the dedicated machines",
		"section 4.3: much fewer migrations begin in an epoch than there are dedicated machines, "+
			"read as fewer than half; the most of 500 and 1000 erl, into the cluster and out of it")
	idle := s.mean("use of the uplink", dedicatedMachines(200)+", 1 MB", 100)
	s.claim(idle < 0.01, idle, "of the uplink",
		"section 4.6: a load that the dedicated machines hold sends next to nothing over the link; "+
			"100 erl on 200 machines")
}

// goodputWords are of figure 7: at high load neither figure is said to change much.
func (s *poolStudy) goodputWords() {
	for _, quantity := range []string{"goodput", "elongation"} {
		ratio := s.mean(quantity, dedicatedMachines(200), 1500) / s.mean(quantity, dedicatedMachines(100), 1000)
		s.claim(math.Abs(ratio-1) < 0.2, ratio, "times",
			"section 5.4: "+quantity+" changes little at higher load and with a larger cluster, "+
				"read as by less than a fifth; 200 machines under 1500 erl over 100 under 1000")
	}
}

// replicaWords are of figure 10: section 5.5 advises against more than two.
func (s *poolStudy) replicaWords() {
	// The least elongation of all degrees stands for where overheads begin to outweigh.
	best, least := 0.0, math.Inf(1)
	for k := 1.0; k <= pcuReplicas; k++ {
		if e := s.mean("elongation", "simulated", k); e < least {
			best, least = k, e
		}
	}
	s.claim(best <= 2, best, "replicas",
		"section 5.5: with more than two replicas the overheads outweigh the benefits; those of least elongation, "+
			"of one to eight")
}

// overloadWords are of figure 6: section 5.5 has the pool take far more than its
// dedicated machines can do.
func (s *poolStudy) overloadWords() {
	done := s.mean("share of what comes", "simulated", 10*pcuDedicated)
	s.claim(done > 0.5, done, "of the work",
		"section 5.5: the pool tolerates much more than its dedicated machines can do; "+
			"the share done in time of 10 times that")
}

// downTimeWords are of figure 15, of a pool of 100 machines. Each of the two sizes of what a
// migration moves is judged by itself.
func (s *poolStudy) downTimeWords() {
	for _, state := range das2States {
		failed := s.mean("down-time of a job", "failures, "+state.name, 100)
		moved := s.mean("down-time of a job", "migrations, "+state.name, 100)
		s.claim(moved > failed, moved/failed, "times",
			"section 5.6: jobs are down longer for migrations than for failures; "+state.name)
	}
}

// peakWords are of figure 15: public machines are said to do more at peak loads. Of a
// log alone: what of its load, every job begun as it comes on a dedicated machine, is
// more than 100 machines hold, in the busiest tenth of its hours and in all.
func (s *poolStudy) peakWords() {
	log := s.question.JobLog
	if log == nil {
		log = das2Log(sim.Stream(s.question.Seed, 0, 0x64617332), das2Days*86400)
	}
	loads := hourlyLoads(log)
	slices.Sort(loads)
	// Of each hour's load the part that 100 machines cannot hold, over all of it.
	above := func(loads []float64) float64 {
		over, all := 0.0, 0.0
		for _, a := range loads {
			over, all = over+math.Max(0, a-pcuDedicated), all+a
		}
		return over / all
	}
	busiest, mean := above(loads[len(loads)*9/10:]), above(loads)
	s.claim(busiest > mean, busiest, "of the load",
		fmt.Sprintf("section 5.6: public machines do more at peak loads; what 100 machines cannot hold at once, "+
			"in the busiest tenth of the hours, over all hours it is %s", ask.Percent(mean, 3)))
}

// hourlyLoads are the mean numbers of jobs in service in each hour of a log on as many
// machines as it needs. Work beyond the last arrival's hour is left out, since no jobs come then.
func hourlyLoads(log pool.Log) []float64 {
	end := 0.0
	for _, j := range log {
		end = math.Max(end, j.At)
	}
	loads := make([]float64, int(end/3600)+1)
	for _, j := range log {
		for at, left := j.At, j.Work; left > 0 && at < float64(len(loads))*3600; {
			hour := int(at / 3600)
			here := math.Min(left, float64(hour+1)*3600-at)
			loads[hour] += here / 3600
			left -= here
			at = float64(hour+1) * 3600
		}
	}
	return loads
}
