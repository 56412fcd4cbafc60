/* Simulates GI/G/c on the whole grid of constant, Erlang, exponential and
 * hyperexponential gaps and services, for planner/approximations/references/ggcgrid.csv:
 * no line of it is of package sim or of gridsim. Servers stand in a heap by when they
 * are free next; a customer waits for the first. Twenty batches give standard errors.
 * Queues in which less than 1 % wait are left out. Times are in mean services.
 *
 *     gcc -O2 -o ggcgrid ggcgrid.c -lm && ./ggcgrid > ggcgrid.csv      (8 CPU minutes)
 *     ./ggcgrid responses > ggcresponse.csv                            (1 CPU minute)
 *
 * The second counts wait and service together, on 1, 5 and 20 servers.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* xoshiro256** of Blackman and Vigna. */
static uint64_t state[4];
static inline uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static inline uint64_t next(void) {
  uint64_t out = rotate(state[1] * 5, 7) * 9, t = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= t;
  state[3] = rotate(state[3], 45);
  return out;
}
static inline double uniform(void) { return ((next() >> 11) + 0.5) * (1.0 / 9007199254740992.0); }
static inline double exponential(void) { return -log(uniform()); }

enum kind { CONSTANT, EXPONENTIAL, ERLANG2, MIXED };
typedef struct {
  const char *name;
  double scv;
  enum kind kind;
  double p, first, second; /* MIXED: first with p, else second */
} law;

static double draw(const law *l) {
  switch (l->kind) {
  case EXPONENTIAL: return exponential();
  case ERLANG2: return -0.5 * log(uniform() * uniform());
  case MIXED: return uniform() < l->p ? l->first * exponential() : l->second * exponential();
  default: return 1;
  }
}

/* balanced has p first = (1 - p) second. */
static law balanced(const char *name, double scv) {
  double p = (1 + sqrt((scv - 1) / (scv + 1))) / 2;
  return (law){name, scv, MIXED, p, 1 / (2 * p), 1 / (2 * (1 - p))};
}

/* half has first = 1/2: another law of the same two moments. */
static law half(const char *name, double scv) {
  double low = 0, high = 1 - 1e-12;
  for (int i = 0; i < 200; i++) {
    double p = (low + high) / 2, rest = 1 - 0.5 * p;
    if (p * .25 + rest * rest / (1 - p) < (1 + scv) / 2) low = p; else high = p;
  }
  return (law){name, scv, MIXED, low, .5, (1 - .5 * low) / (1 - low)};
}

enum { BATCHES = 20, BINS = 4000 };
static double bins[BATCHES][BINS]; /* of ln(wait) from -9.3 to 7.2 */
static double edge(double bin) { return exp(-9.3 + 16.5 * bin / BINS); }

/* quantile is what a share of batches [from, to) waits longer than. */
static double quantile(int from, int to, double share, double customers) {
  double above = 0;
  for (int bin = BINS - 1; bin >= 0; bin--) {
    double here = 0;
    for (int b = from; b < to; b++) here += bins[b][bin];
    above += here;
    if (above >= share * customers) return edge(bin + (above - share * customers) / here);
  }
  return 0;
}

static double error(const double *x) {
  double mean = 0, square = 0;
  for (int b = 0; b < BATCHES; b++) mean += x[b] / BATCHES;
  for (int b = 0; b < BATCHES; b++) square += (x[b] - mean) * (x[b] - mean) / (BATCHES - 1);
  return sqrt(square / BATCHES);
}

static int responses;

static void queue(const law *gap, const law *service, int servers, double rho, long customers) {
  double free_at[128] = {0}, now = 0, sum[BATCHES] = {0}, mean = 0;
  double p90[BATCHES], p95[BATCHES], p99[BATCHES];
  long each = customers / BATCHES, warm = customers / 10, waiting = 0;
  memset(bins, 0, sizeof bins);
  for (long i = -warm; i < customers; i++) {
    now += draw(gap) / (rho * servers);
    double wait = free_at[0] - now > 1e-12 ? free_at[0] - now : 0;
    double took = draw(service), done = (wait > 0 ? free_at[0] : now) + took;
    int k = 0;
    for (int child; (child = 2 * k + 1) < servers; k = child) {
      if (child + 1 < servers && free_at[child + 1] < free_at[child]) child++;
      if (free_at[child] >= done) break;
      free_at[k] = free_at[child];
    }
    free_at[k] = done;
    if (i < 0) continue;
    if (responses) wait += took;
    sum[i / each] += wait / each;
    if (wait > 0) {
      int bin = (int)((log(wait) + 9.3) * BINS / 16.5);
      bins[i / each][bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
      waiting++;
    }
  }
  if (waiting < 0.01 * customers) return;
  for (int b = 0; b < BATCHES; b++) {
    mean += sum[b] / BATCHES;
    p90[b] = quantile(b, b + 1, .1, each);
    p95[b] = quantile(b, b + 1, .05, each);
    p99[b] = quantile(b, b + 1, .01, each);
  }
  if (responses) {
    printf("%s,%g,%s,%g,%d,%g,%.5g,%.2g,ggcgrid.c\n", gap->name, gap->scv, service->name, service->scv, servers,
           rho, quantile(0, BATCHES, .05, customers), error(p95));
    return;
  }
  printf("%s,%g,%s,%g,%d,%g,%.5g,%.2g,%.5g,%.5g,%.2g,%.5g,%.2g,ggcgrid.c\n", gap->name, gap->scv,
         service->name, service->scv, servers, rho, mean, error(sum), (double)waiting / customers,
         quantile(0, BATCHES, .1, customers), error(p90), quantile(0, BATCHES, .01, customers), error(p99));
}

int main(int count, char **words) {
  responses = count > 1 && !strcmp(words[1], "responses");
  law laws[] = {{"deterministic", 0, CONSTANT}, {"erlang-2", .5, ERLANG2}, {"exponential", 1, EXPONENTIAL},
                balanced("hyperexponential-2", 2), balanced("hyperexponential-4", 4),
                half("hyperexponential-4-half", 4)};
  int servers[] = {1, 2, 5, 20, 100}, id = 0;
  double rho[] = {.5, .7, .9, .95};
  puts(responses ? "gap,gap_scv,service,service_scv,servers,rho,p95,p95_se,source"
                 : "gap,gap_scv,service,service_scv,servers,rho,mean_wait,mean_wait_se,wait_probability,"
                   "p90,p90_se,p99,p99_se,source");
  for (int g = 0; g < 6; g++)
    for (int s = 0; s < 6; s++)
      for (int c = 0; c < 5; c++)
        for (int r = 0; r < 4; r++) {
          if (g + s == 0) continue; /* D/D/c: nobody waits */
          id++;
          if (responses && (c == 1 || c == 4 || r == 0 || r == 3)) continue;
          state[0] = id * 0x9E3779B97F4A7C15ull + 1, state[1] = id * 77ull + 3;
          state[2] = 0xDEADBEEFull ^ id, state[3] = 5;
          for (int i = 0; i < 50; i++) next();
          long customers = responses ? 3000000 : r < 2 ? 2000000 : r == 2 ? 6000000 : 12000000;
          queue(&laws[g], &laws[s], servers[c], rho[r], servers[c] == 100 ? 2 * customers : customers);
        }
}
