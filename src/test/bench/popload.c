/* Pops messages of a topic and acknowledges each of them, as the official client does: one pop of up to 32 at a time on a connection, then
 * an acknowledgement for each message, all of them under way at once. Prints one line of figures in mqload's form.
 *
 *   popload -p port -t topic -n messages [-c connections] [-b batch] [-P pid of the server]
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int port = 10911, connections = 8, batch = 32, server_pid;
static long total = 100000;
static const char *topic = "popped";
static volatile long popped, acked, bad;

static void die(const char *what) { perror(what); exit(1); }

static uint64_t now_ns(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000ull + t.tv_nsec; }

static long now_ms(void) { struct timespec t; clock_gettime(CLOCK_REALTIME, &t); return t.tv_sec * 1000 + t.tv_nsec / 1000000; }

static uint32_t be32(const uint8_t *p) { return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; }

static long be64(const uint8_t *p) { return (long)((uint64_t)be32(p) << 32 | be32(p + 4)); }

static void put32(uint8_t *p, uint32_t v) { p[0] = v >> 24; p[1] = v >> 16; p[2] = v >> 8; p[3] = v; }

/* CPU seconds of a process */
static double cpu_of(int pid) {
  char path[64], line[1024]; unsigned long user = 0, sys = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  if (fgets(line, sizeof line, f)) sscanf(strrchr(line, ')') + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &sys);
  fclose(f);
  return (double)(user + sys) / sysconf(_SC_CLK_TCK);
}

typedef struct { int fd; uint8_t *in; size_t in_cap; uint8_t out[128 * 1024]; size_t out_len; uint32_t opaque; } conn_t;

static int connect_to(void) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) die("connect");
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return fd;
}

static void add(conn_t *c, const char *header, int length) {
  put32(c->out + c->out_len, 4 + length);
  put32(c->out + c->out_len + 4, length);
  memcpy(c->out + c->out_len + 8, header, length);
  c->out_len += 8 + length;
}

static void flush_out(conn_t *c) {
  for (size_t off = 0; off < c->out_len; ) { ssize_t n = write(c->fd, c->out + off, c->out_len - off); if (n < 0) die("write"); off += n; }
  c->out_len = 0;
}

static void need(conn_t *c, uint8_t *to, size_t count) {
  for (size_t off = 0; off < count; ) { ssize_t n = read(c->fd, to + off, count - off); if (n <= 0) die("read"); off += n; }
}

/* Reads one answer; the header begins at c->in + 4, its length and that of the body are set. */
static void answer(conn_t *c, int *header_length, int *body_length) {
  uint8_t start[4];
  need(c, start, 4);
  uint32_t length = be32(start);
  if (length + 1 > c->in_cap) { c->in_cap = length + 65536; c->in = realloc(c->in, c->in_cap); }
  need(c, c->in, length);
  *header_length = be32(c->in) & 0xffffff;
  *body_length = length - 4 - *header_length;
}

static long number(const char *header, int length, const char *key) {
  char quoted[64]; int n = snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char *p = memmem(header, length, quoted, n);
  if (!p) return -1;
  p += n;
  return strtol(*p == '"' ? p + 1 : p, NULL, 10);
}

/* The start offset of a queue in "0 3 17;0 4 2": what the client puts first into a handle. */
static long start_offset(const char *header, int length, int queue) {
  static const char key[] = "\"startOffsetInfo\":\"";
  const char *p = memmem(header, length, key, sizeof key - 1);
  if (!p) return -1;
  for (p += sizeof key - 1; *p && *p != '"'; p++) {
    int retry, id; long start;
    if (sscanf(p, "%d %d %ld", &retry, &id, &start) == 3 && retry == 0 && id == queue) return start;
    while (*p != ';' && *p != '"') p++;
    if (*p == '"') break;
  }
  return -1;
}

static void pop(conn_t *c) {
  char h[768];
  add(c, h, snprintf(h, sizeof h,
    "{\"code\":200050,\"extFields\":{\"consumerGroup\":\"CG_bench\",\"topic\":\"%s\",\"queueId\":\"-1\",\"maxMsgNums\":\"%d\","
    "\"invisibleTime\":\"60000\",\"pollTime\":\"2000\",\"bornTime\":\"%ld\",\"initMode\":\"0\",\"expType\":\"TAG\",\"exp\":\"*\",\"order\":\"false\"},"
    "\"flag\":0,\"language\":\"JAVA\",\"opaque\":%u,\"serializeTypeCurrentRPC\":\"JSON\",\"version\":495}", topic, batch, now_ms(), c->opaque++));
  flush_out(c);
}

static void *work(void *unused) {
  (void)unused;
  conn_t *c = calloc(1, sizeof *c); int hl, bl, idle = 0;
  c->fd = connect_to();
  while (acked < total && idle < 5) {
    pop(c);
    answer(c, &hl, &bl);
    c->in[4 + hl + bl] = 0;
    const char *header = (const char *)c->in + 4;
    long code = number(header, hl, "code");
    if (code != 0) {
      if (code != 210 && code != 19) { __sync_fetch_and_add(&bad, 1); fprintf(stderr, "%.*s\n", hl < 300 ? hl : 300, header); }
      idle++;
      continue;
    }
    idle = 0;
    long pop_time = number(header, hl, "popTime"), invisible = number(header, hl, "invisibleTime"), revive = number(header, hl, "reviveQid");
    int messages = 0;
    for (const uint8_t *m = c->in + 4 + hl, *end = m + bl; m < end; m += be32(m)) {
      int queue = be32(m + 12); long offset = be64(m + 20); char h[1024];
      add(c, h, snprintf(h, sizeof h,
        "{\"code\":200051,\"extFields\":{\"consumerGroup\":\"CG_bench\",\"topic\":\"%s\",\"queueId\":\"%d\",\"extraInfo\":\"%ld %ld %ld %ld 0 a %d %ld\","
        "\"offset\":\"%ld\"},\"flag\":0,\"language\":\"JAVA\",\"opaque\":%u,\"serializeTypeCurrentRPC\":\"JSON\",\"version\":495}",
        topic, queue, start_offset(header, hl, queue), pop_time, invisible, revive, queue, offset, offset, c->opaque++));
      messages++;
    }
    __sync_fetch_and_add(&popped, messages);
    flush_out(c);
    for (int i = 0; i < messages; i++) {
      answer(c, &hl, &bl);
      if (number((const char *)c->in + 4, hl, "code") != 0) __sync_fetch_and_add(&bad, 1);
    }
    __sync_fetch_and_add(&acked, messages);
  }
  close(c->fd);
  return NULL;
}

int main(int argc, char **argv) {
  int o;
  while ((o = getopt(argc, argv, "p:t:n:c:b:P:")) != -1) switch (o) {
    case 'p': port = atoi(optarg); break;
    case 't': topic = optarg; break;
    case 'n': total = atol(optarg); break;
    case 'c': connections = atoi(optarg); break;
    case 'b': batch = atoi(optarg); break;
    case 'P': server_pid = atoi(optarg); break;
    default: return 2;
  }
  pthread_t threads[256];
  if (connections > 256) return 2;
  uint64_t start = now_ns(); double cpu = server_pid ? cpu_of(server_pid) : 0;
  for (int i = 0; i < connections; i++) if (pthread_create(threads + i, NULL, work, NULL)) die("thread");
  for (int i = 0; i < connections; i++) pthread_join(threads[i], NULL);
  double secs = (now_ns() - start) / 1e9;
  printf("mode=pop conns=%d batch=%d msgs=%ld secs=%.3f rate=%.0f bad=%ld", connections, batch, acked, secs, acked / secs, bad);
  if (server_pid) printf(" server_cpu_us_per_msg=%.2f", (cpu_of(server_pid) - cpu) * 1e6 / (acked ? acked : 1));
  printf("\n");
  return bad || acked < total;
}
