package io.metaq.launcher;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One verticle class the launcher can deploy: its factory, and the rules a descriptor keeps.
 *
 * @param factory called once for each instance
 * @param component which configuration keys it brings
 * @param portKey the configuration key of the port it listens on
 * @param everyLoop one instance for each event loop; one in all otherwise
 * @param pool the worker pool it is on; empty on an event loop
 * @param store whether the store must be open
 * @param after classes that stand before it in the same descriptor
 * @param opens whether others come to the process by it, so that all that stand before it must have started
 */
record VerticleKind(
    Class<? extends Deployable> type,
    Function<Rooms, Deployable> factory,
    Optional<Component> component,
    Optional<String> portKey,
    boolean everyLoop,
    Optional<Pool> pool,
    boolean store,
    List<Class<? extends Deployable>> after,
    boolean opens) {
  /** A worker pool, with how many threads for all verticles that are on it. */
  record Pool(String name, int threads) {}

  VerticleKind {
    after = List.copyOf(after);
  }

  /** One instance on an event loop, with nothing it needs. */
  static VerticleKind of(Class<? extends Deployable> type, Function<Rooms, Deployable> factory) {
    return new VerticleKind(type, factory, Optional.empty(), Optional.empty(), false, Optional.empty(), false, List.of(), false);
  }

  VerticleKind brings(Component part) {
    return new VerticleKind(type, factory, Optional.of(part), portKey, everyLoop, pool, store, after, opens);
  }

  VerticleKind listensOn(String key) {
    return new VerticleKind(type, factory, component, Optional.of(key), everyLoop, pool, store, after, true);
  }

  VerticleKind onEveryLoop() {
    return new VerticleKind(type, factory, component, portKey, true, pool, store, after, opens);
  }

  /** On a worker pool of one thread, of its own. */
  VerticleKind onPool(String name) {
    return onPool(new Pool(name, 1));
  }

  /** On a worker pool that it may share. */
  VerticleKind onPool(Pool workers) {
    return new VerticleKind(type, factory, component, portKey, everyLoop, Optional.of(workers), store, after, opens);
  }

  /** It is a part of a broker that needs the store. */
  VerticleKind usesStore() {
    return new VerticleKind(type, factory, Optional.of(Component.BROKER), portKey, everyLoop, pool, true, after, opens);
  }

  @SafeVarargs
  final VerticleKind after(Class<? extends Deployable>... earlier) {
    return new VerticleKind(type, factory, component, portKey, everyLoop, pool, store, List.of(earlier), opens);
  }

  /** It listens nowhere, but has others told where the process does. */
  VerticleKind opening() {
    return new VerticleKind(type, factory, component, portKey, everyLoop, pool, store, after, true);
  }

  /** Class name without package, for people. */
  String name() {
    return type.getSimpleName();
  }

  private ThreadingModel threadingModel() {
    return pool.isPresent() ? ThreadingModel.WORKER : ThreadingModel.EVENT_LOOP;
  }

  /**
   * The options of an entry as Vert.x takes them.
   *
   * @throws StartFailure when the entry breaks a rule of this kind
   */
  DeploymentOptions options(Descriptor descriptor, Descriptor.Entry entry, int loops) {
    JsonObject json = entry.options().copy();
    json.remove("config");
    Object instances = json.remove("instances");
    DeploymentOptions options = read(descriptor, entry, json);
    if (options.getThreadingModel() != threadingModel()) {
      throw broken(descriptor, entry, "threadingModel must be " + threadingModel());
    }
    if (!Optional.ofNullable(options.getWorkerPoolName()).equals(pool.map(Pool::name))) {
      throw broken(descriptor, entry,
          pool.map(workers -> "workerPoolName must be " + workers.name()).orElse("workerPoolName has no place here"));
    }
    if (pool.isPresent() && options.getWorkerPoolSize() != pool.get().threads()) {
      throw broken(descriptor, entry, "workerPoolSize must be " + pool.get().threads());
    }
    Object expected = everyLoop ? "loops" : Integer.valueOf(1);
    if (!expected.equals(instances)) {
      throw broken(descriptor, entry, "instances must be " + (everyLoop ? "\"loops\"" : "1"));
    }
    return options.setInstances(everyLoop ? loops : 1);
  }

  private static DeploymentOptions read(Descriptor descriptor, Descriptor.Entry entry, JsonObject json) {
    try {
      return new DeploymentOptions(json);
    } catch (RuntimeException unknownValue) {
      throw broken(descriptor, entry, "the options cannot be read: " + unknownValue.getMessage());
    }
  }

  private static StartFailure broken(Descriptor descriptor, Descriptor.Entry entry, String rule) {
    return new StartFailure("the descriptor " + descriptor.name() + ": " + entry.shortName() + ": " + rule);
  }
}
