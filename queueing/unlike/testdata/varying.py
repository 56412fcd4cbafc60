#!/usr/bin/env python3
"""Reference values of queues whose fleet changes slowly; writes varying.csv.

Every figure is the sum over all numbers of machines up, none left out, of the
exact binomial chance times the figure with as many servers: for one speed by
Erlang's recursion in 50 digits, for parts of a server by mpmath's incomplete
gamma function, for unlike speeds by quadrature of
1/B = int e^-t prod (1 + t/a_j)^n_j dt. Needs python3-mpmath.
Run: python3 varying.py > varying.csv
"""
from mpmath import mp, mpf, binomial, exp, quad, gammainc, linspace, sqrt
mp.dps = 40

def erlang_b(n, a):
    n, a = mpf(n), mpf(a)
    return exp(-a) * a**n / gammainc(n + 1, a)

def unlike_b(groups, a):
    groups = [(n, a / mpf(s)) for n, s in groups if n > 0]
    if not groups: return mpf(1)
    f = lambda t: mp.exp(-t + sum(n * mp.log1p(t / b) for n, b in groups))
    top = 40 * sqrt(sum(n for n, _ in groups)) + 4 * sum(n for n, _ in groups) + 100
    return 1 / quad(f, linspace(0, top, 40))

def mean_over_up(n, p, figure):
    p = mpf(p)
    return sum(binomial(n, u) * p**u * (1 - p)**(n - u) * figure(u) for u in range(n + 1))

print("# made by varying.py (mpmath, 40 digits)")
print("load_erl,dedicated,machines,up,speed,per_job,wait_s,figure,value,source")
def row(a, d, n, p, s, r, t, name, v):
    print(f"{a},{d},{n},{p},{s},{r},{t},{name},{mp.nstr(v, 17)},sum over all numbers up")
for a, d, n, p, s, r in [(5, 0, 20, .5, 1, 1), (5, 3, 20, .5, 1, 2), (100, 80, 60, .9, 1, 1), (1, 0, 3, .99, 1, 1),
                         (40, 0, 500, .3, 1, 2), (120, 60, 300, .97, 1, 2), (30, 10, 800, .35, 1, 3)]:
    row(a, d, n, p, s, r, 0, "blocking", mean_over_up(n, p, lambda u: erlang_b(d + mpf(u) / r, a)))
for a, d, n, p, s, r in [(5, 2, 20, .5, 0.5, 1), (60, 30, 40, .9, 2.2, 1), (20, 12, 60, .8, 0.34, 2)]:
    row(a, d, n, p, s, r, 0, "blocking", mean_over_up(n, p, lambda u: unlike_b([(d, 1), (mpf(u) / r, s)], a)))
for a, d, n, p, t in [(5, 6, 20, .5, 0.2), (8, 0, 20, .7, 1), (90, 60, 50, .9, 0.1)]:
    def c(u):
        m = d + u
        if m <= a: return mpf(1)
        b = erlang_b(m, a)
        return m * b / (m - a * (1 - b))
    row(a, d, n, p, 1, 1, t, "wait", mean_over_up(n, p, c))
    row(a, d, n, p, 1, 1, t, "tail", mean_over_up(n, p, lambda u: c(u) * exp(-max(d + u - a, 0) * mpf(t))))
    if d > a:
        row(a, d, n, p, 1, 1, t, "mean_wait", mean_over_up(n, p, lambda u: c(u) / (d + u - a)))
