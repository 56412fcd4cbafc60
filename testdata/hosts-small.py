"""Writes hosts-small.csv: three made-up machines over seven days from Monday,
1 January 2024, a sample every ten minutes."""
import random

random.seed(7)
print("time,host,cpu,free_mb")
for step in range(7 * 144):
    t = 1704067200 + 600 * step
    hour, weekday = step % 144 / 6, step // 144 < 5
    office = weekday and 9 <= hour < 17
    for host, share in (("quiet", 0.01), ("busy", 0.09), ("mixed", 0.04)):
        cpu = random.uniform(0, 0.15)
        if office and random.random() < 4 * share:
            cpu = random.uniform(0.2, 0.6)
        if office and random.random() < share:
            cpu = random.uniform(0.7, 1)
        print(f"{t},{host},{cpu:.3f},{random.randint(900, 2000)}")
