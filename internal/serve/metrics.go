package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics count the requests of a server. They are those of one server, so that tests may have
// several in one process.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "capplan_requests_total", Help: "Requests, by question and status of the response.",
		}, []string{"question", "code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "capplan_request_duration_seconds",
			Help: "Time from the header of a request to the end of its response.",
			// Seventeen buckets from 0.2 ms, an answer by formula, to the default limit of a
			// minute.
			Buckets: prometheus.ExponentialBucketsRange(0.0002, 60, 17),
		}, []string{"question"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "capplan_requests_in_flight", Help: "Requests in progress.",
		}),
	}
	m.registry.MustRegister(m.requests, m.duration, m.inFlight, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// counted counts the requests of a handler under a name. Names are those of
// handlers, not of requests: a client cannot make new ones. Counts are taken where a handler panics
// too.
func (m *metrics) counted(name string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.Inc()
		start := time.Now()
		status := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			m.inFlight.Dec()
			m.duration.WithLabelValues(name).Observe(time.Since(start).Seconds())
			m.requests.WithLabelValues(name, strconv.Itoa(status.status)).Inc()
		}()
		next.ServeHTTP(status, r)
	})
}

// A statusWriter remembers the status of a response. A handler that writes without a status has
// sent 200.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap lets a ResponseController through.
func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }
