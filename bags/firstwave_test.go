package bags

import "testing"

// Workers begin all at once, so that where there is one for each task the bag is done as soon as
// they are done with it, however little of it is done by then: of 200 tasks by help at once the
// chance was told to be none at that time, and sure as much later as a task takes.
func TestOneWorkerForEachTask(t *testing.T) {
	for _, server := range []Server{XWHEP, Checkpoint} {
		f, err := Finish(setup(200, 2e6, exponential(120), server))
		if err != nil {
			t.Fatal(err)
		}
		const look, boot, task = 60, 120, 2e6 / 1000
		done := look + boot + task + 2*f.within(look+boot+task).law.Step
		alike, unlike := Cloud{Speed: 1000, Boot: boot, Look: look, SD: 0}, Cloud{Speed: 1000, Boot: boot, Look: look, SD: 100}
		if got := f.With(Help{0, 200}, alike).Chance(done); got < 0.99 {
			t.Errorf("%v: done by %v s with chance %v", server, done, got)
		}
		if got := f.With(Help{0, 200}, alike).Chance(done - 0.2*task); got > 0.01 {
			t.Errorf("%v: done by %v s with chance %v", server, done-0.2*task, got)
		}
		// Of workers whose speeds differ half are not done by then, and all a third later.
		if got := f.With(Help{0, 200}, unlike).Chance(done); got > 0.01 {
			t.Errorf("%v: done by %v s with chance %v by workers unlike", server, done, got)
		}
		if got := f.With(Help{0, 200}, unlike).Chance(done + 0.4*task); got < 0.95 {
			t.Errorf("%v: done by %v s with chance %v by workers unlike", server, done+0.4*task, got)
		}
	}
}
