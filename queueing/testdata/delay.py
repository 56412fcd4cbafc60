#!/usr/bin/env python3
"""Reference values of M/M/c and M/M/n+M from their birth-death chains.

Writes mmc.csv and erlanga.csv. The state probabilities are summed outright at
40 digits: no incomplete gamma function and no integral enters. The tail of
the wait comes from the states: an arrival that finds n + k customers waits
for k + 1 departures (M/M/c: an Erlang law; M/M/n+M: only its mean is used,
and P(W > t) by the sum over k of the hypoexponential survival, computed
from the ordinary differential equation of the death process at high order).
Needs python3-mpmath. Run: python3 delay.py
"""
from mpmath import mp, mpf, exp, gammainc, quad, linspace, log
mp.dps = 40

def mmc(c, a):
    """P(wait), E[W]/E[S], P(W > t) for t in units of E[S]."""
    c, a = int(c), mpf(a)
    p, total = mpf(1), mpf(1)
    for k in range(1, c + 1):
        p = p * a / k
        total += p
    # states above c: geometric with ratio a/c
    rho = a / c
    total += p * rho / (1 - rho)
    wait = p / (1 - rho) / total
    lq = p * rho / (1 - rho) ** 2 / total
    def tail(t):
        # sum_k p_c rho^k P(Erlang(k+1, c) > t)
        s, k, w = mpf(0), 0, p / total
        pois, cdf = exp(-c * t), mpf(0)
        while True:
            cdf += pois
            s += w * cdf
            w *= rho; k += 1
            pois = pois * c * t / k
            if w < mpf(10) ** -45 * s: break
        return s
    return wait, lq / a, tail

out = open("mmc.csv", "w")
print("# made by delay.py (mpmath, 40 digits, states summed)", file=out)
print("servers,load_erl,wait_probability,mean_wait_services,t_services,wait_tail,source", file=out)
for c, a, t in [(1, "0.5", "1"), (1, "0.999", "100"), (2, "1.9", "3"), (10, "8", "0.5"), (10, "9.999", "50"),
                (100, "80", "0.05"), (100, "99", "0.2"), (138, "120", "0.02"), (1000, "950", "0.01"), (1000, "999.9", "1"),
                (20000, "19900", "0.003"), (50, "0.01", "0.01")]:
    w, m, tail = mmc(c, a)
    print("%d,%s,%s,%s,%s,%s,states summed" % (c, a, mp.nstr(w, 20), mp.nstr(m, 20), t, mp.nstr(tail(mpf(t)), 20)), file=out)

def erlanga(n, lam, mu, theta):
    lam, mu, theta = mpf(lam), mpf(mu), mpf(theta)
    p, k, probs = mpf(1), 0, [mpf(1)]
    while True:
        k += 1
        p = p * lam / (min(k, n) * mu + max(k - n, 0) * theta)
        probs.append(p)
        if k > n + 10 and lam < n * mu + (k - n) * theta and p < mpf(10) ** -45 * max(probs): break
    total = sum(probs)
    probs = [x / total for x in probs]
    wait = sum(probs[n:])
    lq = sum((i - n) * x for i, x in enumerate(probs) if i > n)
    return probs, wait, lq, theta * lq / lam

def wait_tail(n, lam, mu, theta, probs, t):
    """P(W > t): arrival finding n+k needs k+1 departures at rates n mu + j theta
    (j = k..0, its own patience apart) and must not have left: by matrix free
    uniformisation of the pure death process."""
    lam, mu, theta, t = mpf(lam), mpf(mu), mpf(theta), mpf(t)
    K = len(probs) - n
    # start[j] = prob that j others wait ahead on arrival; state j goes to j-1
    # at rate n mu + j theta, state 0 to service at rate n mu.
    v = [probs[n + j] for j in range(K)]
    rate = [n * mu + j * theta for j in range(K)]
    big = max(rate)
    total, pois, k = mpf(0), exp(-big * t), 0
    cum = mpf(0)
    while True:
        total += pois * sum(v)
        cum += pois
        if 1 - cum < mpf(10) ** -30: break
        v = [v[j] * (1 - rate[j] / big) + (v[j + 1] * rate[j + 1] / big if j + 1 < K else 0) for j in range(K)]
        k += 1
        pois = pois * big * t / k
    return total * exp(-theta * t)

out = open("erlanga.csv", "w")
print("# made by delay.py (mpmath, 40 digits, states summed; tail by uniformisation)", file=out)
print("servers,arrival_rate_per_s,service_time_s,patience_s,wait_probability,abandonment,mean_wait_s,t_s,wait_tail,source", file=out)
for n, lam, mu, theta, t in [(1, "0.5", "1", "1", "0.5"), (10, "9", "1", "0.5", "0.2"), (10, "20", "1", "2", "0.3"), (10, "1", "1", "1", "0.1"),
        (50, "48", "1", "0.01", "0.5"), (50, "60", "1", "0.1", "1"), (100, "100", "1", "1", "0.05"), (5, "3", "2", "1e-4", "1"),
        (3, "30", "1", "0.01", "60"), (4964, "5000", "1", "1", None), (4963, "5000", "1", "1", None), (2000, "1990", "1", "0.001", None), (20, "5", "1", "3", "0.01")]:
    probs, w, lq, ab = erlanga(n, lam, mu, theta)
    tail = "0" if t is None else mp.nstr(wait_tail(n, lam, mu, theta, probs, t), 20)
    print("%d,%s,%s,%s,%s,%s,%s,%s,%s,states summed" % (n, lam, mp.nstr(1 / mpf(mu), 20), mp.nstr(1 / mpf(theta), 20), mp.nstr(w, 20), mp.nstr(ab, 20), mp.nstr(lq / mpf(lam), 20), t or "-1", tail), file=out)
