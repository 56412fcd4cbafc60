#!/usr/bin/env python3
"""Two links that share nearly all of their load: the Erlang fixed point by bisection in
80 digits, of what passes the first link. Prints sharedload.csv."""
from decimal import Decimal as D, getcontext
import random

getcontext().prec = 80
random.seed(18)


def passes(servers, load):
    inverse = D(1)
    for n in range(1, servers + 1):
        inverse = 1 + inverse * n / load
    return 1 - 1 / inverse


print("# made by sharedload.py\nservers_a,servers_b,shared,alone_a,alone_b,blocking_a,blocking_b,load_a,load_b,source")
for i in range(60):
    a = random.choice([1, 2, 5, 10, 40])
    b = a if i % 3 else random.choice([1, 2, 5, 10, 40])
    shared = float("%.6g" % 10 ** random.uniform(0, 9))
    mine = float("%.6g" % 10 ** random.uniform(-9, 2))
    other = mine if i % 2 else float("%.6g" % 10 ** random.uniform(-9, 2))
    la, lb, ls = D(repr(mine)), D(repr(other)), D(repr(shared))
    low, high = D(10) ** -40, D(1)
    for _ in range(260):
        q = (low * high).sqrt()
        if passes(a, la + ls * passes(b, lb + ls * q)) > q:
            low = q
        else:
            high = q
    q = (low * high).sqrt()
    p = passes(b, lb + ls * q)
    print(a, b, shared, mine, other, sep=",", end=",")
    print(*(str(+x.__round__(25)) if x > D("1e-3") else "%.20e" % x for x in (1 - q, 1 - p, la + ls * p, lb + ls * q)),
          "sharedload.py (decimal)", sep=",")
