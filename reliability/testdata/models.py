"""Writes replicas.csv, koutofn.csv, epoch.csv, checkpoint.csv, laws.csv and
replicatedrun.csv from the definitions, with mpmath at 40 digits: sums in full,
minima by root finding on the derivative, chains by linear algebra."""
import random
import mpmath as mp

mp.mp.dps = 40
random.seed(1)


def num(x):
    return mp.nstr(mp.mpf(x), 17, min_fixed=0, max_fixed=0)


def table(name, header, rows, source):
    with open(name, "w") as f:
        f.write(header + ",source\n")
        for r in rows:
            f.write(",".join(x if isinstance(x, str) else num(x) for x in r) + "," + source + "\n")


# replicas: real k, least k by counting up, and the all-down figures from the
# stationary law of the chain (null space of the generator).
rows = []
for mttf, mttr, P in [(5, 2, "0.95"), (9, 1, "0.9999"), (9, 1, "0.99"), (99, 1, "0.9999"), (1, 1, "0.5"), (1, 1, "0.75"),
                      (1, 99, "0.999"), (32.4, 7.4, "0.999999"), (1e9, 1, "0.5"), (1, 1e4, "0.9"), (3, 1, "0.2")]:
    F, R = mp.mpf(mttf), mp.mpf(mttr)
    u = R / (F + R)
    q = 1 - mp.mpf(P)
    real = mp.log(q) / mp.log(u)
    k = 1
    while u ** k > q * (1 + mp.mpf(10) ** -30):
        k += 1
    if k <= 12:
        Q = mp.zeros(k + 1)
        for d in range(k + 1):
            if d < k:
                Q[d, d + 1] += (k - d) / F
                Q[d, d] -= (k - d) / F
            if d:
                Q[d, d - 1] += d / R
                Q[d, d] -= d / R
        A = Q.T
        b = mp.zeros(k + 1, 1)
        for j in range(k + 1):
            A[k, j] = 1
        b[k] = 1
        pi = mp.lu_solve(A, b)
        down, rate = pi[k], pi[k - 1] / F
    else:
        down, rate = u ** k, k * u ** k / R
    rows.append([mttf, mttr, P, real, str(k), down, rate, down / rate])
table("replicas.csv", "mttf,mttr,target,real,replicas,all_down,rate,outage", rows, "models.py definition; chain by linear algebra")

# k-out-of-n
rows = []
for mttf, mttr, k, n in [(9, 1, 3, 10), (999, 1, 99, 100), (999, 1, 990, 1000), (999, 1, 999000, 10 ** 6), (999, 1, 998900, 10 ** 6),
                         (1, 99, 1, 10 ** 4), (1, 1, 50, 100), (1, 1, 5, 5), (1, 1, 1, 5), (1e6, 1, 1, 3), (1e6, 1, 3, 3), (2, 7, 400, 2000)]:
    F, R = mp.mpf(mttf), mp.mpf(mttr)
    p, u = F / (F + R), R / (F + R)

    def upper(n, k, p, u):
        if k > n * p:
            t = mp.binomial(n, k) * p ** k * u ** (n - k)
            s, j = mp.mpf(0), k
            while j <= n and t > s * mp.mpf(10) ** -35:
                s += t
                t = t * (n - j) / (j + 1) * p / u
                j += 1
            return s
        return 1 - upper(n, n - k + 1, u, p)
    mp.mp.dps = 60
    a, b = upper(n, k, p, u), upper(n, n - k + 1, u, p)
    nu = k * mp.binomial(n, k) * p ** k * u ** (n - k) / F
    mp.mp.dps = 40
    rows.append([mttf, mttr, str(k), str(n), a, b, nu])
table("koutofn.csv", "mttf,mttr,needed,total,availability,unavailability,frequency", rows, "models.py sum of binomial terms 60 digits")

# epoch: root of the derivative of f
rows = []
cases = [(1.0, 100.0, 0.005), (10.0, 5.0, 0.001)]
while len(cases) < 220:
    T = float("%.6g" % 10 ** random.uniform(-3, 4))
    x = float("%.6g" % 10 ** random.uniform(-2, 3))
    y = float("%.6g" % 10 ** random.uniform(-9, 2))
    if x * T < 0.999 * (2 / y - 2 * T):
        cases.append((x, T, y))
for x, T, y in cases:
    X, TT, Y = mp.mpf(x), mp.mpf(T), mp.mpf(y)
    nf = lambda d: Y * (TT + d / 2) / (1 - Y * (TT + d / 2))
    nm = lambda d: (X / d) / (1 / TT - X / d)
    df = lambda d: (Y / 2) / (1 - Y * (TT + d / 2)) ** 2 - X * TT / (d - X * TT) ** 2
    lo, hi = X * TT, 2 / Y - 2 * TT
    a, b = lo, hi  # df rises from -inf to +inf
    for _ in range(200):
        m = (a + b) / 2
        a, b = (m, b) if df(m) < 0 else (a, m)
    h = lambda d: Y * (TT + d / 2) + X * TT / d
    lo, hi = mp.mpf(10) ** -30, mp.mpf(10) ** 30
    for _ in range(400):
        m = mp.sqrt(lo * hi)
        lo, hi = (m, hi) if Y / 2 < X * TT / m ** 2 else (lo, m)
    par = lo
    rows.append([x, T, y, a, nf(a), nm(a), par, h(par)])
table("epoch.csv", "x,t,y,epoch,n_f,n_m,parallel,parallel_down", rows, "models.py bisection on the derivative 40 digits")

# checkpoint: minimum of the complete model
rows = []
for M, C, R, W in [(86400, 300, 120, 1e6), (3600, 600, 0, 7200), (1000, 1e-6, 10, 1e5), (100, 150, 5, 50), (10, 100, 1, 30), (1e6, 10, 60, 1e4), (1, 1, 1, 1), (50, 0.02, 0, 3)]:
    m, c, r, w = map(mp.mpf, (M, C, R, W))
    T = lambda t: m * mp.exp(r / m) * (mp.exp((t + c) / m) - 1) * w / t
    best = m * (1 + mp.lambertw(-mp.exp(-1 - c / m)).real)
    slope = lambda t: (t / m) * mp.exp((t + c) / m) - mp.exp((t + c) / m) + 1
    best2 = mp.findroot(slope, (best * mp.mpf("0.9"), best * mp.mpf("1.1")), solver="anderson", tol=1e-50)
    assert abs(best - best2) < best * mp.mpf(10) ** -18, (best, best2)
    n = min(range(1, max(3, int(w / best) + 3)), key=lambda n: T(w / n))
    young = mp.sqrt(2 * c * m)
    higher = young * (1 + mp.sqrt(c / (2 * m)) / 3 + c / (2 * m) / 9) - c if c < 2 * m else m
    first = mp.sqrt(2 * c * (m + r)) - c
    first = first if first > 0 else m
    rows.append([M, C, R, W, best2, T(best2), young, T(young), first, higher, str(n), T(w / n), m * mp.exp(r / m) * (mp.exp(w / m) - 1)])
table("checkpoint.csv", "mtbf,cost,restart,work,optimal,optimal_run,young,young_run,first,higher,segments,whole_run,none_run", rows, "models.py root of the derivative 40 digits")

# laws
rows = []
for law, a, b in [("exponential", 3, 0), ("weibull", 0.5, 10), ("weibull", 3, 2), ("lognormal", 1, 0.5), ("lognormal", -3, 4),
                  ("gamma", 0.3, 2), ("gamma", 1, 3), ("gamma", 40, 0.5), ("gamma", 1e4, 1e-3)]:
    A, B = mp.mpf(a), mp.mpf(b)
    for t in [1e-8, 0.1, 1.0, 9.7, 20.0, 200.0, 5000.0]:
        x = mp.mpf(t)
        if law == "exponential":
            ls, ld, mean = -x / A, -x / A - mp.log(A), A
        elif law == "weibull":
            ls, ld, mean = -(x / B) ** A, mp.log(A / B) + (A - 1) * mp.log(x / B) - (x / B) ** A, B * mp.gamma(1 + 1 / A)
        elif law == "lognormal":
            z = (mp.log(x) - A) / B
            ls, ld, mean = mp.log(mp.erfc(z / mp.sqrt(2)) / 2), -z * z / 2 - mp.log(B * x * mp.sqrt(2 * mp.pi)), mp.exp(A + B * B / 2)
        else:
            z = x / B
            mp.mp.dps = 60
            if a < 500:
                q = mp.gammainc(A, z, mp.inf, regularized=True)
            else:
                # integer shape: a finite sum of Poisson terms
                t0 = mp.exp(-z)
                q = mp.mpf(0)
                for j in range(int(a)):
                    q += t0
                    t0 = t0 * z / (j + 1)
                if q > mp.mpf(1) / 2:
                    t0 = mp.exp(A * mp.log(z) - z - mp.loggamma(A + 1))
                    lower, j = mp.mpf(0), 1
                    while t0 > lower * mp.mpf(10) ** -40:
                        lower += t0
                        t0 *= z / (A + j)
                        j += 1
                    q = None
                    ls = mp.log1p(-lower)
            if q is not None:
                ls = mp.log(q) if q < 0.5 else mp.log1p(-mp.gammainc(A, 0, z, regularized=True))
            mp.mp.dps = 40
            ld, mean = (A - 1) * mp.log(z) - z - mp.loggamma(A) - mp.log(B), A * B
        rows.append([law, a, b, t, ls, ld, mp.exp(ld - ls), mean])
table("../../law/testdata/laws.csv", "law,a,b,t,log_survival,log_density,hazard,mean", rows, "models.py mpmath 40 digits")

# expected run on k replicas: an absorbing chain of (down, phase) solved through
# the resolvent is not needed; E by matrix exponential of the loss chain.
rows = []
for mttf, mttr, k, W, R in [(10, 2, 1, 25, 3), (10, 2, 2, 25, 3), (10, 2, 3, 25, 0), (1000, 10, 2, 5000, 60), (5, 5, 4, 300, 20)]:
    F, Re = mp.mpf(mttf), mp.mpf(mttr)
    Q = mp.zeros(k + 2)
    for d in range(k):
        Q[d, d + 1] += (k - d) / F
        Q[d, d] -= (k - d) / F
        if d:
            Q[d, d - 1] += d / Re
            Q[d, d] -= d / Re
        Q[d, k + 1] = 1

    def surv(t):
        E = mp.expm(Q * mp.mpf(t), method="taylor")
        return sum(E[0, j] for j in range(k)), E[0, k + 1]
    S, I = surv(W)
    Sr, Ir = surv(R)
    rows.append([mttf, mttr, str(k), W, R, (I + (1 - S) * Ir / Sr) / S, 1 - S])
table("replicatedrun.csv", "mttf,mttr,replicas,work,restart,run,loss", rows, "models.py matrix exponential 40 digits")
