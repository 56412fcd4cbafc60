package page

import (
	"net/url"
	"strings"
)

// A sheet is a page being written. What it is handed is told apart by type: markup
// goes in as it is, text escaped. A string is no markup, and a literal in the source
// is, so that to write a name from a scenario unescaped takes a conversion that
// stands out. html/template would find the contexts by itself, at the price of
// 5 MB: its calls of methods by name make the linker keep every method of every type.
type sheet struct{ strings.Builder }

// markup is HTML that this package has made.
type markup string

// put writes markup as it is.
func (p *sheet) put(m markup) { p.WriteString(string(m)) }

// text writes a text between tags, or between the double quotes of an attribute
// that is no address, no style and no script: this package has none of the latter two.
func (p *sheet) text(s string) { _, _ = escaper.WriteString(p, s) }

// within writes a text between two pieces of markup.
func (p *sheet) within(before markup, text string, after markup) {
	p.put(before)
	p.text(text)
	p.put(after)
}

// anchor writes a link to the element of an ID on the same page.
func (p *sheet) anchor(id, text string) {
	p.within(`<a href="`, "#"+(&url.URL{Fragment: id}).EscapedFragment(), `">`)
	p.within("", text, "</a>")
}

// escaper writes what could end a text or an attribute as references. With the plus
// a page could be taken for UTF-7 by an old browser, and NUL is not allowed in HTML.
var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;",
	"+", "&#43;", "\x00", "\uFFFD")

// bounds keeps a limit on one line with its sign.
var bounds = strings.NewReplacer("≤ ", "≤\u00a0", "≥ ", "≥\u00a0", "< ", "<\u00a0", "> ", ">\u00a0")

// held writes a text whose limits stay on one line with their signs.
func (p *sheet) held(before markup, text string, after markup) {
	p.within(before, bounds.Replace(text), after)
}
