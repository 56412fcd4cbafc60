package adversary

import (
	"context"
	"reflect"
	"sync"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/smp/baseline"
	"github.com/capplan/capplan/smp/ranking"
)

// A fake is what a caller may pass for an interface: it answers what is drawn,
// whatever it is asked.
type fake struct {
	mu *sync.Mutex
	d  *drawer
}

func fakeOf(d *drawer) fake { return fake{new(sync.Mutex), d.apart()} }

// The compiler says which fake lacks a method.
var (
	_ queueing.Model      = fakeModel{}
	_ law.Law             = fakeLaw{}
	_ sim.Model           = fakeSystem{}
	_ sim.Sized           = fakeSystem{}
	_ baseline.Forecaster = fakeForecaster{}
	_ ranking.Scheduler   = fakeScheduler{}
	_ lp.Solver           = fakeSolver{}
)

// answer draws a T.
func answer[T any](f fake) T {
	f.mu.Lock()
	defer f.mu.Unlock()
	v, _ := f.d.draw(reflect.TypeFor[T](), 4).Interface().(T)
	return v
}

type fakeModel struct{ fake }

func (f fakeModel) At(float64) (queueing.Figures, error) {
	return answer[queueing.Figures](f.fake), answer[error](f.fake)
}
func (f fakeModel) Floor() float64 { return answer[float64](f.fake) }

// fakeLaw is a law of lifetimes.
type fakeLaw struct{ fake }

func (f fakeLaw) Name() string                { return answer[string](f.fake) }
func (f fakeLaw) LogSurvival(float64) float64 { return answer[float64](f.fake) }
func (f fakeLaw) LogDensity(float64) float64  { return answer[float64](f.fake) }
func (f fakeLaw) Mean() float64               { return answer[float64](f.fake) }
func (f fakeLaw) SCV() float64                { return answer[float64](f.fake) }
func (f fakeLaw) Quantile(float64) (float64, error) {
	return answer[float64](f.fake), answer[error](f.fake)
}

// fakeSystem hands over anything for any figure, and ends when it likes.
type fakeSystem struct{ fake }

func (f fakeSystem) Figures() []sim.Figure { return answer[[]sim.Figure](f.fake) }
func (f fakeSystem) Replicate(r *sim.Replication) error {
	for range 20 {
		r.Observe(answer[int](f.fake), answer[float64](f.fake))
		r.Add(answer[int](f.fake), answer[float64](f.fake), answer[float64](f.fake))
		r.Watch(answer[float64](f.fake), answer[float64](f.fake))
		r.WatchLevel(answer[float64](f.fake), answer[float64](f.fake), answer[float64](f.fake))
		if answer[bool](f.fake) {
			r.Cut()
		}
	}
	return answer[error](f.fake)
}
func (f fakeSystem) Memory(float64) float64 { return answer[float64](f.fake) }

type fakeForecaster struct{ fake }

func (f fakeForecaster) Name() string { return answer[string](f.fake) }
func (f fakeForecaster) Forecast([]float64, int) ([]float64, error) {
	return answer[[]float64](f.fake), answer[error](f.fake)
}

type fakeScheduler struct{ fake }

func (f fakeScheduler) Name() string { return answer[string](f.fake) }
func (f fakeScheduler) Choose(context.Context, []ranking.Host, []int, int64, float64) (int, error) {
	return answer[int](f.fake), answer[error](f.fake)
}

// fakeSolver answers with vectors of any length, with NaN for an objective and
// with nothing at all. Half of its answers have the model's lengths.
type fakeSolver struct{ fake }

func (f fakeSolver) Name() string { return answer[string](f.fake) }
func (f fakeSolver) Solve(_ context.Context, m *lp.Model, _ lp.Settings) (*lp.Solution, error) {
	s := answer[*lp.Solution](f.fake)
	if s != nil && m != nil && answer[bool](f.fake) {
		f.mu.Lock()
		defer f.mu.Unlock()
		s.X = f.floats(len(m.Variables))
		s.Dual = f.floats(len(m.Rows))
		s.ReducedCost = f.floats(len(m.Variables))
	}
	return s, nil
}

func (f fake) floats(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = f.d.float(f.d.chance(f.d.temper))
	}
	return x
}

type fakeWriter struct{ fake }

func (f fakeWriter) Write(b []byte) (int, error) {
	if answer[bool](f.fake) {
		return len(b), nil
	}
	return 0, errFake
}

// fakeReader gives a text in pieces, and then an end or an error.
type fakeReader struct {
	fake
	text *string
}

func (f fakeReader) Read(b []byte) (int, error) {
	n := copy(b, (*f.text)[:min(len(*f.text), 1000)])
	*f.text = (*f.text)[n:]
	if n == 0 {
		return 0, one(f.d, readEnds)
	}
	return n, nil
}
