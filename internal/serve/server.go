package serve

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"runtime"
	"strings"
	"time"

	"golang.org/x/net/netutil"

	"github.com/capplan/capplan/internal/parallel"
)

// Options say how to serve. The zero value serves on the loopback without a token, with the
// defaults that stand at the fields.
type Options struct {
	Version string
	// Schema returns the JSON Schema of an answer by its name.
	Schema func(name string) ([]byte, error)
	// Scenario is what the page begins with.
	Scenario []byte
	// Token, if it is not empty, has to come with each question.
	Token string
	// Names are hosts by which the server may be called, beside localhost and
	// addresses.
	Names []string
	// Workers is how many questions are computed at a time; 0: as many as cores.
	Workers int
	// Limit is how long a question may take; 0: [DefaultLimit].
	Limit time.Duration
	// Log hears of internal errors.
	Log io.Writer
}

// DefaultLimit is how long a question may take. A simulation that takes longer is one for the
// command line.
const DefaultLimit = time.Minute

// What a connection may take, against clients that hold many and say little.
const (
	headerTime  = 5 * time.Second
	requestTime = 15 * time.Second
	idleTime    = time.Minute
	mostHeader  = 16 << 10
	mostClients = 256
	// graceTime is for how long a client keeps its place in a crowd without a question: a header and
	// a body come in that over most networks.
	graceTime = 250 * time.Millisecond
	// lastWhile is how long questions may go on once the server is to stop, and
	// lastWord how long those have that were stopped to say so: a second together
	// with what else an end takes.
	lastWhile = 500 * time.Millisecond
	lastWord  = 250 * time.Millisecond
	// lastBody is how long a question that comes in has to come whole once the server is to stop.
	lastBody = 100 * time.Millisecond
)

// A Server answers questions. Its fields do not change once it is made, but for what counts and
// bounds requests.
type Server struct {
	limit   time.Duration
	places  *places
	metrics *metrics
	program string // and version that makes reports
	log     io.Writer
	handler http.Handler
	openAPI []byte
	header  time.Duration // for the header of a request
	last    time.Duration // for questions to end once the server is to stop
	word    time.Duration // for the last word of a question that is stopped
	clients int           // that are connected beside those whose questions are computed
	grace   time.Duration // for which a client has its place in a crowd
}

// New makes a server. Errors: those of the schemas.
func New(o Options) (*Server, error) {
	s := &Server{
		limit:   o.Limit,
		metrics: newMetrics(),
		header:  headerTime,
		last:    lastWhile,
		word:    lastWord,
		clients: mostClients,
		grace:   graceTime,
		program: "capplan " + o.Version,
		log:     o.Log,
	}
	if s.limit <= 0 {
		s.limit = DefaultLimit
	}
	s.log = cmp.Or(s.log, io.Discard)
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s.places = newPlaces(workers)
	var err error
	if s.openAPI, err = openAPI(o.Version, o.Schema); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	handle := func(pattern, name string, h http.Handler) { mux.Handle(pattern, s.metrics.counted(name, h)) }
	for _, q := range registry() {
		handle("POST /v1/"+q.name, q.name, s.answer(&q))
	}
	handle("GET /openapi.json", "openapi", content(asJSON, s.openAPI))
	handle("GET /healthz", "healthz", content("text/plain; charset=utf-8", []byte("ok\n")))
	handle("GET /metrics", "metrics", s.metrics.handler())
	s.page(handle, o)
	handle("/", "unknown", http.HandlerFunc(unknown))
	// From the outside in: panics, headers for all responses, the name, the token, the site, and
	// then the question.
	s.handler = s.guarded(headed(called(lower(o.Names), tokened(o.Token, sameSite(mux)))))
	return s, nil
}

// Handler is all that the server answers. Tests call it without a port.
func (s *Server) Handler() http.Handler { return s.handler }

// OpenAPI describes what can be asked.
func (s *Server) OpenAPI() []byte { return s.openAPI }

func lower(names []string) []string {
	var all []string
	for _, n := range names {
		all = append(all, strings.ToLower(n))
	}
	return all
}

// content serves what does not change. It is served with the headers that keep it out of caches.
func content(kind string, text []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(text) // who left reads nothing
	})
}

// unknown answers any other request. If its method or name is nearly right, the answer says what
// is.
func unknown(w http.ResponseWriter, r *http.Request) {
	var names []string
	for _, q := range registry() {
		names = append(names, q.name)
	}
	name, asked := strings.CutPrefix(r.URL.Path, "/v1/")
	for _, n := range names {
		if asked && n == name {
			w.Header().Set("Allow", http.MethodPost)
			(&problem{status: http.StatusMethodNotAllowed, Reason: "a question is posted",
				Want: "POST " + r.URL.Path}).send(w)
			return
		}
	}
	p := &problem{status: http.StatusNotFound, Reason: "there is nothing here"}
	if asked {
		p.Reason, p.Want = "there is no such question", "one of "+strings.Join(names, ", ")
	}
	p.send(w)
}

// Serve answers until the context ends. Questions then have a moment to end, and
// are stopped. Errors: those of the listener; nil where the end was asked for.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	// Requests do not end with ctx at once: they get lastWhile to finish.
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	// So many that some have the word whatever is computed, so that there is always one who gives way.
	most := s.clients + cap(s.places.free)
	all := newCrowd(most, s.grace)
	h := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: s.header,
		ReadTimeout:       requestTime,
		// A response may begin only when the question is answered.
		WriteTimeout:   s.limit + requestTime,
		IdleTimeout:    idleTime,
		MaxHeaderBytes: mostHeader,
		ErrorLog:       log.New(io.Discard, "", 0), // of clients that do not speak HTTP
		BaseContext:    func(net.Listener) context.Context { return base },
		ConnState:      all.conn,
		ConnContext: func(ctx context.Context, n net.Conn) context.Context {
			return context.WithValue(ctx, visitKey{}, visit{all, n})
		},
	}
	serving := parallel.Start(func() error { return h.Serve(netutil.LimitListener(l, most)) })
	select {
	case <-serving.Done():
		return serving.Value()
	case <-ctx.Done():
	}
	// Three steps: wait, stop the questions and wait for their last words, close what is left.
	silent := time.AfterFunc(lastBody, all.dismiss)
	defer silent.Stop()
	err := within(s.last, h.Shutdown)
	cancel()
	if errors.Is(err, context.DeadlineExceeded) {
		err = within(s.word, h.Shutdown)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = h.Close()
	}
	if served := serving.Value(); !errors.Is(served, http.ErrServerClosed) {
		return served
	}
	return err
}

// within calls a function with a context of so long. It does not end with the server's own context,
// which has ended by then.
func within(t time.Duration, f func(context.Context) error) error {
	ctx, stop := context.WithTimeout(context.Background(), t)
	defer stop()
	return f(ctx)
}
