package workload

import (
	"bytes"
	"fmt"
)

// deepLine returns the line on which nesting goes beyond what can be meant, so
// that the parser need not recurse that far; 0 where none does. Brackets in
// text count too, which no real file notices.
func deepLine(content []byte) int32 {
	open := 0
	for i, line := range bytes.Split(content, []byte("\n")) {
		marks, leading := 0, true
		for _, c := range line {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			case '-', '?':
				if leading {
					marks++
				}
			}
			leading = leading && (c == ' ' || c == '-' || c == '?')
			if open > maxNesting || marks > maxNesting {
				return int32(i + 1)
			}
		}
	}
	return 0
}

// maxRun bounds the keys of one mapping and the items without content that
// follow one another: the parser recurses from key to key and takes time that
// grows with the square of both.
const maxRun = 2000

// longRun returns the line on which a mapping in block style, or a run of items
// without content, goes beyond maxRun, and what is wrong with it; 0 where none
// does. It looks at the start of lines only: the text of block scalars is
// passed over, that of others may count.
func longRun(content []byte) (int32, string) {
	type mapping struct{ column, keys int }
	var open []mapping // by column, rising
	empty := 0         // items without content, one after another
	text := -1         // column of what a block scalar belongs to
	line := int32(0)
	for row := range bytes.SplitSeq(content, []byte("\n")) {
		line++
		body := bytes.TrimLeft(row, " ")
		column := len(row) - len(body)
		if text >= 0 && column > text {
			continue
		}
		text = -1
		if body = bytes.TrimRight(body, " \t"); len(body) == 0 || body[0] == '#' {
			continue
		}
		if len(body) == 1 && body[0] == '-' {
			if empty++; empty > maxRun {
				return line, fmt.Sprintf("more than %d items without content", maxRun)
			}
		} else {
			empty = 0
		}
		// An item of a list begins a mapping of its own.
		for len(body) > 1 && body[0] == '-' && body[1] == ' ' {
			for len(open) > 0 && open[len(open)-1].column > column {
				open = open[:len(open)-1]
			}
			rest := bytes.TrimLeft(body[1:], " ")
			column += len(body) - len(rest)
			body = rest
		}
		for len(open) > 0 && open[len(open)-1].column > column {
			open = open[:len(open)-1]
		}
		if opensText(body) {
			text = column
		}
		if !bytes.Contains(body, []byte(": ")) && body[len(body)-1] != ':' {
			continue
		}
		if len(open) == 0 || open[len(open)-1].column < column {
			open = append(open, mapping{column, 0})
		}
		m := &open[len(open)-1]
		if m.keys++; m.keys > maxRun {
			return line, fmt.Sprintf("more than %d keys in one mapping", maxRun)
		}
	}
	return 0, ""
}

// opensText reports whether a block scalar begins at the end of a line: a | or
// > after a key or a dash, with at most two signs of its form.
func opensText(body []byte) bool {
	mark := bytes.LastIndexAny(body, "|>")
	if mark < 0 || len(body)-mark > 3 || len(bytes.Trim(body[mark+1:], "+-123456789")) > 0 {
		return false
	}
	before := bytes.TrimRight(body[:mark], " ")
	return len(before) == 0 || len(before) < mark && (before[len(before)-1] == ':' || before[len(before)-1] == '-')
}
