package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/serve"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// tokenVariable of the environment holds the token of serve; a command line is
// seen by all users of a machine.
const tokenVariable = "CAPPLAN_TOKEN"

// leastToken is the length of a token that is not soon guessed. 16 characters of hexadecimal are 64
// bits.
const leastToken = 16

// serveCommand answers over HTTP until it is stopped. Only a fault at the start is an error: what
// goes wrong with a question is an answer of the server, with a status.
func serveCommand() *cmdline.Command {
	s := cmdline.PlainFlags()
	var listen, tokenFile string
	var names []string
	var describe bool
	var limit *units.Duration
	// The loopback is the default, since whoever reaches the port can make this machine compute.
	s.Text("listen", &listen, "ADDRESS", "address to answer at (default 127.0.0.1:8080; port 0 picks a port); an "+
		"address that other machines reach needs a token")
	s.Text("token-file",
		&tokenFile, "FILE", "file with the token that each question has to bring, at least 16 characters; or set "+
			"the environment variable "+tokenVariable)
	// A page of another site that a browser shows could ask by a name that it lets point here;
	// names that are not listed are therefore refused.
	s.Repeated("name", &names, "a name of this machine",
		"`HOST` name by which the server may be called, beside localhost and addresses; may be repeated")
	s.Toggle("openapi", &describe, "print what can be asked, as /openapi.json does, and end")
	cmdline.Value(s, "time-limit", &limit, "TIME", "time limit of a question (default 1min)")
	return &cmdline.Command{
		Name: "serve", Usage: "a page and a JSON API that answer questions", Flags: s, Lasting: true,
		Description: `Answers questions over HTTP until it is stopped, and prints the address of its page.
POST /v1/size takes the question of the command size as JSON, and so on for the other
commands; GET /openapi.json lists them all.

  capplan serve &
  curl -s http://127.0.0.1:8080/v1/size -H 'Content-Type: application/json' \
    -d '{"load": 120, "max_blocking": "1%"}'

Requests cannot reach files of the machine, and the server writes none. It computes as
many questions at a time as there are cores. To list the questions, for programs that
generate clients:

  $ capplan serve --openapi`,
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			// The default stands here and not in the flag, so that the help can say what it means.
			listen = cmp.Or(listen, "127.0.0.1:8080")
			token, err := serveToken(ctx, tokenFile)
			if err != nil {
				return nil, err
			}
			o := serve.Options{
				Version:  cmdline.Version(),
				Schema:   schemaText,
				Scenario: []byte(exampleScenario),
				Token:    token,
				Names:    names,
				Log:      st.Err,
			}
			// A day bounds the conversion to nanoseconds, and less than a millisecond would end every question.
			if limit != nil {
				if *limit < 0.001 || *limit > 24*3600 {
					return nil, ask.Inputf("time_limit", "is %s, want 1ms to 24h", *limit)
				}
				o.Limit = time.Duration(float64(*limit) * float64(time.Second))
			}
			server, err := serve.New(o)
			if err != nil {
				return nil, err
			}
			// The description is made of the same table that the server answers by, so that it
			// cannot differ.
			if describe {
				return &cmdline.Result{Raw: string(server.OpenAPI()) + "\n"}, nil
			}
			l, err := listenAt(listen, token)
			if err != nil {
				return nil, err
			}
			// The address is printed when the port is open, so that a script can wait for the line;
			// port 0 is known only then.
			if _, err := fmt.Fprintf(st.Out(), "http://%s\n", l.Addr()); err != nil {
				return nil, errors.Join(err, l.Close())
			}
			// Being stopped is how it ends: nothing is left to say.
			return &cmdline.Result{Write: func(io.Writer) error { return nil }}, server.Serve(ctx, l)
		},
	}
}

// serveToken reads the token, "" where there is none. A file goes before the environment. 4096
// bytes are enough for any token and keep a wrong file from being read whole. Errors:
// *cmdline.UsageError for what is none.
func serveToken(ctx context.Context, file string) (string, error) {
	token, from := os.Getenv(tokenVariable), tokenVariable
	if file != "" {
		src, err := source.Open(ctx, file, source.OpenOptions{Want: "a token in one line"})
		if err != nil {
			return "", err
		}
		defer src.Close()
		text, err := io.ReadAll(io.LimitReader(src, 4096))
		if err != nil {
			return "", err
		}
		token, from = string(text), "--token-file"
	}
	token = strings.TrimSpace(token)
	if token == "" && file == "" {
		return "", nil
	}
	// A file of several words is some other file, named by mistake.
	if len(token) < leastToken || strings.ContainsAny(token, " \t\r\n") {
		return "", &cmdline.UsageError{Reason: fmt.Sprintf("%s holds no token, want at least %d characters "+
			"without blanks, such as openssl rand -hex 32 prints", from, leastToken)}
	}
	return token, nil
}

// listenAt listens, where there is no token at the loopback only. Errors: *cmdline.UsageError where
// the address itself is wrong, exit code 2; a port that is taken is a failure, exit code 1.
func listenAt(address, token string) (net.Listener, error) {
	wrong := func(reason string) error {
		return &cmdline.UsageError{
			Reason: "--listen: " + spell.Quote(address) + ": " + reason + ", want an address such as 127.0.0.1:8080",
		}
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, wrong("no address with a port")
	}
	// localhost is the one name that is known to be this machine; any other would have to be looked
	// up, and may change afterwards.
	ip := net.ParseIP(host)
	if token == "" && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, &cmdline.UsageError{Reason: "--listen: other machines reach " + spell.Quote(address) +
			": that needs a token, in the environment variable " + tokenVariable + " or by --token-file"}
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		// Both say that the address has no meaning; all else is a matter of this machine.
		var address *net.AddrError
		var lookup *net.DNSError
		if errors.As(err, &address) || errors.As(err, &lookup) {
			return nil, wrong(err.Error())
		}
		return nil, fmt.Errorf("--listen: %w", err)
	}
	return l, nil
}
