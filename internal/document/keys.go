package document

import (
	"fmt"

	"github.com/capplan/capplan/internal/source"
)

// keys finds keys given twice in a mapping: in few by looking, in many by a map. YAML and JSON
// allow a key twice, and the last would win in silence.
type keys struct {
	d    *Document
	n    *Node
	many map[string]int32 // line
}

// add notes a key and refuses the second of its name. Up to 16 keys a walk is faster than a map.
func (k *keys) add(key string, line, column int32) error {
	first := int32(0)
	if k.many == nil && len(k.n.Fields) < 16 {
		for i := range k.n.Fields {
			if k.n.Fields[i].Key == key {
				first = k.n.Fields[i].Line
			}
		}
	} else {
		if k.many == nil {
			k.many = map[string]int32{}
			for _, f := range k.n.Fields {
				k.many[f.Key] = f.Line
			}
		}
		first = k.many[key]
		k.many[key] = line
	}
	if first == 0 {
		return nil
	}
	return k.d.At(line, column,
		fmt.Sprintf("field %q is given twice (first on line %d)", source.Shown([]byte(key)), first), "it once")
}
