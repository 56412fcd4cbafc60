"""Prints the reference figures of machines_test.go, by the renewal
equations in exact rational arithmetic."""
from fractions import Fraction as F
from functools import lru_cache


def solver(q):
    def stay(i, k):
        return 1 - sum(p for (j, l), p in q[i].items() if l <= k)

    @lru_cache(None)
    def r(i, k):
        return stay(i, k) + sum(p * r(j, k - l) for (j, l), p in q[i].items() if l <= k and j < 2)

    def aged(i, u, k):
        return (stay(i, u + k) + sum(p * r(j, k - l + u) for (j, l), p in q[i].items() if u < l <= k + u and j < 2)) / stay(i, u)

    return r, aged


# States 0 and 1 are up, 2 is the failure; {(to, steps): probability}.
r, aged = solver({0: {(1, 1): F(1, 10), (1, 2): F(1, 5), (2, 1): F(1, 20)}, 1: {(0, 1): F(1, 2), (2, 2): F(1, 2)}})
print("example R(10)", r(0, 10), "aged", aged(0, 1, 10), "mean up", float(6 * sum(r(0, k) for k in range(10))))
r, aged = solver({0: {(1, 1): F(1, 3), (1, 3): F(1, 6), (2, 2): F(1, 2)}, 1: {(0, 2): F(1, 4), (2, 1): F(3, 4)}})
print("certain R(60)", float(r(0, 60)), "R(5)", r(0, 5), "MTTF", (F(11, 6) + F(1, 2) * F(5, 4)) / (1 - F(1, 8)))
q = {0: {(1, 1): F(1, 6), (1, 2): F(1, 6), (1, 3): F(1, 3), (2, 1): F(1, 6), (2, 2): F(1, 6)}, 1: {(0, 1): F(1, 2), (0, 3): F(1, 2)}}
r, aged = solver(q)
print("censored R(9)", r(0, 9), "from S2", float(r(1, 9)), "aged", aged(0, 1, 4))
q[0] = {(1, 1): F(1, 5), (1, 2): F(1, 5), (1, 3): F(1, 5), (2, 1): F(1, 5), (2, 2): F(1, 5)}
r, aged = solver(q)
print("counts R(9)", float(r(0, 9)))
