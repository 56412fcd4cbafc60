package bags

import "github.com/capplan/capplan/bags/internal/noneleft"

// fewWorkers is the number of workers up to which the law takes into account that they cannot make
// up for a course with more tasks left than others. A greater number of workers does these tasks
// soon after, and begins its first tasks all at once, which this correction would hide.
const fewWorkers = 8

// nobodies returns the chance that no task is left without workers, for the first cells of a
// course. They do not depend on the number of workers, so they are computed once.
func (w *helping) nobodies(c *helpedCourse, cells int) []float64 {
	if c.nobody == nil {
		c.nobody = w.room.Cut(len(c.undone))
	}
	for i := len(c.nobody); i < cells; i++ {
		c.nobody = append(c.nobody, noneleft.OfFew(c.alone[i]))
	}
	return c.nobody[:cells]
}
