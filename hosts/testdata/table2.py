"""Machines and availabilities of SpeQuloS table 2, by bisection, with mpmath.

Prints a line a trace: name, availability, machines.
"""
from mpmath import mp, mpf, log, exp

mp.dps = 30
P = [mpf(x) for x in ("0", "0.25", "0.5", "0.75", "0.99", "1")]
TABLE = {
    "seti": (24391, 31092, (61, 531, 5407), (174, 501, 3078), 30),
    "nd": (180, 501, (952, 3840, 26562), (640, 960, 1920), 30),
    "g5klyo": ("90.573", 226, (21, 51, 63), (191, 236, 480), 10),
    "g5kgre": ("474.69", 591, (5, 182, 11268), (23, 547, 6891), 10),
    "spot10": ("82.186", 87, (4415, 5432, 17109), (4162, 5034, 9976), 30),
    "spot100": ("823.95", 877, (1063, 5566, 22490), (383, 1906, 10274), 30),
}


def mean(t):
    return sum((P[i + 1] - P[i]) * (t[i + 1] - t[i]) / log(t[i + 1] / t[i]) for i in range(5))


for name, (m, most, up, down, cap) in TABLE.items():
    m = mpf(m)
    a, b, c = map(mpf, down)
    u = mean([max(1, a * a / b), a, b, c, c * (c / b) ** 1.5, min(cap * 86400, c * (c / b) ** 2.5)])
    a, b, c = map(mpf, up)
    law = lambda x: mean([max(1, a * a / b), a, b, c, c * exp(x * mpf("0.8")), c * exp(x)])
    share = m / most
    want, low, high = u * share / (1 - share), log(mpf("1.25")), mpf(60)
    if law(low) < want:
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (middle, high) if law(middle) < want else (low, middle)
    available = law(low) / (law(low) + u)
    print(name, mp.nstr(available, 8), int(m / available + mpf("0.5")))
