package early

// A Saved says how much of a task is saved, in classes, if its machine leaves after a number of cells:
// the whole classes, and the share of such tasks that is in the next one.
type Saved struct {
	Whole []int
	Next  []float64
}

// Savings returns the Saved of tasks that machines do in a time, in cells of a step; saved are the seconds of work that
// are saved after some of work.
func (k *Kind) Savings(time, step float64, cells int, saved func(worked float64) float64) Saved {
	out := Saved{make([]int, cells), make([]float64, cells)}
	for i := range cells {
		more := saved((float64(i)+0.5)*step) / time * float64(k.Classes)
		out.Whole[i] = min(int(more), k.Classes-1)
		out.Next[i] = more - float64(out.Whole[i])
	}
	return out
}

// SavedIn returns the class of a task of a class after more work, in classes, was saved, and the
// share of such tasks that is in the class after that.
func (k *Kind) SavedIn(class int, more float64) (in int, next float64) {
	saved := float64(class) + more
	in = min(int(saved), k.Classes-1)
	if in+1 < k.Classes {
		next = saved - float64(in)
	}
	return in, next
}
