"""Reference values of P(T > t) for unlike servers, made without the product form.

The full chain of the idle and busy servers is solved by elimination, with the
queue beyond all busy summed as the geometric law that its own balance gives
(the states above the full one are left downwards at the rate of all servers).
Who comes to find k waiting leaves the queue after k + 1 departures, and is
then served by the server that came free. The response to k departures and a
service is integrated by uniformization on the tagged customer's own chain.

python3 unlikeresponse.py > unlikeresponse.csv
"""
import itertools
import numpy as np
from scipy.stats import poisson

CASES = [  # arrival rate, speeds of single servers
    (1.5, (1, 1, 0.5)),
    (3.0, (2, 1, 1)),
    (3.6, (2, 1, 1)),
    (0.2, (4, 0.25)),
    (2.0, (3, 0.4, 0.4, 0.4)),
]
TIMES = [0.1, 1.0, 3.0, 10.0]


def stationary(rate, speeds):
    n = len(speeds)
    total = sum(speeds)
    states = list(itertools.product((0, 1), repeat=n))
    index = {s: i for i, s in enumerate(states)}
    full = index[(1,) * n]
    # The states with jobs waiting are folded into the full one: up and down
    # between it and them balance, and their weight is rho/(1 - rho) of its own.
    a = np.zeros((len(states), len(states)))
    for s in states:
        i = index[s]
        idle = [k for k in range(n) if not s[k]]
        for k in idle:
            to = s[:k] + (1,) + s[k + 1:]
            a[i, index[to]] += rate / len(idle)
            a[i, i] -= rate / len(idle)
        for k in range(n):
            if s[k]:
                to = s[:k] + (0,) + s[k + 1:]
                a[i, index[to]] += speeds[k]
                a[i, i] -= speeds[k]
    m = np.vstack([a.T, np.ones(len(states))])
    p = np.linalg.lstsq(m, np.append(np.zeros(len(states)), 1), rcond=None)[0]
    rho = rate / total
    p /= 1 + p[full] * rho / (1 - rho)
    return states, p, full, rho


def tail(rate, speeds, t):
    states, p, full, rho = stationary(rate, speeds)
    n, total = len(speeds), sum(speeds)
    late = 0.0
    for s, w in zip(states, p):
        idle = [k for k in range(n) if not s[k]]
        for k in idle:
            late += w / len(idle) * np.exp(-speeds[k] * t)
    # Finding k jobs waiting, probability p_full rho^k: the tagged chain has
    # k + 1 stages of rate `total`, then one of the servers.
    depth = 1
    while rho ** depth > 1e-18:
        depth += 1
    size = depth + n + 1  # stages left depth..1, the servers, gone
    q = np.zeros((size, size))
    for left in range(depth, 0, -1):
        i = depth - left
        if left > 1:
            q[i, i + 1] += total
        else:
            for k in range(n):
                q[i, depth + k] += speeds[k]
        q[i, i] -= total
    for k in range(n):
        q[depth + k, size - 1] += speeds[k]
        q[depth + k, depth + k] -= speeds[k]
    start = np.zeros(size)
    for k in range(depth):
        start[depth - (k + 1)] = p[full] * rho ** k
    fast = max(total, max(speeds))
    step = np.eye(size) + q / fast
    terms = int(fast * t + 12 * np.sqrt(fast * t) + 60)
    v, gone = start.copy(), 0.0
    for j in range(terms + 1):
        gone += poisson.pmf(j, fast * t) * v[:-1].sum()
        v = v @ step
    return late + gone


print("rate,speeds,t,share,tolerance,source")
for rate, speeds in CASES:
    for t in TIMES:
        print(f"{rate},{' '.join(map(str, speeds))},{t},{tail(rate, speeds, t):.13g},1e-9,chain of the servers and of the tagged job")
