#!/usr/bin/env python3
"""Trunk reservation with two widths of jobs by brute force: the whole chain of the
numbers of jobs as one linear system (numpy); writes reservation.csv.
Run: python3 reservation.py
"""
import numpy as np

def blocking(c, width, reserve, load, mu):
    """Share of arrivals lost of each class; load in jobs, mu of the services."""
    states = [(i, j) for i in range(c // width[0] + 1) for j in range(c // width[1] + 1) if i * width[0] + j * width[1] <= c]
    at = {s: k for k, s in enumerate(states)}
    q = np.zeros((len(states), len(states)))
    lost = np.zeros((2, len(states)))
    for s, k in at.items():
        free = c - s[0] * width[0] - s[1] * width[1]
        for i in range(2):
            up, down = (s[0] + (i == 0), s[1] + (i == 1)), (s[0] - (i == 0), s[1] - (i == 1))
            if free >= width[i] + reserve[i]:
                q[k, at[up]] += load[i] * mu[i]
            else:
                lost[i, k] = 1
            if s[i]:
                q[k, at[down]] += s[i] * mu[i]
    q -= np.diag(q.sum(axis=1))
    a = q.T.copy()
    a[0, :] = 1
    b = np.zeros(len(states)); b[0] = 1
    return lost @ np.linalg.solve(a, b)

with open("reservation.csv", "w") as f:
    print("# made by reservation.py\ncapacity,wide,reserve,narrow_load,wide_load,narrow_rate,wide_rate,narrow_loss,wide_loss,source", file=f)
    for c in (8, 24):
        for wide in (1, 2, 4):
            # The narrow jobs leave room for one wide one; of equal widths two.
            reserve = max(wide - 1, 2 if wide == 1 else 0)
            for demand in (0.6, 0.9):
                for mu in ((1, 1), (5, 1), (1, 5)):
                    load = (demand * c / 2, demand * c / 2 / wide)
                    loss = blocking(c, (1, wide), (reserve, 0), load, mu)
                    print(f"{c},{wide},{reserve},{load[0]!r},{load[1]!r},{mu[0]},{mu[1]},{loss[0]!r},{loss[1]!r},chain (numpy)".replace("np.float64(", "").replace(")!", "").replace("),", ","), file=f)
