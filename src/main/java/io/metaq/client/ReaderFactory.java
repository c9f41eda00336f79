package io.metaq.client;

/** Makes readers of queues; holds what all of them share. */
record ReaderFactory(Home home, Pulls pulls, RouteCache routes, Backoff backoff) {
  QueueReader make(TopicQueue queue, Pulls.Reader who, QueueReader.Inlet inlet, int readAhead, int maxUnsettled) {
    return new QueueReader(home, pulls, routes, backoff, queue, who, inlet, readAhead, maxUnsettled);
  }
}
