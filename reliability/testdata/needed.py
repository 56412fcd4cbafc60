"""Writes needed.csv: least replicas with crews or with a beta factor, by
listing k = m, m+1, ... with mpmath; the chain with crews is solved by
state reduction (GTH), not by products.
"""
import mpmath as mp

mp.mp.dps = 50


def crews_availability(k, m, c, mttf, mttr):
    lam, mu = 1 / mp.mpf(mttf), 1 / mp.mpf(mttr)
    Q = [[mp.mpf(0)] * (k + 1) for _ in range(k + 1)]
    for d in range(k):
        Q[d][d + 1] = (k - d) * lam
        Q[d + 1][d] = min(d + 1, c) * mu
    # Grassmann, Taksar, Heyman: states taken out one at a time, the last first.
    for n in range(k, 0, -1):
        out = sum(Q[n][:n])
        for i in range(n):
            if Q[i][n]:
                for j in range(n):
                    if i != j and Q[n][j]:
                        Q[i][j] += Q[i][n] * Q[n][j] / out
                Q[i][n] /= out
    p = [mp.mpf(1)]
    for n in range(1, k + 1):
        p.append(sum(p[i] * Q[i][n] for i in range(n) if Q[i][n]))
    return sum(p[d] for d in range(k - m + 1)) / sum(p)


def beta_availability(k, m, beta, mttf, mttr):
    u = mp.mpf(mttr) / (mp.mpf(mttf) + mp.mpf(mttr))
    c = mp.mpf(beta) * u
    v = (u - c) / (1 - c)
    return (1 - c) * sum(mp.binomial(k, j) * (1 - v) ** j * v ** (k - j) for j in range(m, k + 1))


rows = []
for mttf, mttr in [("5", "2"), ("100", "1"), ("1", "1"), ("1", "3")]:
    for m in [1, 2, 5]:
        for kind, par, target in [("crews", "1", "0.5"), ("crews", "2", "0.9"), ("crews", "3", "0.99"), ("crews", "40", "0.999"),
                                  ("beta", "0.05", "0.9"), ("beta", "0.01", "0.99")]:
            for k in range(m, 60):
                a = crews_availability(k, m, int(par), mttf, mttr) if kind == "crews" else beta_availability(k, m, par, mttf, mttr)
                if a >= mp.mpf(target):
                    rows.append((kind, par, mttf, mttr, m, target, k, mp.nstr(a, 20), mp.nstr(1 - a, 20)))
                    break
            else:
                rows.append((kind, par, mttf, mttr, m, target, 0, 0, 0))
with open("needed.csv", "w") as f:
    f.write("kind,parameter,mttf,mttr,m,target,k,availability,unavailability,source\n")
    for r in rows:
        f.write(",".join(map(str, r)) + ",needed.py\n")
