package mixes

import (
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
)

// A Model holds mixes of machines to the objectives by their own figures:
// each machine a server of its own speed (or as many as it has slots), an idle
// one chosen at random, and the figures averaged over the machines up.
type Model struct {
	Fleet    *sizing.Fleet
	queue    unlike.Queue
	Kinds    []unlike.Coming // up 1: always there; the last are servers of speed 1 that are missing
	loss     *unlike.LossMix // nil: the model is asked
	all      []queueing.Objective
	rising   []queueing.Objective
	Plain    bool             // more machines never harm any of the objectives
	alike    bool             // the figures are those of the fleet, by its places: see [SameSpeed]
	places   queueing.Model   // that fleet; it keeps figures, of which a search asks for the same often
	placed   map[float64]bool // of which it was asked for figures
	crossing *crossingLimit   // nil: link and epoch allow every mix
	Room     *sizing.Headroom // that mixes have to be able to lose; nil: nothing
	known    map[string]bool
	kept     map[string]bool      // what is left after a loss
	steps    staircase            // of what is enough for rising
	working  map[string][]float64 // busy places by type
	table    *unlike.MixTable     // made when it is first asked; see [Model.tabled]
	untabled bool                 // there is none
	enough   []float64            // by type: of it alone; 0: not known
	short    []float64            // by type: of it alone, just not enough
	proven   []float64            // by type: bounds mixes by a plane that is proven; nil: none is

	// Begin is a mix from which exchanges begin as well, such as that of a plan whose
	// figures are moved; nil: none.
	Begin []int64
	// Known is a mix that is thought to be admitted, taken where a search finds none; nil: none.
	Known []int64
	like  *Model // knows what is the same here; see [Model.Like]

	// Allowed is how many steps of work a search may make beyond those that it cannot do
	// without; 0: any number. See [Model.Ended].
	Allowed float64
	work    unlike.Work
	until   float64 // steps at which the search ends; 0: none
	ended   bool
	begun   float64         // steps at which the search for servers missing began
	gap     float64         // servers by which a search for those missing may be off that ended at its limit of work
	worstOf int             // losses among which the worst is, where they are not all; 0: it is of all
	brief   bool            // few steps are made for the losses of a mix, see [Model.MeetsLike]
	cut     map[string]bool // mixes whose losses took more steps than are given to them
	heldTo  int             // losses to which a mix was held that may miss objectives after others; 0: there is none
	stop    float64         // steps at which holding mixes ends, whatever it says; 0: none
	tried   float64         // steps by which it was found what holding a mix takes
}

// placeSteps are those of the figures of a fleet of servers that are alike.
const placeSteps = 250_000

// NewModel returns the model of mixes of the kinds, servers of the queue, which
// have to be able to lose what the room says; nil: nothing. same is the fleet of servers that all
// kinds are like, nil or that of another speed where they are not; see [SameSpeed].
func NewModel(f, same *sizing.Fleet, queue unlike.Queue, kinds []unlike.Coming, room *sizing.Headroom) *Model {
	x := &Model{Fleet: f, queue: queue, Kinds: slices.Clone(kinds), known: map[string]bool{}, Room: room}
	x.queue.Work = &x.work
	missing, fastest := 1.0, 0.0
	if speed := SameSpeed(f, queue, kinds); speed > 0 && same != nil && same.Model != nil {
		x.alike, x.places, missing = true, queueing.Remembering(same.Model), speed
	}
	for _, k := range kinds {
		fastest = math.Max(fastest, k.Speed)
	}
	x.Kinds = append(x.Kinds, unlike.Coming{})
	x.MissAs(missing)
	// Objectives that more machines never harm; a mean response is at least
	// the wait and the service of the fastest.
	for _, l := range f.Limits {
		o := l.Objective
		x.all = append(x.all, o)
		switch {
		case x.alike: // nor do more servers of one speed harm any
			x.rising = append(x.rising, o)
		case o.Metric == queueing.MeanResponse:
			least := o.Limit - f.Load.Service/fastest
			if f.Kind == sizing.Wait && least > 0 {
				x.rising = append(x.rising, queueing.Objective{Metric: queueing.MeanWait, Limit: least})
			}
		case o.Metric == queueing.ResponseShare:
			x.rising = append(x.rising, waitsFor(o, f.Load.Service/math.Max(fastest, 1))...)
		case o.Metric == queueing.Utilization && f.Kind != sizing.Wait:
		default:
			x.rising = append(x.rising, o)
		}
	}
	x.Plain = x.alike || len(x.rising) == len(f.Limits) && !slices.ContainsFunc(f.Limits, func(l sizing.Limit) bool {
		return l.Objective.Metric == queueing.MeanResponse || l.Objective.Metric == queueing.ResponseShare
	})
	return x
}

// MissAs has servers that are missing counted as those of another speed, each worth as many of speed
// 1: where servers of speed 1 are too slow for any number of them to be enough, and where all
// machines have that speed.
func (x *Model) MissAs(speed float64) {
	x.Kinds[len(x.Kinds)-1] = unlike.Coming{Up: 1, Speed: speed, PerJob: speed}
}

// waitsFor are limits on the wait that a limit on the response needs, and that more
// machines never harm, which a response may be by slow ones. No service is sooner
// than that of the fastest, of mean s, so that for every x
//
//	P(W > t − x)·e^(−x/s) ≤ P(T > t)
func waitsFor(o queueing.Objective, fastest float64) []queueing.Objective {
	var all []queueing.Objective
	for _, part := range []float64{0, 0.25, 0.5, 0.75} {
		limit := o.Limit * math.Exp(part*o.Wait/fastest)
		if limit < 1 {
			all = append(all, queueing.Objective{Metric: queueing.WaitTail, Limit: limit, Wait: (1 - part) * o.Wait})
		}
	}
	return all
}

// model returns the queue of a mix.
func (x *Model) model(counts []float64) unlike.Varying {
	m := unlike.Varying{Queue: x.queue}
	for i, k := range x.Kinds {
		switch {
		case counts[i] == 0:
		case k.Up == 1:
			m.Beside = append(m.Beside, unlike.Group{Servers: counts[i] / k.PerJob, Speed: k.Speed})
		default:
			m.Coming = append(m.Coming, k.Of(counts[i]))
		}
	}
	return m
}

// At returns the figures of a mix with further servers of speed 1.
func (x *Model) At(counts []int64, servers float64) (queueing.Figures, error) {
	return x.beside(x.floats(counts), servers)
}

// Value is that of an objective of a mix, which may need none of the other figures.
func (x *Model) Value(o queueing.Objective, counts []int64) (float64, error) {
	if o.Metric == queueing.Utilization && !x.alike {
		return x.model(x.floats(counts)).Utilization(0)
	}
	f, err := x.At(counts, 0)
	return o.Value(f), err
}

// Asked is the figure that an objective bounds as the objective is asked for: of waits and
// responses the share in time, not that which is late.
func Asked(o queueing.Objective, v float64) float64 {
	if o.Metric == queueing.LateShare || o.Metric == queueing.ResponseShare {
		return 1 - v
	}
	return v
}

// beside returns the figures of machines of each kind with further servers of speed 1.
func (x *Model) beside(counts []float64, servers float64) (queueing.Figures, error) {
	if !x.alike {
		return x.model(counts).At(servers)
	}
	places := servers / x.Kinds[len(x.Kinds)-1].PerJob
	for i, k := range x.Kinds {
		places += counts[i] / k.PerJob
	}
	if at := math.Ceil(places); !x.placed[at] { // figures of before are kept
		if x.work.Steps += placeSteps; x.placed == nil {
			x.placed = map[float64]bool{}
		}
		x.placed[at] = true
	}
	return x.places.At(places)
}

// least is the chance of loss or waits down to which mixes are distinguished.
func (x *Model) least() float64 {
	least := 1e-6
	for _, o := range x.all {
		if o.Metric != queueing.MeanWait && o.Metric != queueing.MeanResponse {
			least = math.Min(least, o.Limit/1000)
		}
	}
	return math.Max(least, 1e-60)
}

// tabled returns the table of the figures, nil where there is none.
func (x *Model) tabled() *unlike.MixTable {
	if x.table == nil && !x.untabled {
		table, err := unlike.NewMixTable(x.queue, x.Kinds, x.least())
		if x.table = table; err != nil { // no load, or one that is out of domain
			x.untabled = true
		}
	}
	return x.table
}

// slack is that of the tightest of the objectives, ≥ 0 where all are met.
func (x *Model) slack(counts []float64, objectives []queueing.Objective) float64 {
	if x.loss != nil && len(objectives) == 1 && objectives[0].Metric == queueing.Blocking {
		if log, err := x.loss.LogBlocking(counts); err == nil {
			return math.Log(objectives[0].Limit) + 1e-12 - log
		}
	}
	if t := x.tabled(); t != nil && !x.alike {
		if least, err := t.Slack(counts, objectives); err == nil {
			return least
		}
		return math.Inf(-1)
	}
	f, err := x.beside(counts, 0)
	if err != nil {
		return math.Inf(-1)
	}
	least := math.Inf(1)
	for _, o := range objectives {
		least = math.Min(least, o.Slack(f))
	}
	return least
}

// Admits reports whether a mix meets the objectives, and link and epoch allow
// it. Near the limit the model decides.
func (x *Model) Admits(counts []int64) bool {
	key := Key(counts)
	met, ok := x.known[key]
	if !ok {
		met = x.Meets(counts)
		x.known[key] = met
	}
	return met && (x.crossing == nil || x.crossing.Admits(counts))
}

// Meets reports whether a mix meets the objectives, also with what is left of it after every loss
// that it has to survive. If more machines never harm, it is enough to check what is left.
func (x *Model) Meets(counts []int64) bool {
	if x.Room == nil {
		return x.keeps(nil, counts)
	}
	// Only losses are worth it: a search among 60 types that asked it of mixes without any took four times as long.
	if x.ample(counts) {
		return true
	}
	if !x.Plain && !x.keeps(nil, counts) {
		return false
	}
	had := x.Room.ZonesLeft(counts)
	if x.meetsAfterAny(had) {
		return true
	}
	looked, begun, key := 0, x.work.Steps, Key(counts)
	if x.cut[key] {
		return false
	}
	for left := range x.losses(counts) {
		if x.beyond(begun, looked) {
			if x.heldTo = looked; x.cut == nil {
				x.cut = map[string]bool{}
			}
			x.cut[key] = true
			return false
		}
		if x.stopped() || !x.keepsLeft(had, left) {
			return false
		}
		looked++
	}
	return true
}

// MeetsLike is Meets of a mix in a draw of ranges whose most likely figures are those of another model. If that
// could not hold all its losses to the objectives, no draw can, and few steps tell as much.
func (x *Model) MeetsLike(likely *Model, counts []int64) bool {
	x.brief = likely.cut[Key(counts)]
	return x.Meets(counts)
}

// keepsLeft is keeps of what a loss leaves, which many mixes share.
func (x *Model) keepsLeft(had, counts []int64) bool {
	key := Key(counts)
	met, ok := x.kept[key]
	if !ok {
		if met = x.keeps(had, counts); x.kept == nil {
			x.kept = map[string]bool{}
		}
		x.kept[key] = met
	}
	return met
}

// keeps reports whether machines meet the objectives as they stand; had are those that there were
// before a loss, nil: none is.
func (x *Model) keeps(had, counts []int64) bool {
	if x.Fleet.Load.Rate == 0 { // nobody comes
		return true
	}
	n := x.floats(counts)
	if x.Plain && x.enoughOfOne(n) {
		return true
	}
	if places, enough := x.alikePlaces(n); enough > 0 && places < enough*(1-1e-7) {
		return false
	}
	if _, met, missed, _ := x.slackAfter(had, counts, 0); met || missed {
		return met
	}
	if s := x.slack(n, x.all); math.Abs(s) > 1e-7 {
		return s > 0
	}
	f, err := x.beside(n, 0)
	return err == nil && x.Fleet.MetBy(f)
}

// Relax says what holds of the mixes between two ends: where not even the most
// meets an objective that more machines never harm, none does.
func (x *Model) Relax(least, most []int64) cover.Relaxed {
	x.work.Steps += boxSteps + boxTypeSteps*float64(len(most))
	r := cover.Relaxed{OK: true, Counted: -1}
	if x.crossing != nil {
		// What mixes have to be worth is said otherwise here.
		if r = x.crossing.Relax(least, most); !r.OK {
			return r
		}
		r.Worth = 0
	}
	if slices.Equal(least, most) {
		r.OK = x.Admits(least)
		return r
	}
	worth, ok := x.usedWithin(least, most)
	if r.OK = ok && (len(x.rising) == 0 || x.crowded(most) || x.reachesWithin(least, most)); len(x.rising) == 0 {
		r.Worth = worth // of no plane: items are worth what they serve
	}
	return r
}

// equivalent returns the servers of speed 1 that do as well as a mix by each of
// the objectives; where that cannot be told, as many as serve at its rate.
func (x *Model) equivalent(counts []int64) float64 {
	rate := 0.0
	for i, n := range counts {
		k := x.Kinds[i]
		rate += float64(n) * k.Up * k.Speed / k.PerJob
	}
	f, err := x.At(counts, 0)
	if err != nil || len(x.rising) == 0 {
		return rate
	}
	servers := math.Inf(1)
	for _, o := range x.rising {
		o.Limit = o.Value(f)
		if !(o.Limit > 0) || math.IsInf(o.Limit, 1) {
			continue
		}
		r, err := queueing.LeastServers(x.Fleet.Model, o)
		if err == nil {
			servers = math.Min(servers, r.Real)
		}
	}
	if math.IsInf(servers, 1) {
		return rate
	}
	return servers
}

// floats are the counts with no server missing.
func (x *Model) floats(counts []int64) []float64 {
	out := make([]float64, len(x.Kinds))
	for i, n := range counts {
		out[i] = float64(n)
	}
	return out
}
