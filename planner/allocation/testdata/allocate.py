"""Small random batches solved by trying every combination: writes allocate.json.

For each batch: the greatest revenue of primaries (null: no assignment), one
assignment that earns it, and the least soft loss of backups for that
assignment, backup capacity shared among jobs whose primaries lie on different
resources."""
import itertools, json, random

rng = random.Random(11)


def batch():
    deps = ["cpu", "disk"][: rng.choice([1, 2])]
    resources, jobs = [], []
    for d in deps:
        for j in range(rng.choice([2, 3])):
            c = rng.randint(3, 14)
            resources.append({"id": f"{d}{j}", "dependency": d, "primary_capacity": c, "backup_capacity": rng.randint(0, 8)})
    for k in range(rng.choice([2, 3, 4])):
        levels = {}
        for d in deps:
            n = rng.choice([1, 2, 3])
            demand = sorted(rng.sample(range(1, 11), n))
            revenue = sorted(rng.choices(range(0, 40), k=n))
            levels[d] = [{"demand": a, "revenue": b} for a, b in zip(demand, revenue)]
        jobs.append({"id": f"j{k}", "levels": levels})
    return {"dependencies": deps, "resources": resources, "jobs": jobs}


def primaries(b, d):
    res = [r for r in b["resources"] if r["dependency"] == d]
    choices = [[(j, i) for j in range(len(res)) for i in range(len(job["levels"][d]))] for job in b["jobs"]]
    best = None
    for pick in itertools.product(*choices):
        used = [0] * len(res)
        value = 0
        for job, (j, i) in zip(b["jobs"], pick):
            used[j] += job["levels"][d][i]["demand"]
            value += job["levels"][d][i]["revenue"]
        if all(u <= r["primary_capacity"] for u, r in zip(used, res)) and (best is None or value > best[0]):
            best = (value, pick)
    return res, best


def backups(b, d, res, pick):
    choices = []
    for job, (j, i) in zip(b["jobs"], pick):
        choices.append([None] + [(m, n) for m in range(len(res)) if m != j for n in range(i + 1)])
    least = None
    for to in itertools.product(*choices):
        used, loss = {}, 0
        for job, (j, i), t in zip(b["jobs"], pick, to):
            loss += job["levels"][d][i]["revenue"]
            if t:
                m, n = t
                used[j, m] = used.get((j, m), 0) + job["levels"][d][n]["demand"]
                loss -= job["levels"][d][n]["revenue"]
        if all(u <= res[m]["backup_capacity"] for (_, m), u in used.items()) and (least is None or loss < least):
            least = loss
    return least


cases = []
for _ in range(60):
    b = batch()
    case = {"batch": b, "revenue": 0, "loss": 0, "assignments": []}
    for d in b["dependencies"]:
        res, best = primaries(b, d)
        if best is None:
            case.update(revenue=None, loss=None, assignments=[])
            break
        case["revenue"] += best[0]
        case["loss"] += backups(b, d, res, best[1])
        for job, (j, i) in zip(b["jobs"], best[1]):
            case["assignments"].append({"job": job["id"], "dependency": d, "resource": res[j]["id"], "level": i + 1})
    cases.append(case)
with open("allocate.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
print(sum(c["revenue"] is None for c in cases), "of", len(cases), "infeasible")
