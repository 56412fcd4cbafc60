package prometheus

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
)

// Variables of the environment that hold credentials. A token on a command line would be seen by
// all users of the machine.
const (
	ConfigVariable   = "CAPPLAN_PROMETHEUS_CONFIG" // the file, where no flag names one
	TokenVariable    = "CAPPLAN_PROMETHEUS_TOKEN"
	UserVariable     = "CAPPLAN_PROMETHEUS_USERNAME"
	PasswordVariable = "CAPPLAN_PROMETHEUS_PASSWORD"
)

const configForm = `the HTTP configuration of Prometheus, such as "authorization: {credentials_file: token}", "basic_auth: {username: me, password_file: password}" or "tls_config: {ca_file: ca.pem}"`

// config is the part of the HTTP configuration of Prometheus and of promtool
// that says who asks. Fields of that configuration that say something else are refused, as any
// unknown field is.
type config struct {
	BasicAuth *struct {
		User         string `json:"username"`
		Password     string `json:"password,omitempty"`
		PasswordFile string `json:"password_file,omitempty"`
	} `json:"basic_auth,omitempty"`
	Authorization *struct {
		Type            string `json:"type,omitempty"` // Bearer
		Credentials     string `json:"credentials,omitempty"`
		CredentialsFile string `json:"credentials_file,omitempty"`
	} `json:"authorization,omitempty"`
	Token     string `json:"bearer_token,omitempty"`
	TokenFile string `json:"bearer_token_file,omitempty"`
	TLS       *struct {
		CA         string `json:"ca_file,omitempty"`
		Cert       string `json:"cert_file,omitempty"`
		Key        string `json:"key_file,omitempty"`
		ServerName string `json:"server_name,omitempty"`
	} `json:"tls_config,omitempty"`
	Headers map[string]header `json:"http_headers,omitempty"`
}

// header is one of http_headers. Its form has lists, of which one value is taken.
type header struct {
	Values []string `json:"values"`
}

// ReadCredentials reads who asks: from the environment, and from a file in the
// form of the HTTP configuration of Prometheus (promtool's --http.config.file),
// which goes before it. "" is the file that the environment names, or none. Paths
// in the file are relative to its folder. Errors: *source.FileError without the text of the line;
// *ask.InputError.
func ReadCredentials(ctx context.Context, path string) (Credentials, error) {
	ctx = given.Context(ctx)
	path = cmp.Or(path, os.Getenv(ConfigVariable))
	out := Credentials{
		Token:    strings.TrimSpace(os.Getenv(TokenVariable)),
		User:     os.Getenv(UserVariable),
		Password: os.Getenv(PasswordVariable),
	}
	if path == "" {
		return out, nil
	}
	out, err := readConfig(ctx, path, out)
	// A line that cannot be read may be the one with the password.
	return out, withoutText(err)
}

// readConfig puts what a file says in the place of out. Who asks comes whole from one source: a
// user of the environment never goes with a password of the file.
func readConfig(ctx context.Context, path string, out Credentials) (Credentials, error) {
	src, err := source.Open(ctx, path, source.OpenOptions{Want: configForm})
	if err != nil {
		return out, err
	}
	defer src.Close()
	c := &config{}
	d, err := document.ReadInto(ctx, src.Name, configForm, src, c, "the configuration")
	if err != nil {
		return out, err
	}
	r := secretFiles{ctx: ctx, folder: filepath.Dir(path)}
	if c.BasicAuth != nil || c.Authorization != nil || c.Token != "" || c.TokenFile != "" {
		out = Credentials{} // the file's, whole
	}
	if c.BasicAuth != nil {
		out.User, out.Password = c.BasicAuth.User, c.BasicAuth.Password
		r.line(c.BasicAuth.PasswordFile, &out.Password)
	}
	if a := c.Authorization; a != nil {
		if a.Type != "" && !strings.EqualFold(a.Type, "Bearer") {
			return out, d.On(d.Root.Field("authorization").Field("type"), "type = "+a.Type, "Bearer, or basic_auth")
		}
		// The file of a secret goes before the secret itself, where both are given.
		out.Token = a.Credentials
		r.line(a.CredentialsFile, &out.Token)
	}
	if c.Token != "" {
		out.Token = c.Token
	}
	r.line(c.TokenFile, &out.Token)
	if t := c.TLS; t != nil {
		out.ServerName = t.ServerName
		out.CA, out.Certificate, out.Key = r.whole(t.CA), r.whole(t.Cert), r.whole(t.Key)
	}
	// These two headers are set by the client itself.
	for name, h := range c.Headers {
		if len(h.Values) != 1 || strings.EqualFold(name, "Authorization") || strings.EqualFold(name, "Host") {
			return out, d.On(d.Root.Field("http_headers").Field(name), name+" cannot be set so",
				"a header such as X-Scope-OrgID with one value")
		}
		if out.Headers == nil {
			out.Headers = map[string]string{}
		}
		out.Headers[name] = h.Values[0]
	}
	return out, r.err
}

// withoutText takes the line out of an error: it may hold a password.
func withoutText(err error) error {
	if file, ok := errors.AsType[*source.FileError](err); ok {
		cut := *file
		cut.Text = ""
		return &cut
	}
	return err
}

// secretFiles reads the files that a configuration names, until the first error. Names are relative
// to folder.
type secretFiles struct {
	ctx    context.Context
	folder string
	err    error
}

// mostSecret is how long a token, or a bundle of certificates, may be.
const mostSecret = 4 << 20

// whole reads a file; "" names none.
func (r *secretFiles) whole(name string) []byte {
	if name == "" || r.err != nil {
		return nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.folder, name)
	}
	src, err := source.Open(r.ctx, name, source.OpenOptions{Want: "a secret or certificates in PEM"})
	if err != nil {
		r.err = err
		return nil
	}
	defer src.Close()
	text, err := io.ReadAll(io.LimitReader(src, mostSecret+1))
	if err == nil && len(text) > mostSecret {
		err = ask.Inputf("prometheus_config", "%s is longer than %d MiB, want a secret or certificates in PEM", name,
			mostSecret>>20)
	}
	r.err = err
	return text
}

// line reads a file of one line into a field.
func (r *secretFiles) line(name string, into *string) {
	if name != "" {
		*into = strings.TrimSpace(string(r.whole(name)))
		if *into == "" && r.err == nil {
			r.err = ask.Inputf("prometheus_config", "%s is empty, want a token or password in one line", name)
		}
	}
}
