package cmdline

import "testing"

func TestWithWarnings(t *testing.T) {
	for object, want := range map[string]string{
		"{\n  \"a\": 1\n}\n": "{\n  \"a\": 1,\n  \"warnings\": [\n    \"x < \\\"y\\\"\"\n  ]\n}\n",
		"{}\n":               "{\n  \"warnings\": [\n    \"x < \\\"y\\\"\"\n  ]\n}\n",
	} {
		got, err := withWarnings([]byte(object), []string{`x < "y"`})
		if err != nil || string(got) != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	if _, err := withWarnings([]byte("[1]\n"), []string{"x"}); err == nil {
		t.Error("a list took warnings")
	}
}
