package pool

import "math/rand/v2"

// An account is what one user asked for and got.
type account struct {
	maxLoad             float64 // V₀, erlangs
	offered, good       window  // work that came, and that was done within e_max
	offeredAll, goodAll float64 // since the warm-up
	deviation           float64 // at this epoch
}

// A ledger has an account of each user for whom a job has come. Of ten million users few may ever come: the others
// have asked for nothing and got nothing, and take four bytes each.
type ledger struct {
	at       []int32 // of each user the place in accounts, from 1; 0: no job has come yet
	accounts []account
	least    float64   // V₀ of all users
	above    []float64 // and by how much that of each is above; empty: of none
}

// newLedger draws V₀ of each user, evenly between the bounds.
func newLedger(users int, bounds [2]float64, draws *rand.Rand) ledger {
	l := ledger{at: make([]int32, users), least: bounds[0]}
	if bounds[1] > bounds[0] {
		l.above = make([]float64, users)
		for i := range l.above {
			l.above[i] = (bounds[1] - bounds[0]) * draws.Float64()
		}
	}
	return l
}

// memory is what a ledger takes once that many of the users came.
func (a *Agreement) memory(users, came float64) float64 {
	const place, load, account = 4, 8, 120
	each := float64(place)
	if a.MaxLoad[1] > a.MaxLoad[0] {
		each += load
	}
	return each*users + account*min(users, came)
}

// maxLoad is V₀ of a user.
func (l *ledger) maxLoad(user int) float64 {
	if len(l.above) == 0 {
		return l.least
	}
	return l.least + l.above[user]
}

// of returns the account of a user for whom a job has come. It stands until the next one comes.
func (l *ledger) of(user int) *account {
	if l.at[user] == 0 {
		l.accounts = append(l.accounts, account{maxLoad: l.maxLoad(user)})
		l.at[user] = int32(len(l.accounts))
	}
	return &l.accounts[l.at[user]-1]
}

// all yields what each user asked for and got, in their order.
func (l *ledger) all(yield func(*account) bool) {
	var nothing account
	for _, at := range l.at {
		u := &nothing
		if at > 0 {
			u = &l.accounts[at-1]
		}
		if !yield(u) {
			return
		}
	}
}

// deviates works out how far the user is short of the agreement over the window τ,
//
//	d = max(0, ρ·min(B, V₀) − V) / (ρ·min(B, V₀)),
//
// 0 for one who asked for nothing.
func (u *account) deviates(a *Agreement, now float64) {
	asked := min(u.offered.since(now-a.Window)/a.Window, u.maxLoad) * a.Ratio
	got := u.good.since(now-a.Window) / a.Window
	u.deviation = 0
	if asked > 0 && got < asked {
		u.deviation = (asked - got) / asked
	}
}

// A window adds up amounts of the last time.
type window struct {
	entries []amount // those before first are over
	first   int
	sum     float64
}

type amount struct{ at, work float64 }

func (w *window) push(at, work float64) {
	if w.first > 64 && w.first > len(w.entries)/2 {
		w.entries = append(w.entries[:0], w.entries[w.first:]...)
		w.first = 0
	}
	w.entries = append(w.entries, amount{at, work})
	w.sum += work
}

// since returns what came after the time t, which never falls.
func (w *window) since(t float64) float64 {
	for w.first < len(w.entries) && w.entries[w.first].at <= t {
		w.sum -= w.entries[w.first].work
		w.first++
	}
	if w.first == len(w.entries) { // no rounding is carried on
		w.sum = 0
	}
	return w.sum
}
