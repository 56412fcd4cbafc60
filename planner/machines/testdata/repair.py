"""Figures of repair_test.go by a chain of (state, age), not by renewal equations."""
import numpy as np

q = {"U": {"V": {1: .3, 2: .2}, "D": {3: .5}}, "V": {"U": {1: .6}, "D": {2: .4}},
     "D": {"U": {1: .5, 4: .25}, "V": {2: .25}}}
names = ["U", "V", "D"]
longest = 4
at = {(s, a): i for i, (s, a) in enumerate((s, a) for s in names for a in range(longest))}
P = np.zeros((len(at), len(at)))
for s in names:
    mass = lambda l: sum(f.get(l, 0) for f in q[s].values())
    for a in range(longest):
        left = 1 - sum(mass(l) for l in range(1, a + 1))
        if left <= 1e-12:
            P[at[s, a], at[s, a]] = 1  # never reached
            continue
        for t, f in q[s].items():
            P[at[s, a], at[t, 0]] += f.get(a + 1, 0) / left
        stay = 1 - P[at[s, a]].sum()
        if a + 1 < longest:
            P[at[s, a], at[s, a + 1]] += stay
law = np.zeros(len(at)); law[at["U", 0]] = 1
up = lambda v: sum(v[i] for (s, a), i in at.items() if s != "D")
n, share = 7, 0.0
for k in range(n):
    share += up(law) / n
    law = law @ P
print("availability_at_end", up(law), "interval_availability", share)
power = np.linalg.matrix_power(P, 1 << 16)
limit = np.zeros(len(at)); limit[at["U", 0]] = 1
limit = limit @ power
print("availability", up(limit))
fails = sum(limit[i] * P[i, at["D", 0]] for (s, a), i in at.items() if s != "D")
print("mean_up_h", up(limit) / fails, "mean_down_h", (1 - up(limit)) / fails, "failures_per_day", 24 * fails)
entries = {s: sum(limit[i] * P[i, at[s, 0]] for (t, a), i in at.items() if t != s) for s in names}
print({s: entries[s] / sum(entries.values()) for s in names},
      {s: sum(limit[at[s, a]] for a in range(longest)) for s in names})
