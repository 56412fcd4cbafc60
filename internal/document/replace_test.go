package document

import (
	"strings"
	"testing"
)

// What is replaced is the value alone: comments, quotation marks and order stay.
func TestReplaced(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{
			"# a load\nload:\n  rate: 60..72..90/min # requests\nmachines:\n  - {name: \"é\", price: 0.4/h}\n",
			"# a load\nload:\n  rate: 72/min # requests\nmachines:\n  - {name: \"é\", price: 0.5/h}\n",
		},
		{
			`{"load": {"rate": "60/min"}, "machines": [{"name": "é", "price": "0.4/h"}]}`,
			`{"load": {"rate": "72/min"}, "machines": [{"name": "é", "price": "0.5/h"}]}`,
		},
		{
			"load: {rate: '60/min'}\nmachines:\n- price: 0.4/h\n",
			"load: {rate: \"72/min\"}\nmachines:\n- price: 0.5/h\n",
		},
	} {
		d, err := Read(t.Context(), "scenario", "", strings.NewReader(c.content))
		if err != nil {
			t.Fatal(err)
		}
		rate, _ := d.Find("load.rate")
		price, _ := d.Find("machines[0].price")
		got, err := d.Replaced(map[*Node]string{price: "0.5/h", rate: "72/min"})
		if err != nil || string(got) != c.want {
			t.Errorf("%v\n%s\nwant\n%s", err, got, c.want)
		}
	}
	// A text that would be more than a value is put in quotation marks.
	d, err := Read(t.Context(), "scenario", "", strings.NewReader("a: 1\nb: 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := d.Find("a")
	got, err := d.Replaced(map[*Node]string{a: "1\nc: 3"})
	if want := "a: \"1\\nc: 3\"\nb: 2\n"; err != nil || string(got) != want {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
	// What is no plain value stays.
	d, err = Read(t.Context(), "scenario", "", strings.NewReader("a: [1]\nb: |\n  long\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b"} {
		n, _ := d.Find(key)
		if got, err := d.Replaced(map[*Node]string{n: "2"}); err == nil {
			t.Errorf("%s: %q", key, got)
		}
	}
}
