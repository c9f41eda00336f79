/* lag: how far a slave's commit log is behind its master's, record by record, seen from outside.
 *
 *   lag MASTER-COMMITLOG SLAVE-COMMITLOG SKIP-SECONDS SECONDS
 *
 * Both folders are on this machine. It maps the files of both, looks every 0.2 ms which records are there, and notes for each how much
 * later it was there at the slave than at the master: after the slave's first new record and SKIP-SECONDS, for SECONDS. Both logs begin at
 * 0 and are of RocketMQ's format. It prints one line of key=value figures; worst_pause_us is how long it was kept from looking itself,
 * so a lag below that may be its own.
 *
 * build: cc -O2 -o lag lag.c
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define RING (1u << 22) /* records the slave may be behind */
#define GIVE_UP_SECONDS 120

typedef struct { const char *folder; const uint8_t *map; uint64_t start, size, end; } commitlog_t;

static uint64_t seen[RING];

static uint64_t now_ns(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * SECOND + t.tv_nsec; }
static uint32_t be32(const uint8_t *p) { return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; }

/* log-linear histogram: 64 sub-buckets for each power of two, in ns */
static uint64_t hist[64 * 64], hcount, hmax;
static void rec(uint64_t v) { if (v > hmax) hmax = v; int e = v < 64 ? 0 : 63 - __builtin_clzll(v) - 5; hist[e * 64 + (v >> e)]++; hcount++; }
static double pct(double p) { uint64_t want = hcount * p, c = 0; for (int i = 0; i < 64 * 64; i++) { c += hist[i]; if (hist[i] && c >= want) return (double)((uint64_t)(i % 64) << (i / 64)) / 1000.0; } return hmax / 1000.0; }

/* maps the file that begins where the one before ended; 0 when it is not there yet */
static int next_file(commitlog_t *log) {
    char path[4096]; struct stat st; snprintf(path, sizeof path, "%s/%020llu", log->folder, (unsigned long long)log->end);
    int fd = open(path, O_RDONLY); if (fd < 0) return 0;
    if (fstat(fd, &st) || st.st_size == 0) { close(fd); return 0; }
    if (log->map) munmap((void *)log->map, log->size);
    log->map = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0); close(fd);
    if (log->map == MAP_FAILED) { perror("mmap"); exit(2); }
    log->start = log->end; log->size = st.st_size; return 1;
}

/* moves over one whole record; 0 when there is none yet */
static int step(commitlog_t *log) {
    for (;;) {
        if ((!log->map || log->end == log->start + log->size) && !next_file(log)) return 0;
        uint64_t at = log->end - log->start; const uint8_t *p = log->map + at;
        if (log->size - at < 8 || be32(p + 4) == 0xcbd43194u) { log->end = log->start + log->size; continue; }
        uint32_t size = be32(p);
        if ((be32(p + 4) & 0xfffffff0u) != 0xdaa320a0u || size < 8 || at + size > log->size) return 0;
        if (!be32(p + size - 4)) return 0; /* properties end a record, and are never zero: its end is not written yet */
        log->end += size; return 1;
    }
}

int main(int argc, char **argv) {
    if (argc != 5) { fprintf(stderr, "usage: lag master-commitlog slave-commitlog skip-seconds seconds\n"); return 2; }
    commitlog_t master = {.folder = argv[1]}, slave = {.folder = argv[2]};
    uint64_t skip = atol(argv[3]) * SECOND, length = atol(argv[4]) * SECOND, head = 0, tail = 0, from = 0, last = 0, pause = 0, start = now_ns();
    while (step(&master)) head++;
    while (step(&slave)) tail++;
    for (uint64_t t = start; from ? t < from + length : t < start + GIVE_UP_SECONDS * SECOND; last = t, t = now_ns()) {
        if (from && t > from && t - last > pause) pause = t - last;
        while (step(&master)) seen[head++ % RING] = t;
        while (tail < head && step(&slave)) { if (!from) from = t + skip; if (t > from) rec(t - seen[tail % RING]); tail++; }
        struct timespec nap = {0, 200000}; nanosleep(&nap, NULL);
    }
    if (!hcount) { fprintf(stderr, "lag: nothing arrived at the slave\n"); return 1; }
    printf("records=%llu rate=%.0f p50us=%.0f p99us=%.0f p999us=%.0f maxus=%.0f worst_pause_us=%.0f\n", (unsigned long long)hcount,
        hcount / (length / 1e9), pct(.5), pct(.99), pct(.999), hmax / 1e3, pause / 1e3);
    return 0;
}
