package page

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
)

// pageOf is a page that has a text at every place where one can stand.
func pageOf(text string) *Document {
	facts := []Fact{{text, text, text}}
	table := func() *Table {
		cells := slices.Repeat([]string{text}, 5)
		return &Table{Caption: text, Head: cells, Rows: [][]string{cells}, More: 1}
	}
	line := chart.Series{Name: text, X: []float64{1, 2}, Y: []float64{1, 2}}
	s := &Section{ID: text, Title: text, Lead: text, Notes: []string{text},
		Parts:    []Part{{Text: text}, {Facts: facts}, {Table: table()}},
		Drawn:    []Figure{{Caption: text, Chart: chart.Chart{Title: text, Series: []chart.Series{line}}}},
		Formulas: &ask.Explanation{Model: text, Assumptions: []string{text}}}
	s.Formulas.Step(text, text, text, text)
	return &Document{Title: text, Answer: text, Glance: facts, Points: []string{text}, Inputs: table(),
		Problems: []Problem{{text, text}}, Sections: []*Section{s}, Warnings: []string{text}, Program: text}
}

// tree is what a browser makes of a page: its elements and attributes, and beside
// them the texts outside drawings, which break theirs into lines.
func tree(t *testing.T, d *Document) (elements, texts []string) {
	t.Helper()
	var b strings.Builder
	if err := d.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.CommentNode {
			elements = append(elements, "comment")
		}
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			texts = append(texts, n.Data)
		}
		if n.Type == html.ElementNode {
			elements = append(elements, n.Data)
			for _, a := range n.Attr {
				elements = append(elements, n.Data+" "+a.Key)
				if a.Key != "class" && n.Data != "svg" {
					texts = append(texts, a.Val)
				}
			}
			if n.Data == "svg" {
				return
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return elements, texts
}

// Whatever a name holds, a page has the elements and attributes of one with a plain
// name, and shows the name as it is.
func TestNamesAreNoMarkup(t *testing.T) {
	elements, texts := tree(t, pageOf("Name"))
	for _, name := range []string{
		"<script>alert(1)</script>", "</title><script>alert(1)</script>", "</style><script>alert(1)</script>",
		`" onmouseover="alert(1)`, "' onmouseover='alert(1)", "x onload=alert(1)", "<!-- ", "--><b>", "]]><b>",
		"javascript:alert(1)", `"><img src=x onerror=alert(1)>`, "</p></section></main><form>", "<svg/onload=alert(1)>",
		"&lt;b&gt;&amp;", "&#60;b>", "+ADw-script+AD4-", "x; background: url(//evil)", "expression(alert(1))", "%22%3E", "a b#c?d",
		"`${alert(1)}`", "\u2028alert(1)",
	} {
		got, said := tree(t, pageOf(name))
		if !slices.Equal(got, elements) {
			t.Errorf("%q: the page has other elements than one with a plain name", name)
		}
		found := 0
		for i, text := range said {
			if text == texts[i] { // the page's own
				continue
			}
			found++
			plain := strings.ReplaceAll(texts[i], "Name", name)
			if strings.HasPrefix(texts[i], "#") { // an address, in which the name is written as RFC 3986 asks
				if strings.ContainsAny(text, "\"<>` ") {
					t.Errorf("%q: the address is %q", name, text)
				}
			} else if text != plain {
				t.Errorf("%q: the page says %q, want %q", name, text, plain)
			}
		}
		if found < 40 {
			t.Errorf("%q stands in %d places of the page, want all", name, found)
		}
	}
	if len(elements) < 100 {
		t.Errorf("%d elements, want the whole page", len(elements))
	}
}
