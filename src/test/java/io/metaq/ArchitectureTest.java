package io.metaq;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.metaq.model.OwnedBy;
import io.vertx.core.Deployable;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/**
 * The layers and habits of docs/ARCHITECTURE.md. Loosening a rule is a commit of its own with a line in an ADR.
 */
@AnalyzeClasses(packages = "io.metaq", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] SERVER_ROOMS = {
    "io.metaq.store..", "io.metaq.bus..", "io.metaq.net..", "io.metaq.broker..", "io.metaq.coordinator..", "io.metaq.nameserver..",
    "io.metaq.replication..", "io.metaq.torture..", "io.metaq.launcher..", "io.metaq.embedded..", "io.metaq.cli.."
  };

  private static final String[] GROUND = {
    "io.metaq.model..", "io.metaq.filter..", "io.metaq.codec..", "io.metaq.store", "io.metaq.store.inspect.."
  };

  @ArchTest
  static final ArchRule eachRoomSeesOnlyTheRoomsBelowIt =
      CompositeArchRule.of(room("io.metaq.model.."))
          .and(room("io.metaq.filter..", "io.metaq.model.."))
          .and(room("io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.store", "io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.store.inspect..", "io.metaq.store", "io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.bus..", "io.metaq.model.."))
          .and(room("io.metaq.net..", "io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.store.service..", "io.metaq.store", "io.metaq.bus..", "io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.coordinator.api..", "io.metaq.bus..", "io.metaq.model.."))
          .and(room("io.metaq.coordinator..",
              "io.metaq.store..", "io.metaq.bus..", "io.metaq.net..", "io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.broker..", "io.metaq.coordinator.api..",
              "io.metaq.store..", "io.metaq.bus..", "io.metaq.net..", "io.metaq.filter..", "io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.replication..", "io.metaq.coordinator.api..",
              "io.metaq.store..", "io.metaq.bus..", "io.metaq.net..", "io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.nameserver..", "io.metaq.net..", "io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.torture..",
              "io.metaq.store..", "io.metaq.bus..", "io.metaq.client..", "io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.client..", "io.metaq.filter..", "io.metaq.codec..", "io.metaq.model.."))
          .and(room("io.metaq.messaging..", "io.metaq.client..", "io.metaq.model.."))
          .and(room("io.metaq.embedded..", "io.metaq.launcher..", "io.metaq.client..", "io.metaq.model.."))
          .and(room("io.metaq.bridge..", "io.metaq.client..", "io.metaq.codec..", "io.metaq.model.."))
          .because("a room that knows only what lies below it can be read, tested and replaced alone");

  @ArchTest
  static final ArchRule noCyclesBetweenPackages =
      slices().matching("io.metaq.(**)").should().beFreeOfCycles()
          .because("packages in a cycle are one package that pretends to be several");

  @ArchTest
  static final ArchRule theGroundKnowsNoRuntime =
      noClasses().that(resideInAnyPackage(GROUND))
          .should().dependOnClassesThat().resideInAnyPackage("io.vertx..", "io.netty..", "io.smallrye..")
          .because("formats and store are tested and recovered without an event loop");

  @ArchTest
  static final ArchRule theGroundStartsNoThreads =
      noClasses().that(resideInAnyPackage(GROUND))
          .should().dependOnClassesThat(assignableTo(Executor.class).or(assignableTo(Timer.class)).or(assignableTo(Future.class)))
          .orShould().callConstructor(Thread.class)
          .orShould().callConstructor(Thread.class, Runnable.class)
          .orShould().callConstructor(Thread.class, Runnable.class, String.class)
          .orShould().callMethod(Thread.class, "start")
          .because("verticles give the store its threads, one owner for each mutable thing");

  @ArchTest
  static final ArchRule onlyNetTouchesNettyAndInternals =
      noClasses().that(not(resideInAPackage("io.metaq.net..")).and(not(name("io.metaq.bridge.UnreadableRequest"))))
          .should().dependOnClassesThat().resideInAnyPackage("io.netty..", "io.vertx..internal..", "io.vertx..impl..")
          .because("Vert.x moves its internals between releases, and one package is enough to follow; what was wrong with a broken "
              + "request Vert.x itself tells by exceptions of Netty (ADR 0026)");

  @ArchTest
  static final ArchRule theClientKeepsToTheVertxApiOfBothVersions =
      noClasses().that(resideInAnyPackage("io.metaq.client..", "io.metaq.messaging.."))
          .should().dependOnClassesThat().haveFullyQualifiedName("io.vertx.core.VerticleBase")
          .orShould().dependOnClassesThat().haveFullyQualifiedName("io.vertx.core.Deployable")
          .orShould().dependOnClassesThat().haveFullyQualifiedName("io.vertx.core.Completable")
          .because("they live in the application's Vert.x, which may be 4.5 or 5; the execution vertx-4 of the pom runs them on 4.5");

  @ArchTest
  static final ArchRule onlyTheConnectorKnowsItsContainer =
      noClasses().that(not(resideInAPackage("io.metaq.messaging..")))
          .should().dependOnClassesThat().resideInAnyPackage("io.smallrye.reactive..", "org.eclipse.microprofile..", "jakarta..",
              "io.vertx.mutiny..")
          .because("what an application has to bring for the connector must not be needed by anything else");

  @ArchTest
  static final ArchRule onlyTheEmbeddedClusterKnowsJUnit =
      noClasses().that(not(resideInAPackage("io.metaq.embedded..")))
          .should().dependOnClassesThat().resideInAnyPackage("org.junit..")
          .because("it is there in tests of applications alone");

  @ArchTest
  static final ArchRule roomsOfTheServerDoNotKnowOneAnother =
      CompositeArchRule.of(strangers("io.metaq.broker..", "io.metaq.nameserver..", "io.metaq.replication.."))
          .and(strangers("io.metaq.coordinator..", "io.metaq.broker..", "io.metaq.nameserver..", "io.metaq.replication.."))
          .and(strangers("io.metaq.replication..", "io.metaq.broker..", "io.metaq.nameserver.."))
          .and(strangers("io.metaq.nameserver..", "io.metaq.broker..", "io.metaq.coordinator..", "io.metaq.replication.."))
          .and(noClasses().that(resideInAPackage("io.metaq.broker..").or(resideInAPackage("io.metaq.replication..")))
              .should().dependOnClassesThat(resideInAPackage("io.metaq.coordinator..").and(not(resideInAPackage("io.metaq.coordinator.api.."))))
              .allowEmptyShould(true))
          .because("they talk over the bus or over TCP; the standalone's broker registers with its name server like any other");

  @ArchTest
  static final ArchRule theClientImportsNoServer =
      noClasses().that(resideInAnyPackage("io.metaq.client..", "io.metaq.messaging..", "io.metaq.bridge.."))
          .should().dependOnClassesThat().resideInAnyPackage(SERVER_ROOMS)
          .because("an application that uses the client must not carry a broker");

  @ArchTest
  static final ArchRule theBusIsReachedThroughProxiesAndVerticles =
      noClasses().that(not(resideInAPackage("io.metaq.bus..")).and(not(nestedIn(simpleNameEndingWith("Proxy"))))
          .and(not(nestedIn(simpleNameEndingWith("Verticle")))))
          .should().callMethod(Vertx.class, "eventBus")
          .because("a look at the name must tell that a call crosses a thread");

  @ArchTest
  static final ArchRule mutinyIsForUsers =
      noClasses().that(not(resideInAnyPackage("io.metaq.client..", "io.metaq.messaging..", "io.metaq.bridge..", "io.metaq.cli..",
          "io.metaq.torture..", "io.metaq.embedded..")))
          .should().dependOnClassesThat().resideInAPackage("io.smallrye.mutiny..")
          .because("the server speaks Vert.x futures; Mutiny is the face of the client, and commands are its users");

  @ArchTest
  static final ArchRule mutableClassesNameTheirOwner =
      classes().should(nameTheirOwnerWhenMutable())
          .because("every mutable thing has one owner, and its class says who");

  @ArchTest
  static final ArchRule fieldsOfVerticlesArePrivate =
      fields().that().areDeclaredInClassesThat().areAssignableTo(Deployable.class)
          .and().areNotStatic()
          .should().bePrivate()
          .allowEmptyShould(true)
          .because("a verticle is reached by message only");

  @ArchTest
  static final ArchRule timeComesFromTheClock =
      noClasses().that(not(resideInAPackage("io.metaq.model").and(simpleNameEndingWith("SystemClock"))))
          .should().callMethod(System.class, "currentTimeMillis")
          .orShould().callMethod(System.class, "nanoTime")
          .orShould().callMethod(Thread.class, "sleep", long.class)
          .orShould().callMethod(java.time.Instant.class, "now")
          .because("tests move the clock by hand, and nobody sleeps");

  @ArchTest
  static final ArchRule whatTravelsIsFinal =
      classes().that().resideInAPackage("io.metaq.bus..").and().areNotInterfaces()
          .should().haveModifier(JavaModifier.FINAL)
          .because("what is given away to another thread must be what its class says");

  private static ArchRule room(String room, String... below) {
    List<String> own = new ArrayList<>(List.of(below));
    own.add(room);
    return noClasses().that(resideInAPackage(room))
        .should().dependOnClassesThat(resideInAPackage("io.metaq..").and(not(resideInAnyPackage(own.toArray(String[]::new)))))
        .allowEmptyShould(true);
  }

  private static ArchRule strangers(String room, String... others) {
    return noClasses().that(resideInAPackage(room)).should().dependOnClassesThat().resideInAnyPackage(others).allowEmptyShould(true);
  }

  private static DescribedPredicate<JavaClass> nestedIn(DescribedPredicate<JavaClass> outer) {
    return describe("are or are nested in classes with " + outer.getDescription(), type -> outer.test(outermost(type)));
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
  }

  private static ArchCondition<JavaClass> nameTheirOwnerWhenMutable() {
    return new ArchCondition<>("carry @OwnedBy, themselves or around them, when they have a non-final instance field") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (ownerNamed(type)) {
          return;
        }
        for (JavaField field : type.getFields()) {
          boolean mutable = !field.getModifiers().contains(JavaModifier.FINAL) && !field.getModifiers().contains(JavaModifier.STATIC);
          if (mutable && !setByPicocli(field)) {
            events.add(SimpleConditionEvent.violated(field, field.getFullName() + " is mutable, but " + type.getName()
                + " names no owner"));
          }
        }
      }
    };
  }

  private static boolean ownerNamed(JavaClass type) {
    return type.isAnnotatedWith(OwnedBy.class) || type.getEnclosingClass().map(ArchitectureTest::ownerNamed).orElse(false);
  }

  /** Options of a command are set once, before it runs. */
  private static boolean setByPicocli(JavaField field) {
    return field.getAnnotations().stream().anyMatch(annotation -> annotation.getRawType().getPackageName().equals("picocli"));
  }
}
