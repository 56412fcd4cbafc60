#!/usr/bin/env python3
"""The Erlang fixed point of networks whose losses run from 1e-1000 to almost 1,
by repeated substitution, damped by half, at 60 digits and whole numbers of
circuits (the recursion of Erlang B); writes lossnetwork.csv: natural logarithms
of the blocking of links and routes. Needs python3-mpmath.
Run: python3 lossnetwork.py > lossnetwork.csv
"""
from mpmath import mp, mpf, log, nstr
mp.dps = 60

def erlang_b(n, a):
    b = mpf(1)
    for k in range(1, n + 1): b = a * b / (k + a * b)
    return b

def fixed_point(servers, routes):
    b = [mpf(0)] * len(servers)
    for _ in range(5000):
        new = []
        for j, n in enumerate(servers):
            load = mpf(0)
            for a, links in routes:
                if j in links:
                    through = mpf(a)
                    for i in links:
                        if i != j: through *= 1 - b[i]
                    load += through
            new.append(erlang_b(n, load))
        if all(abs(x - y) <= mpf(10) ** -45 * x for x, y in zip(new, b)): break
        b = [(x + y) / 2 for x, y in zip(new, b)]
    else: raise SystemExit("no convergence")
    loss = []
    for _, links in routes:  # 1 - prod(1 - B) without cancellation
        lost = mpf(0)
        for i in links: lost += b[i] * (1 - lost)
        loss.append(lost)
    return b, loss

cases = {
    "small": ([60, 70], [("8", (0, 1)), ("3", (0,))]),
    "deep": ([900, 500, 40], [("2", (0, 1)), ("5", (1, 2)), ("1.5", (2,))]),
    "mixed": ([10, 200, 45], [("9", (0, 1)), ("30", (1, 2)), ("12.25", (2, 0))]),
    "lost": ([3, 200], [("4000", (0, 1)), ("20", (1,))]),
    "star": ([10, 8, 12], [("30", (0, 1)), ("30", (1, 2)), ("30", (2, 0))]),
    "chain": ([30, 31, 32, 33], [("0.001", (0, 1, 2, 3)), ("2", (1, 2)), ("1", (3,))]),
}
print("# made by lossnetwork.py\nnetwork,servers,routes,log_links,log_routes,source")
for name, (servers, routes) in cases.items():
    b, loss = fixed_point(servers, routes)
    print(",".join([name, " ".join(map(str, servers)), ";".join(a + ":" + " ".join(map(str, l)) for a, l in routes),
                    " ".join(nstr(log(x), 20) for x in b), " ".join(nstr(log(x), 20) for x in loss), "lossnetwork.py (mpmath)"]))
