package pool

// An account is what one user asked for and got.
type account struct {
	maxLoad             float64 // V₀, erlangs
	offered, good       window  // work that came, and that was done within e_max
	offeredAll, goodAll float64 // since the warm-up
}

// deviation is how far the user is short of the agreement over the window τ,
//
//	d = max(0, ρ·min(B, V₀) − V) / (ρ·min(B, V₀)),
//
// 0 for one who asked for nothing.
func (u *account) deviation(a *Agreement, now float64) float64 {
	asked := min(u.offered.since(now-a.Window)/a.Window, u.maxLoad) * a.Ratio
	got := u.good.since(now-a.Window) / a.Window
	if !(asked > 0) || got >= asked {
		return 0
	}
	return (asked - got) / asked
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
