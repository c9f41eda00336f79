/** What the coordinators tell others and what can be asked of them: snapshots, deltas, proxies. Open to broker and replication. */
package io.metaq.coordinator.api;
