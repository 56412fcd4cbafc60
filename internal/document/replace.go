package document

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Replaced returns the content with other texts for some of its plain values; all
// else, comments among it, stays as it stands. What was in quotation marks still
// is, and so is a text that would otherwise be no plain value. Errors: *source.FileError at a value
// that is not plain or stands over several lines.
func (d *Document) Replaced(values map[*Node]string) ([]byte, error) {
	nodes := slices.SortedFunc(maps.Keys(values), func(a, b *Node) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var out bytes.Buffer
	from := 0
	for _, n := range nodes {
		at := d.offset(n.Line, n.Column)
		length, quoted := d.written(n, at)
		if n.Kind != ScalarNode || length == 0 || at < from {
			return nil, d.On(n, "a value that cannot be changed here", "it as a plain value in one line")
		}
		text := values[n]
		if quoted || !bare.MatchString(text) {
			marked, err := json.Marshal(text) // a text of JSON is one of YAML
			if err != nil {
				return nil, err
			}
			text = string(marked)
		}
		out.Write(d.Content[from:at])
		out.WriteString(text)
		from = at + length
	}
	out.Write(d.Content[from:])
	return out.Bytes(), nil
}

// bare is what means the same in YAML without quotation marks, wherever it stands.
var bare = regexp.MustCompile(`^[0-9][0-9A-Za-z.%/]*$`)

// offset is where a line and column stand in the content. Lines and columns count from 1.
func (d *Document) offset(line, column int32) int {
	at := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(d.Content[at:], '\n')
		if i < 0 {
			return len(d.Content)
		}
		at += i + 1
	}
	if !d.characters {
		return min(at+int(column)-1, len(d.Content))
	}
	for ; column > 1 && at < len(d.Content); column-- {
		_, n := utf8.DecodeRune(d.Content[at:])
		at += n
	}
	return at
}

// written is how long a value is as it is written, 0 where it is not written
// plainly or between quotation marks in one line.
func (d *Document) written(n *Node, at int) (length int, quoted bool) {
	line, _, _ := bytes.Cut(d.Content[min(at, len(d.Content)):], []byte("\n"))
	text := string(line)
	if n.Text != "" && strings.HasPrefix(text, n.Text) {
		return len(n.Text), false
	}
	for _, mark := range []string{`"`, `'`} {
		if strings.HasPrefix(text, mark+n.Text+mark) {
			return len(n.Text) + 2, true
		}
	}
	return 0, false
}
