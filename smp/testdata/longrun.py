"""Reference tables longrun.csv: a repairable semi-Markov process as the Markov
chain of (state, age), solved with mpmath to 30 digits. Independent of the
renewal equations: mean times by the fundamental matrix of the chain, limits
by its stationary vector, availability by powers of its matrix.

    python3 longrun.py > longrun.csv
"""
import mpmath as mp

mp.mp.dps = 40
F = lambda a, b: mp.mpf(a) / b
# states 0, 1 up, 2, 3 failed
KERN = {0: {(1, 2): F(3, 10), (1, 6): F(3, 10), (1, 11): F(1, 4), (2, 9): F(1, 10), (3, 4): F(1, 20)},
        1: {(0, 1): F(2, 5), (0, 4): F(2, 5), (2, 3): F(1, 5)},
        2: {(0, 2): F(1, 2), (1, 7): F(1, 4), (3, 3): F(1, 4)},
        3: {(0, 12): F(9, 10), (2, 1): F(1, 10)}}
UP = {0, 1}
cells = [(i, a) for i in KERN for a in range(max(l for _, l in KERN[i]))]  # age = completed steps
idx = {c: n for n, c in enumerate(cells)}
N = len(cells)
T = mp.zeros(N, N)
for (i, a) in cells:
    alive = mp.fsum(p for (_, l), p in KERN[i].items() if l > a)
    stay = mp.mpf(0)
    for (j, l), p in KERN[i].items():
        if l == a + 1:
            T[idx[(i, a)], idx[(j, 0)]] += p / alive
        elif l > a + 1:
            stay += p / alive
    if stay > 0:
        T[idx[(i, a)], idx[(i, a + 1)]] += stay

rows = []


def mean_time(inside):
    sel = [n for n, c in enumerate(cells) if c[0] in inside]
    A = mp.matrix(len(sel), len(sel))
    for x, n in enumerate(sel):
        for y, m in enumerate(sel):
            A[x, y] = (1 if n == m else 0) - T[n, m]
    sol = mp.lu_solve(A, mp.ones(len(sel), 1))
    return {cells[n]: sol[x] for x, n in enumerate(sel)}


m = mean_time(UP)
for s in UP:
    rows.append(("mttf", s, 0, m[(s, 0)]))
rows.append(("mttf", 0, 3, m[(0, 3)]))
rows.append(("mttf", 1, 2, m[(1, 2)]))
r = mean_time({2, 3})
for s in (2, 3):
    rows.append(("mttr", s, 0, r[(s, 0)]))

A = mp.matrix(N + 1, N)
b = mp.zeros(N + 1, 1)
for x in range(N):
    for y in range(N):
        A[x, y] = T[y, x] - (1 if x == y else 0)
    A[N, x] = 1
b[N] = 1
A2 = A[1:N + 1, :]
pi = mp.lu_solve(A2, b[1:N + 1])
st = {s: mp.fsum(pi[n] for n, c in enumerate(cells) if c[0] == s) for s in KERN}
ent = {s: pi[idx[(s, 0)]] for s in KERN}
tot = mp.fsum(ent.values())
for s in KERN:
    rows.append(("stationary", s, 0, st[s]))
    rows.append(("embedded", s, 0, ent[s] / tot))
av = st[0] + st[1]
flow = mp.fsum(pi[x] * T[x, y] for x in range(N) for y in range(N) if cells[x][0] in UP and cells[y][0] not in UP)
rows += [("availability", -1, 0, av), ("meanup", -1, 0, av / flow), ("meandown", -1, 0, (1 - av) / flow), ("failurerate", -1, 0, flow)]

for s in KERN:
    v = mp.zeros(1, N)
    v[idx[(s, 0)]] = 1
    acc = mp.mpf(0)
    for k in range(0, 41):
        a = mp.fsum(v[n] for n, c in enumerate(cells) if c[0] in UP)
        acc += a
        if k in (0, 1, 2, 7, 20, 40):
            rows.append(("a", s, k, a))
            rows.append(("interval", s, k + 1, acc / (k + 1)))
        v = v * T

print("# repairable process as a Markov chain of (state, age); see longrun.py")
print("quantity,state,steps,value,source")
for q, s, k, v in rows:
    print("%s,%d,%d,%s,longrun.py" % (q, s, k, mp.nstr(v, 22)))
