/* wsload: WebSocket subscribers in numbers, with raw sockets on one epoll thread, so that the server is what is measured.
 *
 *   wsload [-h 127.0.0.1] [-p 8080] [-k metaq|mqtt] [-t TOPIC] [-q QUIET-TOPIC] [-a active] [-i idle] [-r publishes a second] [-s body bytes]
 *          [-d seconds] [-w warm-up seconds] [-z] [-P serverpid]
 *
 * -a  subscribers of TOPIC, a connection each; every message is for all of them
 * -i  subscribers of QUIET-TOPIC, a connection each, to which nothing is sent
 * -z  one more subscriber of TOPIC that never reads
 * -k  what is spoken: metaq.v1.json, or MQTT 3.1.1 over WebSocket with QoS 0
 *
 * It connects and subscribes all, then publishes TOPIC at a fixed rate over one more connection. A body begins with the time its
 * publishing was due, and the delay of a delivery is from then until it was read, so a publisher that is late is counted, too. It prints
 * one line of key=value figures; `missing` is what was not delivered a second after the end. With -P it adds that process's CPU time for
 * each delivery, and its resident anonymous memory every 10 s on standard error.
 *
 * build: cc -O2 -o wsload wsload.c
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define BEGIN_AT_ONCE 64 /* connections that are being made */

static const char *host = "127.0.0.1", *kind = "metaq", *topic = "bench", *quiet = "quiet";
static int port = 8080, actives = 1000, idles = 0, rate = 20, body = 128, seconds = 30, warm = 3, slow = 0, serverpid = 0, mqtt = 0;

enum role { ACTIVE, IDLE, SLOW, PUBLISHER };
enum state { CONNECTING, UPGRADING, GREETING, SUBSCRIBING, READY };
typedef struct { int fd; enum role role; enum state state; uint8_t *in; size_t len, cap; } conn_t;

static conn_t *conns; static int count, ready, beginning, lost;
static int epfd;
static uint64_t from_ns, delivered, counted, published;

static uint64_t now_ns(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * SECOND + t.tv_nsec; }
static void die(const char *m) { perror(m); exit(2); }

/* log-linear histogram: 64 sub-buckets for each power of two, in ns */
static uint64_t hist[64 * 64], hcount, hmax;
static void rec(uint64_t v) { if (v > hmax) hmax = v; int e = v < 64 ? 0 : 63 - __builtin_clzll(v) - 5; hist[e * 64 + (v >> e)]++; hcount++; }
static double pct(double p) { uint64_t want = hcount * p, c = 0; for (int i = 0; i < 64 * 64; i++) { c += hist[i]; if (hist[i] && c >= want) return (double)((uint64_t)(i % 64) << (i / 64)) / 1e6; } return hmax / 1e6; }

static double cpu_of(int pid) {
    char p[64], b[1024]; snprintf(p, sizeof p, "/proc/%d/stat", pid);
    FILE *f = fopen(p, "r"); if (!f) return 0; size_t n = fread(b, 1, sizeof b - 1, f); fclose(f); b[n] = 0;
    char *s = strrchr(b, ')'); if (!s) return 0; unsigned long u = 0, k = 0;
    sscanf(s + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &u, &k);
    return (double)(u + k) / sysconf(_SC_CLK_TCK);
}
static long rss_kb(int pid) {
    char p[64], l[256]; snprintf(p, sizeof p, "/proc/%d/status", pid); FILE *f = fopen(p, "r"); long v = 0; if (!f) return 0;
    while (fgets(l, sizeof l, f)) if (sscanf(l, "RssAnon: %ld", &v) == 1) break;
    fclose(f); return v;
}

static void raw(conn_t *c, const void *bytes, size_t n) {
    const uint8_t *p = bytes;
    while (n) {
        ssize_t w = send(c->fd, p, n, MSG_NOSIGNAL);
        if (w < 0) { if (errno == EAGAIN) { usleep(100); continue; } return; }
        p += w; n -= w;
    }
}

/* a frame of a client, under a mask of zeros */
static void frame(conn_t *c, int opcode, const void *payload, size_t n) {
    uint8_t b[16384]; size_t h = 0;
    if (n > sizeof b - 16) die("frame too long");
    b[h++] = 0x80 | opcode;
    if (n < 126) b[h++] = 0x80 | n; else { b[h++] = 0x80 | 126; b[h++] = n >> 8; b[h++] = n; }
    memset(b + h, 0, 4); h += 4;
    memcpy(b + h, payload, n); raw(c, b, h + n);
}

static void begin(conn_t *c) {
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port) }; inet_pton(AF_INET, host, &a.sin_addr);
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0); if (c->fd < 0) die("socket");
    int one = 1; setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (c->role == SLOW) { int small = 4096; setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small); }
    if (connect(c->fd, (void *)&a, sizeof a) && errno != EINPROGRESS) die("connect");
    struct epoll_event e = { .events = EPOLLOUT, .data.ptr = c }; if (epoll_ctl(epfd, EPOLL_CTL_ADD, c->fd, &e)) die("epoll");
    c->state = CONNECTING; beginning++;
}

static void connected(conn_t *c) {
    struct epoll_event e = { .events = EPOLLIN, .data.ptr = c }; epoll_ctl(epfd, EPOLL_CTL_MOD, c->fd, &e);
    char b[512]; int n = snprintf(b, sizeof b, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: %s\r\n\r\n",
        mqtt ? "/mqtt" : "/v1/ws", port, mqtt ? "mqtt" : "metaq.v1.json");
    raw(c, b, n); c->state = UPGRADING;
}

static void is_ready(conn_t *c) {
    c->state = READY; ready++; beginning--;
    if (c->role == SLOW) { struct epoll_event e = { .events = 0, .data.ptr = c }; epoll_ctl(epfd, EPOLL_CTL_MOD, c->fd, &e); }
}

static void mqtt_string(uint8_t *b, int *n, const char *s) { int l = strlen(s); b[(*n)++] = l >> 8; b[(*n)++] = l; memcpy(b + *n, s, l); *n += l; }

static void subscribe(conn_t *c) {
    char b[512]; int n = 0; const char *t = c->role == IDLE ? quiet : topic;
    if (c->role == PUBLISHER) { is_ready(c); return; }
    c->state = SUBSCRIBING;
    if (mqtt) {
        uint8_t *u = (uint8_t *)b; u[n++] = 0x82; u[n++] = 2 + 2 + strlen(t) + 1; u[n++] = 0; u[n++] = 1; mqtt_string(u, &n, t); u[n++] = 0;
        frame(c, 2, u, n);
    } else {
        n = snprintf(b, sizeof b, "{\"op\":\"subscribe\",\"ref\":\"r\",\"sub\":\"s\",\"topic\":\"%s\",\"credit\":1000000}", t);
        frame(c, 1, b, n);
    }
}

static void upgraded(conn_t *c) {
    if (!mqtt) { subscribe(c); return; }
    uint8_t b[128]; int n = 0; char id[32]; snprintf(id, sizeof id, "w%ld", (long)(c - conns));
    b[n++] = 0x10; b[n++] = 10 + 2 + strlen(id); mqtt_string(b, &n, "MQTT"); b[n++] = 4; b[n++] = 2; b[n++] = 0; b[n++] = 0; mqtt_string(b, &n, id);
    frame(c, 2, b, n); c->state = GREETING;
}

static void message(conn_t *c, const uint8_t *p, size_t n) {
    if (c->state == GREETING) { if (n < 4 || p[0] != 0x20 || p[3]) { fprintf(stderr, "refused\n"); exit(1); } subscribe(c); return; }
    if (c->state == SUBSCRIBING) {
        if (mqtt ? p[0] != 0x90 : !memmem(p, n, "\"subscribed\"", 12)) { fprintf(stderr, "not subscribed: %.*s\n", (int)n, p); exit(1); }
        is_ready(c); return;
    }
    const uint8_t *t = memmem(p, n, "due=", 4);
    if (!t) { if (c->role == ACTIVE) fprintf(stderr, "what is this: %.*s\n", (int)(n > 300 ? 300 : n), p); return; }
    uint64_t due = strtoull((const char *)t + 4, NULL, 10);
    delivered++;
    if (due >= from_ns) { rec(now_ns() - due); counted++; }
}

/* whole frames of what came, as far as they are there */
static void parse(conn_t *c) {
    size_t at = 0;
    if (c->state == UPGRADING) {
        uint8_t *end = memmem(c->in, c->len, "\r\n\r\n", 4); if (!end) return;
        if (strncmp((char *)c->in, "HTTP/1.1 101", 12)) { fprintf(stderr, "no upgrade: %.*s\n", (int)c->len, c->in); exit(1); }
        at = end + 4 - c->in; upgraded(c);
    }
    while (c->len - at >= 2) {
        uint8_t *p = c->in + at; size_t h = 2; uint64_t n = p[1] & 127;
        if (n == 126) { h = 4; if (c->len - at < h) break; n = p[2] << 8 | p[3]; }
        else if (n == 127) { h = 10; if (c->len - at < h) break; n = 0; for (int i = 2; i < 10; i++) n = n << 8 | p[i]; }
        if (c->len - at < h + n) break;
        int opcode = p[0] & 15; p += h;
        if (opcode == 9) frame(c, 10, p, n);
        else if (opcode == 1 || opcode == 2) message(c, p, n);
        else if (opcode == 8) { if (c->role != SLOW) { fprintf(stderr, "closed: %d\n", n >= 2 ? p[0] << 8 | p[1] : 0); lost++; } }
        at += h + n;
    }
    memmove(c->in, c->in + at, c->len - at); c->len -= at;
    if (!c->len) { free(c->in); c->in = NULL; c->cap = 0; }
}

static void readable(conn_t *c) {
    static uint8_t piece[1 << 18];
    ssize_t r = recv(c->fd, piece, sizeof piece, 0);
    if (r < 0 && errno == EAGAIN) return;
    if (r <= 0) { if (c->role != SLOW) { fprintf(stderr, "ended\n"); lost++; } epoll_ctl(epfd, EPOLL_CTL_DEL, c->fd, NULL); return; }
    if (c->cap < c->len + r) { c->cap = c->len + r; c->in = realloc(c->in, c->cap); if (!c->in) die("realloc"); }
    memcpy(c->in + c->len, piece, r); c->len += r; parse(c);
}

static void turn(int wait_ms) {
    struct epoll_event e[512]; int n = epoll_wait(epfd, e, 512, wait_ms);
    for (int i = 0; i < n; i++) {
        conn_t *c = e[i].data.ptr;
        if (c->state == CONNECTING) { connected(c); continue; }
        if (c->role == SLOW && c->state == READY) { fprintf(stderr, "slow_dropped\n"); epoll_ctl(epfd, EPOLL_CTL_DEL, c->fd, NULL); continue; }
        readable(c);
    }
}

static void publish(conn_t *c, uint64_t due) {
    char text[8192], b[9000]; int n = snprintf(text, sizeof text, "due=%020llu ", (unsigned long long)due);
    if (body > (int)sizeof text - 1) die("body");
    while (n < body) text[n++] = 'x';
    text[n] = 0;
    if (mqtt) {
        uint8_t *u = (uint8_t *)b; int h = 0, rest = 2 + strlen(topic) + n; u[h++] = 0x30; do { u[h++] = (rest & 127) | (rest > 127 ? 128 : 0); rest >>= 7; } while (rest);
        mqtt_string(u, &h, topic); memcpy(u + h, text, n); frame(c, 2, u, h + n);
    } else { n = snprintf(b, sizeof b, "{\"op\":\"publish\",\"topic\":\"%s\",\"body\":\"%s\"}", topic, text); frame(c, 1, b, n); }
    published++;
}

int main(int argc, char **argv) {
    int o; while ((o = getopt(argc, argv, "h:p:k:t:q:a:i:r:s:d:w:zP:")) != -1) switch (o) {
        case 'h': host = optarg; break; case 'p': port = atoi(optarg); break; case 'k': kind = optarg; break; case 't': topic = optarg; break;
        case 'q': quiet = optarg; break; case 'a': actives = atoi(optarg); break; case 'i': idles = atoi(optarg); break;
        case 'r': rate = atoi(optarg); break; case 's': body = atoi(optarg); break; case 'd': seconds = atoi(optarg); break;
        case 'w': warm = atoi(optarg); break; case 'z': slow = 1; break; case 'P': serverpid = atoi(optarg); break; default: return 2; }
    mqtt = !strcmp(kind, "mqtt"); epfd = epoll_create1(0);
    struct rlimit files; getrlimit(RLIMIT_NOFILE, &files); files.rlim_cur = files.rlim_max; setrlimit(RLIMIT_NOFILE, &files);
    count = 1 + slow + actives + idles; conns = calloc(count, sizeof *conns);
    uint64_t begun = now_ns();
    for (int next = 0; ready < count;) {
        while (next < count && beginning < BEGIN_AT_ONCE) {
            conns[next].role = next == 0 ? PUBLISHER : next <= slow ? SLOW : next <= slow + actives ? ACTIVE : IDLE; begin(&conns[next++]);
        }
        turn(100);
        if (now_ns() - begun > 120 * SECOND) { fprintf(stderr, "only %d of %d are ready\n", ready, count); return 1; }
    }
    fprintf(stderr, "%d connections ready in %.1f s, server_rss_mb=%.1f\n", count, (now_ns() - begun) / 1e9, rss_kb(serverpid) / 1024.0);
    uint64_t start = now_ns(), next = start, end = start + (uint64_t)(warm + seconds) * SECOND, tell = start; double cpu = 0;
    from_ns = start + (uint64_t)warm * SECOND; int warming = 1; uint64_t published_before = 0, expected;
    while (now_ns() < end) {
        uint64_t now = now_ns();
        if (warming && now >= from_ns) { warming = 0; cpu = cpu_of(serverpid); published_before = published; }
        while (rate && next <= now) { publish(&conns[0], next); next += SECOND / rate; }
        if (serverpid && now >= tell) { fprintf(stderr, "t=%.0f server_rss_mb=%.1f\n", (now - start) / 1e9, rss_kb(serverpid) / 1024.0); tell += 10 * SECOND; }
        int64_t left = rate ? (int64_t)(next - now_ns()) / 1000000 : 100; turn(left < 0 ? 0 : left > 100 ? 100 : left);
    }
    cpu = cpu_of(serverpid) - cpu; expected = published * actives;
    for (uint64_t last = now_ns() + SECOND; delivered < expected && now_ns() < last;) turn(10);
    printf("active=%d idle=%d publishes=%llu deliveries_per_s=%.0f missing=%lld lost=%d p50_ms=%.2f p99_ms=%.2f p999_ms=%.2f max_ms=%.2f",
        actives, idles, (unsigned long long)(published - published_before), counted / (double)seconds, (long long)(expected - delivered), lost,
        pct(.5), pct(.99), pct(.999), hmax / 1e6);
    if (serverpid) printf(" cpu_us=%.1f server_rss_mb=%.1f", counted ? cpu * 1e6 / counted : 0, rss_kb(serverpid) / 1024.0);
    printf("\n");
    return lost || expected != delivered;
}
