package io.metaq.launcher;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * What the JVM tells of its heap, whichever collector it has: G1, Serial, Parallel, ZGC or Shenandoah. The classes behind it take long to
 * load, so it is made when a start is over or has taken its time.
 */
final class HeapFigures {
  /** Of collectors that work beside the process: their cycles take no time from it, their pauses are counted by themselves. */
  private static final List<String> BESIDE = List.of("Cycles", "Concurrent GC");

  private final List<MemoryPoolMXBean> pools = new ArrayList<>();
  private final List<GarbageCollectorMXBean> collectors = new ArrayList<>();

  HeapFigures() {
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        pools.add(pool);
      }
    }
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (BESIDE.stream().noneMatch(collector.getName()::endsWith)) {
        collectors.add(collector);
      }
    }
  }

  HeapRule.Look look(long atNs) {
    long usedBytes = 0;
    for (int i = 0; i < pools.size(); i++) {
      MemoryUsage left = pools.get(i).getCollectionUsage();
      usedBytes += left == null ? 0 : left.getUsed();
    }
    long collections = 0;
    long collectingMs = 0;
    for (int i = 0; i < collectors.size(); i++) {
      collections += collectors.get(i).getCollectionCount();
      collectingMs += collectors.get(i).getCollectionTime();
    }
    return new HeapRule.Look(atNs, usedBytes, Runtime.getRuntime().maxMemory(), collections, collectingMs);
  }
}
