"""Reference table rational.csv: temporal reliability of small semi-Markov
kernels with rational entries, by the recursion in exact rational arithmetic
(fractions.Fraction), printed to 25 digits.

    python3 rational.py > rational.csv
"""
from fractions import Fraction as F
from decimal import Decimal, getcontext

getcontext().prec = 40

# name: {(i, j): {lag: prob}}; states 0 and 1 are up, 2 is the failure state.
KERNELS = {
    "fast": {(0, 1): {1: F(3, 10), 2: F(1, 5), 5: F(2, 5)}, (0, 2): {3: F(1, 10)},
             (1, 0): {2: F(1, 2), 4: F(1, 4), 7: F(1, 8)}, (1, 2): {1: F(1, 16), 9: F(1, 16)}},
    "slow": {(0, 1): {10: F(1, 2), 20: F(49, 100)}, (0, 2): {15: F(1, 100)},
             (1, 0): {1: F(99, 100)}, (1, 2): {2: F(1, 100)}},
    "tail": {(0, 1): {1: F(1, 3), 3: F(1, 3)}, (0, 2): {4: F(1, 12)},
             (1, 0): {2: F(2, 3)}, (1, 2): {2: F(1, 12), 8: F(1, 4)}},
}


def solve(kern, n):
    up = (0, 1)
    total = {i: sum((p for (a, _), d in kern.items() if a == i for p in d.values()), F(0)) for i in up}
    R = {i: [F(1)] for i in up}
    Fl = {i: [F(0)] for i in up}
    for k in range(1, n + 1):
        for i in up:
            s = 1 - total[i]
            f = F(0)
            for (a, j), d in kern.items():
                if a != i:
                    continue
                for l, p in d.items():
                    if l > k:
                        s += p
                    elif j == 2:
                        f += p
                    else:
                        s += p * R[j][k - l]
                        f += p * Fl[j][k - l]
            R[i].append(s)
            Fl[i].append(f)
            assert s + f == 1
    return R, Fl


def dec(x):
    return format(Decimal(x.numerator) / Decimal(x.denominator), ".25e")


print("# temporal reliability of kernels with rational entries; see rational.py")
print("kernel,state,steps,reliability,failure,source")
for name, kern in KERNELS.items():
    R, Fl = solve(kern, 400)
    for k in (1, 2, 3, 5, 9, 20, 57, 128, 129, 300, 400):
        for i in (0, 1):
            print("%s,%d,%d,%s,%s,rational.py" % (name, i, k, dec(R[i][k]), dec(Fl[i][k])))
