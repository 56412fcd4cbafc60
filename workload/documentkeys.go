package workload

import "fmt"

// keys finds keys given twice in a mapping: in few by looking, in many by a map.
type keys struct {
	d    *document
	n    *node
	many map[string]int32 // line
}

func (k *keys) add(key string, line, column int32) error {
	first := int32(0)
	if k.many == nil && len(k.n.fields) < 16 {
		for i := range k.n.fields {
			if k.n.fields[i].key == key {
				first = k.n.fields[i].line
			}
		}
	} else {
		if k.many == nil {
			k.many = map[string]int32{}
			for _, f := range k.n.fields {
				k.many[f.key] = f.line
			}
		}
		first = k.many[key]
		k.many[key] = line
	}
	if first == 0 {
		return nil
	}
	return k.d.at(line, column, fmt.Sprintf("field %q is given twice (first on line %d)", shown([]byte(key)), first), "it once")
}
