package io.metaq.launcher;

import io.vertx.core.Deployable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Every verticle class a descriptor may name, with its one factory. */
final class VerticleKinds {
  private final Map<String, VerticleKind> kinds = new LinkedHashMap<>();

  VerticleKinds() {
  }

  private void onLoop(
      Class<? extends Deployable> type,
      Component component,
      List<Class<? extends Deployable>> after,
      java.util.function.Function<Rooms, Deployable> factory) {
    add(new VerticleKind(type, Optional.ofNullable(component), false, Optional.empty(), after, factory));
  }

  private void add(VerticleKind kind) {
    kinds.put(kind.type().getName(), kind);
  }

  /**
   * The kind of an entry.
   *
   * @throws StartFailure when there is none of that class
   */
  VerticleKind of(Descriptor descriptor, Descriptor.Entry entry) {
    VerticleKind kind = kinds.get(entry.className());
    if (kind == null) {
      String near = Nearest.of(entry.className(), kinds.keySet()).map(name -> "; did you mean " + name + "?").orElse("");
      throw new StartFailure(
          "the descriptor " + descriptor.name() + " names the class " + entry.className() + ", which is no verticle of MetaQ" + near);
    }
    return kind;
  }

  /**
   * Which components a descriptor makes a process of.
   *
   * @throws StartFailure when a class is unknown, stands twice, or before one it needs
   */
  Set<Component> check(Descriptor descriptor) {
    Set<Component> components = EnumSet.noneOf(Component.class);
    Set<Class<?>> earlier = new HashSet<>();
    List<String> seen = new ArrayList<>();
    for (Descriptor.Entry entry : descriptor.entries()) {
      VerticleKind kind = of(descriptor, entry);
      kind.component().ifPresent(components::add);
      for (Class<?> needed : kind.after()) {
        if (!earlier.contains(needed)) {
          throw new StartFailure("the descriptor " + descriptor.name() + ": " + entry.shortName() + " needs "
              + needed.getSimpleName() + " before it");
        }
      }
      if (!earlier.add(kind.type())) {
        throw new StartFailure("the descriptor " + descriptor.name() + " names " + entry.shortName() + " twice");
      }
      seen.add(entry.shortName());
    }
    return components;
  }
}
