package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// wantPrometheus in the environment runs what needs a real server.
const wantPrometheus = "CAPPLAN_WANT_PROMETHEUS"

// A realServer is Prometheus itself, with a week of series and a scraped target,
// behind TLS and a password.
type realServer struct {
	url    string
	config string // file with the password and who signed the certificate
	client *http.Client
	first  time.Time // Monday, at which the week begins
	rates  []float64 // arrivals per s in each 5 minutes of it
}

const (
	samplePeriod = 150 // s
	daySamples   = 86400 / samplePeriod
	weekSamples  = 7 * daySamples
	weekMean     = 0.12 // s, of the durations
)

// weekBounds and weekShares are the classic histogram of the week: bounds in s,
// and how many of 1000 durations lie in each bucket.
var (
	weekBounds = []float64{0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, math.Inf(1)}
	weekShares = []float64{40, 110, 200, 260, 270, 90, 25, 5}
)

// weekRate is the load after a sample: higher by day, lower at weekends, constant
// within 5 minutes.
func weekRate(sample int) float64 {
	slot := sample / 2
	hour := float64(slot%288) / 12
	day := slot / 288
	rate := 20 + 15*math.Sin(2*math.Pi*(hour-8)/24)
	if day >= 5 {
		rate *= 0.4
	}
	return math.Round(rate*100) / 100
}

// startPrometheus writes the week and starts the server on the loopback.
func startPrometheus(t *testing.T, target string) *realServer {
	t.Helper()
	if os.Getenv(wantPrometheus) == "" {
		t.Skipf("%s=1 runs it, with prometheus and promtool, as a step of CI does", wantPrometheus)
	}
	dir := t.TempDir()
	s := &realServer{first: time.Date(2026, 11, 9, 0, 0, 0, 0, time.UTC)}
	if err := os.WriteFile(filepath.Join(dir, "week.om"), s.week(), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("promtool", "tsdb", "create-blocks-from", "openmetrics", "-q",
		filepath.Join(dir, "week.om"), filepath.Join(dir, "data")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.certificates(t, dir)
	for name, text := range map[string]string{
		"prometheus.yml": fmt.Sprintf("scrape_configs: [{job_name: live, scrape_interval: 500ms, scrape_timeout: 500ms, static_configs: [{targets: [%q]}]}]\n", target),
		// The password of web.yml is that of access.yml, as crypt hashes it.
		"web.yml":    "tls_server_config: {cert_file: cert.pem, key_file: key.pem}\nbasic_auth_users: {planner: $2b$04$UVveAI.v.Zo368YdK0IiUerDDnRfQaB6GD.y54v8CwP1PmcL5Y/Si}\n",
		"access.yml": "basic_auth: {username: planner, password_file: password}\ntls_config: {ca_file: cert.pem}\n",
		"password":   "correct horse\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	var log bytes.Buffer
	cmd := exec.Command("prometheus",
		"--config.file", filepath.Join(dir, "prometheus.yml"),
		"--web.config.file", filepath.Join(dir, "web.yml"),
		"--storage.tsdb.path", filepath.Join(dir, "data"),
		"--storage.tsdb.retention.time", "10y",
		"--web.listen-address", address,
		"--enable-feature", "native-histograms",
		"--log.level", "warn")
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	s.url, s.config = "https://"+address, filepath.Join(dir, "access.yml")
	for i := 0; ; i++ {
		resp, err := s.client.Get(s.url + "/-/ready")
		if err == nil {
			resp.Body.Close()
		}
		// Without a password a server that is there says 401.
		if err == nil && resp.StatusCode == http.StatusUnauthorized && s.ready() {
			return s
		}
		if i == 300 {
			t.Fatalf("the server is not ready: %v\n%s", err, log.String())
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (s *realServer) get(path string) (*http.Response, error) {
	r, err := http.NewRequest(http.MethodGet, s.url+path, nil)
	if err != nil {
		return nil, err
	}
	r.SetBasicAuth("planner", "correct horse")
	return s.client.Do(r)
}

func (s *realServer) ready() bool {
	resp, err := s.get("/-/ready")
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// week writes the counters sample by sample: requests of two machines, of which
// one starts again from 0 on Thursday, a histogram of durations, and the CPU and
// memory of two machines, of which one is away on Tuesday from 10 to 12.
func (s *realServer) week() []byte {
	var requests [2][]float64
	var total []float64
	a, b, sum := 0.0, 0.0, 0.0
	for m := range weekSamples + 1 {
		requests[0], requests[1] = append(requests[0], a), append(requests[1], b)
		total = append(total, sum)
		rate := weekRate(m)
		if m%2 == 0 && m < weekSamples {
			s.rates = append(s.rates, rate)
		}
		came := rate * samplePeriod
		a, b, sum = a+came*0.75, b+came*0.25, sum+came
		if m == 3*daySamples+daySamples/4 {
			b = came * 0.25 // since the start
		}
	}
	var text bytes.Buffer
	write := func(name string, each func(m int) (float64, bool)) {
		for m := range weekSamples + 1 {
			if v, there := each(m); there {
				text.WriteString(name)
				text.WriteByte(' ')
				text.WriteString(strconv.FormatFloat(v, 'f', -1, 64))
				text.WriteByte(' ')
				text.WriteString(strconv.FormatInt(s.first.Unix()+int64(m)*samplePeriod, 10))
				text.WriteByte('\n')
			}
		}
	}
	text.WriteString("# TYPE http_requests counter\n")
	for i, name := range []string{"a", "b"} {
		write(`http_requests_total{instance="`+name+`"}`, func(m int) (float64, bool) { return requests[i][m], true })
	}
	text.WriteString("# TYPE http_request_duration_seconds histogram\n")
	share := 0.0
	for i, bound := range weekBounds {
		share += weekShares[i] / 1000
		upTo := share
		le := strconv.FormatFloat(bound, 'f', -1, 64)
		if bound == 1 {
			le = "1.0"
		}
		write(`http_request_duration_seconds_bucket{le="`+le+`"}`,
			func(m int) (float64, bool) { return upTo * total[m], true })
	}
	write("http_request_duration_seconds_count", func(m int) (float64, bool) { return total[m], true })
	write("http_request_duration_seconds_sum", func(m int) (float64, bool) { return weekMean * total[m], true })
	text.WriteString("# TYPE cpu_busy gauge\n")
	for i, name := range []string{"node1:9100", "node2:9100"} {
		write(`cpu_busy{instance="`+name+`"}`, func(m int) (float64, bool) {
			hour := m * samplePeriod / 3600
			away := i == 1 && hour >= 34 && hour < 36
			return 0.1 + 0.7*float64((hour+i*8)%24/16), !away
		})
	}
	text.WriteString("# TYPE memory_available_bytes gauge\n")
	for _, name := range []string{"node1:9100", "node2:9100"} {
		write(`memory_available_bytes{instance="`+name+`"}`, func(int) (float64, bool) { return 512e6, true })
	}
	text.WriteString("# EOF\n")
	return text.Bytes()
}

// certificates makes a certificate for the loopback that signs itself.
func (s *realServer) certificates(t *testing.T, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:         true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for name, text := range map[string][]byte{
		"cert.pem": cert,
		"key.pem":  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.client = clientTrusting(t, cert)
}
