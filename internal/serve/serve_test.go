package serve

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaOf reads the schema of an answer as the command prints it.
func schemaOf(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join("..", "..", "cmd", "capplan", "schema", name+".json"))
}

func newServer(t testing.TB, o Options) *Server {
	t.Helper()
	o.Schema, o.Scenario = schemaOf, []byte("load: {erlangs: 120}\nobjectives: {max_blocking: 1%}\n")
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// listen lets a server answer on a port of this machine; stop ends it, as a signal would, and waits.
func listen(t *testing.T, s *Server) (address string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	return l.Addr().String(), func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// send hands a request to the handler and returns status and body.
func send(s *Server, method, path, body string, headers ...string) (int, string) {
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// Every question has an answer to its example, by the schemas that are published,
// and a section.
func TestExamples(t *testing.T) {
	s := newServer(t, Options{})
	for _, q := range registry() {
		t.Run(q.name, func(t *testing.T) {
			asked, err := questionSchemas.ReadFile("schema/" + q.name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			if err := conforms(asked, q.example); err != nil {
				t.Errorf("the example does not fit its schema: %v", err)
			}
			code, text := send(s, "POST", "/v1/"+q.name, q.example)
			if code != http.StatusOK {
				t.Fatalf("status %d: %s", code, text)
			}
			answered, err := schemaOf(q.answer)
			if err != nil {
				t.Fatal(err)
			}
			if err := conforms(answered, text); err != nil {
				t.Errorf("the answer does not fit its schema: %v", err)
			}
			code, text = send(s, "POST", "/v1/"+q.name, q.example, "Accept", "text/html")
			if code != http.StatusOK || !strings.Contains(text, "<section") {
				t.Errorf("as HTML: status %d: %.200s", code, text)
			}
		})
	}
}

func conforms(schema []byte, text string) error {
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(string(schema)))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", parsed); err != nil {
		return err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}

func TestOpenAPI(t *testing.T) {
	s := newServer(t, Options{Version: "v1"})
	code, text := send(s, "GET", "/openapi.json", "")
	if code != http.StatusOK {
		t.Fatal(code)
	}
	d, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Validate(context.Background(), openapi3.IsOpenAPI31OrLater()); err != nil {
		t.Error(err)
	}
	for _, q := range registry() {
		if d.Paths.Find("/v1/"+q.name) == nil {
			t.Errorf("no path for %s", q.name)
		}
	}
}

// A name with its unit takes a number of it; all names take what people write.
func TestSpellings(t *testing.T) {
	s := newServer(t, Options{})
	var want string
	for i, body := range []string{
		`{"arrival_rate_per_s": 2, "service_time_s": 30, "max_wait_s": 20, "percentile": 0.8}`,
		`{"arrival_rate_per_s": "2/s", "service_time_s": "30", "max_wait_s": "20s", "percentile": "80%"}`,
		`{"rate": "120/min", "service-time": "30s", "max-wait": "20s", "percentile": "p80"}`,
		`{"arrival_rate": "2/s", "service_time": "0.5min", "max_wait": "20s", "percentile": "80%"}`,
		`{"arrival_rate_per_s": 2.0, "service_time_s": 3e1, "max_wait_s": 2E1, "percentile": 0.8, "load": null}`,
	} {
		code, text := send(s, "POST", "/v1/size", body)
		if code != http.StatusOK {
			t.Errorf("%s: %d: %s", body, code, text)
		}
		if i == 0 {
			want = text
		} else if text != want {
			t.Errorf("%s: another answer:\n%s\n%s", body, text, want)
		}
	}
	// A number by a name without a unit could be of any.
	for _, body := range []string{
		`{"load": 120, "max_wait": 20}`, `{"rate": 2, "service_time": "30s", "max_wait": "20s"}`,
	} {
		if code, text := send(s, "POST", "/v1/size", body); code != http.StatusBadRequest {
			t.Errorf("%s: %d: %s", body, code, text)
		}
	}
	// A range of plain numbers has the unit of its name too.
	_, ranged := send(s, "POST", "/v1/size", `{"arrival_rate_per_s": "2..3", "service_time_s": 30, "max_wait_s": 20}`)
	_, same := send(s, "POST", "/v1/size", `{"rate": "2..3/s", "service_time": "30s", "max_wait": "20s"}`)
	if ranged != same || !strings.Contains(ranged, `"uncertainty"`) {
		t.Errorf("ranges:\n%s\n%s", ranged, same)
	}
	// Fields of Go's own numbers keep to the same rules.
	_, plain := send(s, "POST", "/v1/checkpoint", `{"mtbf_s": 18000, "cost_s": 120, "restart_s": 300, "work_s": 86400}`)
	_, written := send(s, "POST", "/v1/checkpoint", `{"mtbf": "5h", "cost": "2min", "restart": "5min", "work": "1d"}`)
	if plain != written || !strings.Contains(plain, `"interval_s":2`) {
		t.Errorf("checkpoint:\n%s\n%s", plain, written)
	}
}

// A price keeps the currency in which it was written.
func TestCurrency(t *testing.T) {
	s := newServer(t, Options{})
	for name, body := range map[string]string{
		"finish": `{"bag": "small", "hosts": "g5klyo", "by": "12h", "cloud_price": "$7.2/day"}`,
		"route": `{"rate": "3/s", "objective": "cost", "delay_cost": "$3/h",
			"clusters": [{"name": "a", "price": "$0.1", "external": {"service_time": "0.2s"}}]}`,
	} {
		code, text := send(s, "POST", "/v1/"+name, body)
		if code != http.StatusOK || !strings.Contains(text, `"money":{"currency":"$"`) {
			t.Errorf("%s: %d: %.300s", name, code, text)
		}
	}
	_, written := send(s, "POST", "/v1/finish",
		`{"bag": "small", "hosts": "g5klyo", "by": "12h", "cloud_price": "0.3/h"}`)
	_, plain := send(s, "POST", "/v1/finish",
		`{"bag": "small", "hosts": "g5klyo", "by_s": 43200, "cloud_price_per_h": 0.3}`)
	if written != plain {
		t.Errorf("%.300s\n%.300s", written, plain)
	}
}

// What is wrong with a question is said with its place, by the right status.
func TestProblems(t *testing.T) {
	s := newServer(t, Options{Token: ""})
	for _, c := range []struct {
		path, body string
		status     int
		want       problem
	}{
		{"size", `{"load": 120, "max_bloking": "1%"}`, 400, problem{Kind: "input", Field: "max_bloking", Reason: "did you mean max_blocking?", Line: 1, Column: 15}},
		{"size", "{\"load\": 120,\n \"max_blocking\": \"1s\"}", 400, problem{Kind: "input", Field: "max_blocking", Reason: "max_blocking = 1s", Line: 2, Column: 18}},
		{"size", `{"load": 120, "load": 121}`, 400, problem{Kind: "input", Reason: "twice", Line: 1, Column: 15}},
		{"size", `{"load": 120, "offered_load_erl": 121}`, 400, problem{Kind: "input", Field: "offered_load_erl", Reason: "the same", Line: 1, Column: 15}},
		{"size", `{"max_blocking": "1%"}`, 400, problem{Kind: "input", Field: "load", Reason: "no load given"}},
		{"size", `{"load": 120, "service_time_s": 0, "max_blocking": "1%"}`, 400, problem{Kind: "input", Field: "service_time", Reason: "not a time to serve", Line: 1, Column: 15}},
		{"size", `{"load": [1], "max_blocking": "1%"}`, 400, problem{Kind: "input", Reason: "a list", Line: 1, Column: 10}},
		{"size", `[]`, 400, problem{Kind: "input", Reason: "not a JSON object"}},
		{"size", ``, 400, problem{Kind: "input", Reason: "no content"}},
		{"size", `{"load": 120`, 400, problem{Kind: "input", Reason: "it ends before", Line: 1, Column: 12}},
		{"size", `load: 120`, 400, problem{Kind: "input", Reason: "not a JSON object"}},
		{"size", `{"log": {"jobs": 1}}`, 400, problem{Kind: "input", Field: "log", Reason: "unknown field", Line: 1, Column: 2}},
		{"size", `{"rate": "2/s", "service_time": "1min", "max_mean_response": "1s"}`, 422, problem{Kind: "infeasible", Constraint: "max_mean_response"}},
		{"queue", `{"queue": "erlang-c", "servers": 10, "load": 12}`, 422, problem{Kind: "infeasible"}},
		{"queue", `{"servers": 10, "load": 12}`, 400, problem{Kind: "input", Reason: `has no field "queue"`, Line: 1, Column: 1}},
		{"plan", `{"load": {"curve": "/etc/passwd"}, "service": {"time": "1s"}, "objectives": {"max_blocking": "1%"}}`, 400, problem{Kind: "input"}},
		{"plan", `{"load": {"rate": "1/s"}, "servce": {}}`, 400, problem{Kind: "input", Reason: "did you mean service?", Line: 1, Column: 27}},
		{"finish", `{"bag": "../../etc/passwd", "hosts": "nd"}`, 400, problem{Kind: "input", Field: "bag", Line: 1, Column: 2}},
		{"finish", `{"bag": "small", "hosts": "nd", "tasks": 4}`, 400, problem{Kind: "input", Field: "bag", Reason: "tasks and task_time replace it"}},
		{"finish", `{"tasks": 4, "machines": 2}`, 400, problem{Kind: "input", Field: "task_time", Reason: "not given"}},
		{"simulate-bot", `{"bag": "small", "machines": 9, "up": "weibul:1,5h", "down": "1h"}`, 400, problem{Kind: "input", Field: "up", Reason: "did you mean weibull?", Line: 1, Column: 33}},
		{"simulate-hosts", `{"machines": 9, "groups": 3}`, 400, problem{Kind: "input", Field: "group_up", Reason: "not given"}},
		{"route", `{"rate": "1/s", "clusters": [{"name": "a", "external": {"service_time": "1s"}}, {"name": "a", "external": {"service_time": "1s"}}]}`, 400, problem{Kind: "input", Reason: "twice", Line: 1}},
		{"route", `{"rate": "1/s", "clusters": [{"external": {"service_time": "1s"}}]}`, 400, problem{Kind: "input", Reason: "name", Line: 1}},
		{"allocate", `{"batch": {"dependencies": ["cpu"], "resources": [], "jobs": []}}`, 400, problem{Kind: "input", Line: 1}},
		{"allocate", `{}`, 400, problem{Kind: "input", Field: "batch"}},
		{"sise", `{}`, 404, problem{Kind: "input", Reason: "no such question"}},
		{"size", `{"load": 1` + strings.Repeat(" ", maxBody) + `}`, 413, problem{Kind: "input"}},
	} {
		code, text := send(s, "POST", "/v1/"+c.path, c.body)
		var got struct{ Error problem }
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%.80s: %v: %s", c.body, err, text)
			continue
		}
		p := got.Error
		if code != c.status || p.Kind != c.want.Kind || p.Field != c.want.Field && c.want.Field != "" || !strings.Contains(p.Reason, c.want.Reason) ||
			c.want.Line != 0 && p.Line != c.want.Line || c.want.Column != 0 && p.Column != c.want.Column || p.Constraint != c.want.Constraint && c.want.Constraint != "" {
			t.Errorf("%s %.80s: status %d, want %d: %s", c.path, c.body, code, c.status, text)
		}
	}
	if code, _ := send(s, "GET", "/v1/size", ""); code != http.StatusMethodNotAllowed {
		t.Errorf("GET of a question: %d", code)
	}
	// A question of a type that a form of another site can send.
	if code, _ := send(s, "POST", "/v1/size", `{"load": 1}`, "Content-Type", "text/plain"); code != http.StatusUnsupportedMediaType {
		t.Errorf("text/plain: %d", code)
	}
	// An infeasible question says by how much.
	_, text := send(s, "POST", "/v1/size", `{"rate": "2/s", "service_time": "1min", "max_mean_response": "1s"}`)
	if !strings.Contains(text, `"shortfall":59`) {
		t.Errorf("no shortfall: %s", text)
	}
}

// Names that are not the server's, pages of other sites and a missing token are
// refused.
func TestGuards(t *testing.T) {
	s := newServer(t, Options{Names: []string{"Planner.example"}})
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST.": 200, "127.0.0.1:1": 200, "[::1]:80": 200, "192.168.1.5": 200, "planner.example:1": 200,
		"evil.example": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421, "evil.example:8080": 421, "": 421, "localhost:": 200, "[::1": 200,
	} {
		r := httptest.NewRequest("GET", "/healthz", nil)
		r.Host = host
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("Host %q: %d, want %d", host, w.Code, want)
		}
	}
	body := `{"load": 120, "max_blocking": "1%"}`
	for _, c := range []struct {
		headers []string
		want    int
	}{
		{nil, 200},
		{[]string{"Origin", "http://localhost"}, 200},
		{[]string{"Sec-Fetch-Site", "same-origin"}, 200},
		{[]string{"Sec-Fetch-Site", "none"}, 200},
		{[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{[]string{"Sec-Fetch-Site", "same-site"}, 403},
		{[]string{"Origin", "http://evil.example"}, 403},
		{[]string{"Origin", "http://localhost:81"}, 403},
		{[]string{"Origin", "null"}, 403},
	} {
		if code, text := send(s, "POST", "/v1/size", body, c.headers...); code != c.want {
			t.Errorf("%v: %d: %s", c.headers, code, text)
		}
	}
	s = newServer(t, Options{Token: "0123456789abcdef"})
	for _, c := range []struct {
		path, given string
		want        int
	}{
		{"/v1/size", "", 401},
		{"/v1/size", "Bearer 0123456789abcdeX", 401},
		{"/v1/size", "Basic 0123456789abcdef", 401},
		{"/v1/size", "Bearer", 401},
		{"/v1/size", "Bearer 0123456789abcdef", 200},
		{"/metrics", "", 401},
		{"/page/scenario.yaml", "", 401},
		{"/v1/size/../../", "", 401},
		{"/healthz", "", 200},
		{"/", "", 200},
	} {
		method := "GET"
		if c.path == "/v1/size" {
			method = "POST"
		}
		if code, text := send(s, method, c.path, body, "Authorization", c.given); code != c.want {
			t.Errorf("%s with %q: %d: %s", c.path, c.given, code, text)
		}
	}
}

// Responses carry what keeps a browser from doing more with them.
func TestHeaders(t *testing.T) {
	s := newServer(t, Options{})
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/", nil))
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, part := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} {
		if !strings.Contains(w.Header().Get("Content-Security-Policy"), part) {
			t.Errorf("no %s in the policy", part)
		}
	}
	total := 0
	for _, path := range []string{"/", "/page.js", "/page.css", "/page/scenario.yaml"} {
		code, text := send(s, "GET", path, "")
		if code != http.StatusOK || strings.Contains(text, "https://") || strings.Contains(text, "<script>") {
			t.Errorf("%s: status %d, or it names another server", path, code)
		}
		total += len(text)
	}
	if total > 150_000 {
		t.Errorf("the page weighs %d bytes", total)
	}
}

// More questions than places wait for a moment, and the rest are turned away.
func TestBusy(t *testing.T) {
	s := newServer(t, Options{Workers: 1})
	s.places.most, s.places.patience = 1, time.Millisecond
	_, release, err := s.places.take(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "http://localhost/v1/size", strings.NewReader(`{"load": 120, "max_blocking": "1%"}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("status %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	release()
	if code, _ := send(s, "POST", "/v1/size", `{"load": 120, "max_blocking": "1%"}`); code != http.StatusOK {
		t.Errorf("status %d with a place", code)
	}
}

// long is a question that takes minutes.
const long = `{"servers": 1000, "load": 990, "simulate": {"replications": 2000, "horizon_s": 1e5}}`

func TestTimeLimit(t *testing.T) {
	s := newServer(t, Options{Limit: 20 * time.Millisecond})
	if code, text := send(s, "POST", "/v1/simulate-station", long); code != http.StatusServiceUnavailable || !strings.Contains(text, "timeout") {
		t.Errorf("status %d: %s", code, text)
	}
}

// A stream tells how far a question is, and then its answer or what went wrong.
func TestStream(t *testing.T) {
	s := newServer(t, Options{})
	_, text := send(s, "POST", "/v1/size", `{"load": 120, "max_blocking": "1%"}`, "Accept", "text/event-stream")
	if !strings.HasPrefix(text, "event: answer\ndata: {\"servers\":138,") || !strings.HasSuffix(text, "}\n\n") {
		t.Errorf("%s", text)
	}
	_, text = send(s, "POST", "/v1/queue", `{"queue": "erlang-c", "servers": 10, "load": 12}`, "Accept", "text/event-stream")
	if !strings.HasPrefix(text, "event: error\ndata: {") || !strings.Contains(text, `"kind":"infeasible"`) {
		t.Errorf("%s", text)
	}
	s = newServer(t, Options{Limit: 2 * often})
	_, text = send(s, "POST", "/v1/simulate-station", long, "Accept", "text/event-stream")
	if !strings.Contains(text, "event: progress\n") || !strings.Contains(text, "event: error\n") {
		t.Errorf("%s", text)
	}
}
