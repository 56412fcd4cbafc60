package backtest

import (
	"encoding/json"
	"errors"

	"github.com/capplan/capplan/internal/partials"
	"github.com/capplan/capplan/internal/pieces"
)

// errCells says that a shard holds cells of another question.
var errCells = errors.New("these are not the scores of that many windows and models")

// A keptCell is a [cell] as a shard keeps it: predicted, free, test, train and apart.
type keptCell struct {
	Predicted partials.Number `json:"p"`
	Free      int32           `json:"f"`
	Test      int32           `json:"t"`
	Train     int32           `json:"d"`
	Apart     partials.Number `json:"e"`
}

// cellsForm writes the cells of one start and reads them back. The expected error
// follows from the others and is not kept.
var cellsForm = pieces.Form[[]cell]{
	Write: func(to []byte, _ int, cells []cell, _ pieces.Words) ([]byte, error) {
		kept := make([]keptCell, len(cells))
		for i, c := range cells {
			kept[i] = keptCell{partials.Number(c.predicted), c.free, c.test, c.train, partials.Number(c.apart)}
		}
		text, err := json.Marshal(kept)
		return append(to, text...), err
	},
	Read: func(_ int, text []byte, _ pieces.Said) ([]cell, error) {
		var kept []keptCell
		if err := json.Unmarshal(text, &kept); err != nil {
			return nil, err
		}
		cells := make([]cell, len(kept))
		for i, k := range kept {
			cells[i] = newCell(float64(k.Predicted), k.Free, k.Test, k.Train)
			cells[i].apart = float64(k.Apart)
		}
		return cells, nil
	},
}

// discrepanciesForm writes the discrepancies of one machine, by window, and reads
// them back.
var discrepanciesForm = pieces.Form[[][]float64]{
	Write: func(to []byte, _ int, by [][]float64, _ pieces.Words) ([]byte, error) {
		var kept [][]partials.Number
		for _, v := range by {
			kept = append(kept, partials.Numbers(v))
		}
		text, err := json.Marshal(kept)
		return append(to, text...), err
	},
	Read: func(_ int, text []byte, _ pieces.Said) (by [][]float64, err error) {
		var kept [][]partials.Number
		if err := json.Unmarshal(text, &kept); err != nil {
			return nil, err
		}
		for _, v := range kept {
			by = append(by, partials.Floats(v))
		}
		return by, nil
	},
}
