package bags

import (
	"context"
	"math"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/sim/bot"
)

// Help that is in time is followed by a race for cheaper help by runs, because the law that found
// it is not to be trusted. The race takes at most about as long as raceTrials pieces of help on all of its
// runs; raceEffort then determines the number of runs. The judged questions of
// BenchmarkFinish take up to 3.3 seconds of a processor with it.
// If not even fewestTrials pieces of help fit in, no cheaper help is looked for, and the answer warns.
const (
	raceEffort   = 4e7
	raceTrials   = 80
	fewestTrials = 8
)

// cheaper looks for help that is in time for fewer hours than the best.
func (j *judge) cheaper(ctx context.Context, law *bags.FinishLaw) error {
	least := j.least
	if least == 0 {
		least = min(wavesRuns, bot.LeastHeld(j.Chance))
	}
	runs, each := least, j.told.Effort()/float64(j.told.Runs)
	if j.tooLong = fewestTrials*float64(runs)*each > raceEffort; j.tooLong {
		return nil
	}
	if !j.few {
		runs = min(judging(j.Chance).Most, max(least, int(raceEffort/(raceTrials*each))))
		if runs < bot.LeastHeld(j.Chance) {
			runs = least
		}
		for may := bot.MayBeLate(runs, j.Chance); runs > least && bot.MayBeLate(runs-1, j.Chance) == may; {
			runs-- // more runs with as many allowed to be late would demand surer help
		}
	}
	race := &bot.Race{
		Case: j.c, Target: bags.Target{By: j.by, Chance: j.Chance}, From: j.best.Help, MostWorkers: j.Most,
		Runs: runs, MayBeLate: bot.MayBeLate(runs, j.Chance), Seed: judgedSeed, Effort: raceEffort,
	}
	if j.progress != nil {
		race.Progress = func(simulated int) { j.progress(min(simulated, raceTrials*runs), raceTrials*runs) }
	}
	if j.few {
		race.MayBeLate = int(math.Floor((1-j.Chance)*float64(runs) + 1e-9))
	}
	raced, err := race.Run(ctx)
	if err != nil {
		return FromModel(err)
	}
	if j.raced = raced; raced.Again == nil {
		return nil
	}
	from, err := raced.On(j.best.Help, runs)
	switch {
	case err != nil:
		return FromModel(err)
	case from.Late <= race.MayBeLate && from.Hours < raced.Best.Hours:
		return nil // help that is in time once more is dearer
	}
	j.told = raced.Again
	if raced.Again.Help != j.best.Help {
		j.best = law.With(raced.Again.Help, j.Cloud)
	}
	return nil
}

// warnOfLong says that cheaper help was not looked for.
func (a *FinishAnswer) warnOfLong() {
	a.doubt(DoubtCost, "a run of such a bag takes so long that no cheaper help was looked for by runs; a search by "+
		"simulation looks for it")
}

// howMany returns the number of designs tried.
func (j *judge) howMany() int {
	if j.raced == nil {
		return len(j.tried)
	}
	return len(j.tried) + j.raced.Tried
}

// warnOfSought says why help was looked for by runs, and that there may be cheaper help.
func (a *FinishAnswer) warnOfSought(law bool, tried int) {
	why := "the cheapest help that the law of the bag finds is late too often"
	if !law {
		why = "the law of the bag finds no help that is in time"
	}
	a.doubt(DoubtCost, "%s, so %s tried on a few runs each and the cheapest that was in time is "+
		"given; few runs pass over help that is only just in time, and a search by simulation looks for cheaper help",
		why, fault.Count(tried, "design was", "designs were"))
}
