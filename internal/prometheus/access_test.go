package prometheus

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Addresses are those of servers, without secrets.
func TestAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"http://localhost:9090":         "",
		"https://prom.example/x/":       "",
		"http://[::1]:9090":             "",
		"http://localhost:9090/api/v1/": "",
		"":                              "not an address",
		"localhost:9090":                "not an address",
		"//host":                        "is not supported",
		"ftp://host":                    "is not supported",
		"http://":                       "not an address",
		"http://me:pass@host":           "does not belong on a command line",
		"http://me:pa ss@ho st":         "not an address",
		"http://host/?query=1":          "ends in a query",
		"http://host/#graph":            "ends in a query",
	} {
		_, err := Dial(&Access{URL: text})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "pa") && strings.Contains(err.Error(), "ss@") {
			t.Errorf("%q: the password stands in %v", text, err)
		}
	}
	for name, a := range map[string]*Access{
		"nil":            nil,
		"both":           {URL: "http://h", Credentials: Credentials{Token: "a", User: "b"}},
		"password alone": {URL: "http://h", Credentials: Credentials{Password: "b"}},
		"two lines":      {URL: "http://h", Credentials: Credentials{Token: "a\r\nX: y"}},
		"plain":          {URL: "http://h", Credentials: Credentials{CA: []byte("x")}},
		"no certificate": {URL: "https://h", Credentials: Credentials{CA: []byte("x")}},
		"no key":         {URL: "https://h", Credentials: Credentials{Certificate: []byte("x")}},
		"timeout":        {URL: "http://h", Timeout: -1},
	} {
		if _, err := Dial(a); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A server that demands a certificate of its clients gets it, and one that nobody
// known has signed is not trusted.
func TestCertificates(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil || len(r.TLS.PeerCertificates) != 1 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Write([]byte(`{"status":"success","data":{"resultType":"matrix","result":[]}}`))
	})
	s := httptest.NewUnstartedServer(handler)
	s.StartTLS()
	own := s.TLS.Certificates[0]
	s.Close()
	key, err := x509.MarshalPKCS8PrivateKey(own.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[0]})
	private := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	s = httptest.NewUnstartedServer(handler)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	s.StartTLS()
	defer s.Close()
	for name, c := range map[string]struct {
		credentials Credentials
		want        string
	}{
		"all": {Credentials{CA: cert, Certificate: cert, Key: private, ServerName: "example.com"},
			"gives nothing"},
		"not trusted":    {Credentials{Certificate: cert, Key: private}, "certificate"},
		"not shown":      {Credentials{CA: cert}, "certificate"},
		"another's name": {Credentials{CA: cert, Certificate: cert, Key: private, ServerName: "example.org"}, "example.org"},
	} {
		if err := askRate(t, &Access{URL: s.URL, Credentials: c.credentials}); err == nil || !strings.Contains(err.Error(),
			c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Credentials are read as Prometheus writes them, and no error shows a secret.
func TestReadCredentials(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"token": "s3cret\n", "password": " pw \n", "empty": "\n", "ca.pem": "CA", "cert.pem": "CERT", "key.pem": "KEY",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "http.yml")
	for _, c := range []struct {
		text  string
		want  Credentials
		fault string
	}{
		{text: "authorization: {credentials_file: token}", want: Credentials{Token: "s3cret"}},
		{text: "authorization: {type: bearer, credentials: abc}", want: Credentials{Token: "abc"}},
		{text: "bearer_token_file: " + filepath.Join(dir, "token"), want: Credentials{Token: "s3cret"}},
		{text: "bearer_token: abc", want: Credentials{Token: "abc"}},
		{text: "basic_auth: {username: me, password_file: password}", want: Credentials{User: "me", Password: "pw"}},
		{text: "basic_auth: {username: me, password: s3cret}", want: Credentials{User: "me", Password: "s3cret"}},
		{text: "tls_config: {ca_file: ca.pem, cert_file: cert.pem, key_file: key.pem, server_name: n}",
			want: Credentials{Token: "of the environment", CA: []byte("CA"), Certificate: []byte("CERT"), Key: []byte("KEY"),
				ServerName: "n"}},
		{text: "http_headers: {X-Scope-OrgID: {values: [a]}}",
			want: Credentials{Token: "of the environment", Headers: map[string]string{"X-Scope-OrgID": "a"}}},
		{text: "bearer_tokn: s3cret", fault: "did you mean bearer_token"},
		{text: "basic_auth: {password: s3cret}", fault: "username"},
		{text: "authorization: {type: Digest, credentials: s3cret}", fault: "Bearer"},
		{text: "authorization: {credentials_file: missing}", fault: "missing"},
		{text: "authorization: {credentials_file: empty}", fault: "is empty"},
		{text: "http_headers: {Authorization: {values: [s3cret]}}", fault: "cannot be set so"},
		{text: "http_headers: {X: {values: [s3cret, b]}}", fault: "one value"},
		{text: "tls_config: {insecure_skip_verify: true}", fault: "insecure_skip_verify"},
		{text: "s3cret: [", fault: "not YAML"},
		{text: "- s3cret", fault: "mapping"},
	} {
		t.Setenv(TokenVariable, "of the environment")
		t.Setenv(ConfigVariable, file)
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadCredentials(context.Background(), "")
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, want %q", c.text, err, c.fault)
			}
			if err != nil && strings.Contains(err.Error(), "s3cret") {
				t.Errorf("%s: the secret stands in %v", c.text, err)
			}
			continue
		}
		if err != nil || !equal(got, c.want) {
			t.Errorf("%s: %+v %v, want %+v", c.text, got, err, c.want)
		}
	}
	if _, err := ReadCredentials(context.Background(), filepath.Join(dir, "none")); err == nil {
		t.Error("a file that is not there")
	}
}

func equal(a, b Credentials) bool {
	same := a.Token == b.Token && a.User == b.User && a.Password == b.Password && a.ServerName == b.ServerName &&
		string(a.CA)+string(a.Certificate)+string(a.Key) == string(b.CA)+string(b.Certificate)+string(b.Key) && len(a.Headers) == len(b.Headers)
	for k, v := range a.Headers {
		same = same && b.Headers[k] == v
	}
	return same
}
