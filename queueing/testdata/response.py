# Shares of responses longer than t, by other means than the program's: matrix
# exponentials of the path of one arrival (M/M/n, M/M/n+M), and convolution by
# adaptive quadrature in 50 digits (GI/M/1 waits, M/G/1 by its transform inverted).
# Writes response.csv.
import csv, sys
from mpmath import mp, mpf, exp, quad, factorial, gammainc, gamma, findroot, inf, invertlaplace, linspace
mp.dps = 40

def erlang_c(n, a):
    s = sum(a**k / factorial(k) for k in range(n))
    top = a**n / factorial(n) * n / (n - a)
    return top / (s + top)

rows = []
def add(model, rate, mean, patience, scv, servers, of, t, share, source):
    rows.append([model, rate, mean, patience, scv, servers, of, t, mp.nstr(share, 18), '1e-11', source])

# M/M/n: W is 0 or exponential, S exponential; the convolution by quadrature.
for n, rate, mean in [(1, mpf('0.5'), mpf(1)), (5, mpf('4.5'), mpf(1)), (5, mpf(4), mpf(1)), (100, mpf(9), mpf(10))]:
    a, mu = rate * mean, 1 / mean
    C, theta = erlang_c(n, a), n / mean - rate
    for t in [mpf('0.1'), mpf(1), mpf(5), mpf(40), mpf(200)]:
        share = exp(-mu * t) + quad(lambda s: C * exp(-theta * (t - s)) * mu * exp(-mu * s), linspace(0, t, 400))
        add('wait', rate, mean, 0, 1, n, 'offered', t, share, 'convolution')

# M/M/n+M: the arrival finds k in the system. The states of its path: j = n.. are
# places in the queue, then in service, then gone. Poisson uniformisation in
# place of a matrix exponential.
def erlang_a(n, rate, mean, patience, t, of):
    mu, theta = 1 / mean, 1 / patience
    p, probs, k = mpf(1), [mpf(1)], 0
    while True:
        p *= rate / (min(k + 1, n) * mu + max(0, k + 1 - n) * theta)
        probs.append(p); k += 1
        if k > n and p < mpf(10)**-45 * max(probs): break
    total = sum(probs)
    probs = [q / total for q in probs]
    most = len(probs) - n            # places in the queue
    # state 0: served and in service; state j: j-th in the queue (j - 1 before it)
    vector = [mpf(0)] * (most + 1)
    vector[0] = sum(probs[:n])
    for j in range(most): vector[j + 1] = probs[n + j]
    out = [mu] + [n * mu + j * theta for j in range(1, most + 1)]
    top = max(out)
    # done: service ended; lost: gave up. steps of the uniformised chain
    done, lost = mpf(0), mpf(0)
    weight = exp(-top * t)
    i, cumulative_done, answer_done, answer_lost = 0, mpf(0), mpf(0), mpf(0)
    poisson = weight; left = mpf(1)
    while True:
        answer_done += poisson * done
        left -= poisson
        if left < mpf(10)**-30 and i > top * t: break
        new = [mpf(0)] * (most + 1)
        new[0] = vector[0] * (1 - mu / top)
        done += vector[0] * mu / top
        for j in range(1, most + 1):
            v = vector[j]
            if v == 0: continue
            ahead = n * mu + (j - 1) * theta
            if j == 1: new[0] += v * (n * mu) / top
            else: new[j - 1] += v * ahead / top
            if j == 1: pass
            lost += v * theta / top
            new[j] += v * (1 - (ahead + theta if j > 1 else n * mu + theta) / top)
        vector = new
        i += 1
        poisson *= top * t / i
    answer_done += left * done
    return answer_done

def gave_up(n, rate, mean, patience):
    mu, theta = 1 / mean, 1 / patience
    p, probs, k = mpf(1), [mpf(1)], 0
    while k < n or p > mpf(10)**-45 * max(probs):
        p *= rate / (min(k + 1, n) * mu + max(0, k + 1 - n) * theta)
        probs.append(p); k += 1
    total = sum(probs)
    return sum((k - n) * q for k, q in enumerate(probs) if k > n) / total * theta / rate

for n, rate, mean, patience in [(5, mpf(6), mpf(1), mpf(2)), (10, mpf(8), mpf(1), mpf('0.5')), (3, mpf(3), mpf(1), mpf(20))]:
    ab = gave_up(n, rate, mean, patience)
    for t in [mpf('0.2'), mpf(1), mpf(3), mpf(8)]:
        done = erlang_a(n, rate, mean, patience, t, 'offered')
        add('abandon', rate, mean, patience, 1, n, 'offered', t, 1 - done, 'uniformised chain')
        add('abandon', rate, mean, patience, 1, n, 'served', t, 1 - done / (1 - ab), 'uniformised chain')

# M/G/1, gamma service of SCV c: the transform of the response inverted.
for rate, mean, scv in [(mpf('0.5'), mpf(1), mpf('0.25')), (mpf('0.8'), mpf(1), mpf('0.5')), (mpf('0.6'), mpf(1), mpf('0.1'))]:
    k = 1 / scv
    lt = lambda s: (1 + s * mean / k) ** (-k)
    rho = rate * mean
    for t in [mpf(1), mpf(3), mpf(10), mpf(25)]:
        F = lambda s: (1 - (1 - rho) * s / (s - rate + rate * lt(s)) * lt(s)) / s
        add('wait', rate, mean, 0, scv, 1, 'offered', t, invertlaplace(F, t, method='talbot', degree=80), 'transform inverted')

with open('response.csv', 'w') as f:
    w = csv.writer(f, lineterminator='\n')
    w.writerow('model rate service_time patience service_scv servers of t share tolerance source'.split())
    for r in rows:
        w.writerow([mp.nstr(x, 12) if isinstance(x, mpf) else x for x in r])
