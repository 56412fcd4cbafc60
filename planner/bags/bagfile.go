package bags

import (
	"context"
	"fmt"
	"io"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/internal/table"
)

// BagForm describes the file of a bag.
const BagForm = `a header "work" or "arrival_s,work" and a row for each task, its work in operations`

// ReadBag reads a bag from CSV with the column work, in operations, and, unless all tasks arrive at
// once, arrival_s, in seconds after the submission. Errors are *source.FileError.
func ReadBag(ctx context.Context, name string, r io.Reader) (*bags.Bag, error) {
	// Only the column work is required.
	t, err := table.New(ctx, name, r, BagForm, []string{"arrival_s", "work"},
		func(c string) bool { return c == "work" })
	if err != nil {
		return nil, err
	}
	b := &bags.Bag{Name: name}
	kept := source.Keeper{What: "tasks", Want: "a bag of fewer"}
	for {
		ok, err := t.Next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		var task bags.Task
		for i, column := range t.Names {
			v, ok := source.ParseNumber(t.Cells[i])
			switch {
			case !ok:
				return nil, t.Bad(t.At[i], fmt.Sprintf("%s = %s: no number", column, spell.Quote(string(t.Cells[i]))),
					"a number such as 60000")
			case column == "work" && v == 0:
				return nil, t.Bad(t.At[i], "work = 0: no work", "operations above 0")
			case column == "work" && !(v > 0 && v <= source.MaxField):
				return nil, t.Bad(t.At[i], fmt.Sprintf("work = %s", t.Cells[i]),
					fmt.Sprintf("operations above 0 and at most %g", source.MaxField))
			case !(v >= 0 && v <= source.MaxField):
				return nil, t.Bad(t.At[i], fmt.Sprintf("arrival_s = %s", t.Cells[i]),
					fmt.Sprintf("0 to %g seconds after the submission", source.MaxField))
			case column == "work":
				task.Work = v
			default:
				task.Arrival = v
			}
		}
		b.Tasks = append(b.Tasks, task)
		if err := kept.Keep(name); err != nil {
			return nil, err
		}
	}
	if len(b.Tasks) == 0 {
		return nil, t.Fail("holds no task", source.ErrEmpty)
	}
	return b, nil
}
