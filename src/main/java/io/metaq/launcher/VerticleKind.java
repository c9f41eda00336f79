package io.metaq.launcher;

import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One verticle class the launcher can deploy: its factory, and the rules a descriptor keeps.
 *
 * @param component which configuration keys it brings
 * @param everyLoop one instance for each event loop; one in all otherwise
 * @param pool name of its worker pool of one thread; empty on an event loop
 * @param after classes that stand before it in the same descriptor
 * @param factory called once for each instance
 */
record VerticleKind(
    Class<? extends Deployable> type,
    Optional<Component> component,
    boolean everyLoop,
    Optional<String> pool,
    List<Class<? extends Deployable>> after,
    Function<Rooms, Deployable> factory) {
  VerticleKind {
    after = List.copyOf(after);
  }

  ThreadingModel threadingModel() {
    return pool.isPresent() ? ThreadingModel.WORKER : ThreadingModel.EVENT_LOOP;
  }

  /**
   * The options of an entry as Vert.x takes them.
   *
   * @throws StartFailure when the entry breaks a rule of this kind
   */
  DeploymentOptions options(Descriptor descriptor, Descriptor.Entry entry, int loops) {
    var json = entry.options().copy();
    json.remove("config");
    Object instances = json.remove("instances");
    DeploymentOptions options = new DeploymentOptions(json);
    if (options.getThreadingModel() != threadingModel()) {
      throw broken(descriptor, entry, "threadingModel must be " + threadingModel());
    }
    if (!Optional.ofNullable(options.getWorkerPoolName()).equals(pool)) {
      throw broken(descriptor, entry, pool.map(name -> "workerPoolName must be " + name).orElse("workerPoolName has no place here"));
    }
    if (pool.isPresent() && options.getWorkerPoolSize() != 1) {
      throw broken(descriptor, entry, "workerPoolSize must be 1");
    }
    Object expected = everyLoop ? "loops" : 1;
    if (!expected.equals(instances)) {
      throw broken(descriptor, entry, "instances must be " + (everyLoop ? "\"loops\"" : "1"));
    }
    return options.setInstances(everyLoop ? loops : 1);
  }

  private static StartFailure broken(Descriptor descriptor, Descriptor.Entry entry, String rule) {
    return new StartFailure("the descriptor " + descriptor.name() + ": " + entry.shortName() + ": " + rule);
  }
}
