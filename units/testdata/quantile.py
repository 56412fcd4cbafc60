# Writes quantile.csv: quantiles of the triangular and uniform laws by scipy.
import scipy
from scipy.stats import triang, uniform
print("low,mode,high,p,want,tol,source")
src = f"scipy {scipy.__version__} stats.triang/uniform ppf (quantile.py)"
for a, m, b in [(80, 100, 130), (0, 0, 1), (2, 5, 5), (0.001, 0.25, 9), (1e6, 1.5e6, 1e7)]:
    for p in [0, 1e-9, 0.05, 0.25, 0.4, 0.5, 0.95, 0.999999, 1]:
        print(f"{a},{m},{b},{p},{triang.ppf(p, (m-a)/(b-a), a, b-a)!r},1e-12,{src}")
for a, b in [(80, 130), (0, 1e-3)]:
    for p in [0, 0.05, 0.5, 0.95, 1]:
        print(f"{a},,{b},{p},{uniform.ppf(p, a, b-a)!r},1e-12,{src}")
