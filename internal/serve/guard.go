package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"slices"
	"strings"
)

// policy is what a browser may do with what is served: scripts, styles and
// connections of this server alone. Figures carry styles as attributes.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; " +
	"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// headed puts the headers on every response that keep a browser from making more
// of it than it is. Answers are of one client only, so that nothing is stored on the way.
func headed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// called refuses requests under a name that is not the server's: the name of a
// page whose owner lets it point to this machine (DNS rebinding). An address is
// no such name. The rules for the name: letters in either case, a point at the end, a port,
// brackets of IPv6.
func called(names []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
		if net.ParseIP(host) == nil && host != "localhost" && !slices.Contains(names, host) {
			(&problem{
				status: http.StatusMisdirectedRequest,
				Reason: "this server does not answer to the name in the header Host",
				Want:   "localhost, an address, or a name given to it at its start",
			}).send(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// sameSite refuses questions that a page of another site sends. It goes by the headers
// Sec-Fetch-Site and Origin, which browsers send and pages cannot forge; programs send neither.
func sameSite(next http.Handler) http.Handler {
	c := http.NewCrossOriginProtection()
	c.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		(&problem{status: http.StatusForbidden, Reason: "the question comes from a page of another site"}).send(w)
	}))
	return c.Handler(next)
}

// open lists what is served without a token: the page, which then asks for it,
// and whether the server answers.
var open = []string{"/", "/page.js", "/page.css", "/healthz"}

// tokened asks for a token where there is one. The comparison takes as long for
// one that is nearly right. Hashes have the same length, so that the comparison says nothing of the
// token's.
func tokened(token string, next http.Handler) http.Handler {
	if token == "" {
		return next
	}
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		sum := sha256.Sum256([]byte(strings.TrimSpace(given)))
		right := strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(sum[:], want[:]) == 1
		if !right && !slices.Contains(open, r.URL.Path) {
			(&problem{
				status: http.StatusUnauthorized,
				Reason: "no token, or not the right one",
				Want:   "the header Authorization: Bearer TOKEN",
			}).send(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}
