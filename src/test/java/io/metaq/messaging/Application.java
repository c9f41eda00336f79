package io.metaq.messaging;

import io.smallrye.reactive.messaging.health.HealthReport;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.enterprise.inject.spi.CDI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.eclipse.microprofile.reactive.messaging.spi.ConnectorLiteral;

/** An application of SmallRye Reactive Messaging with some beans and channels, as its container runs it. */
final class Application implements AutoCloseable {
  private final SeContainer container;
  private final Config config;

  private Application(SeContainer container, Config config) {
    this.container = container;
    this.config = config;
  }

  /** What is configured. */
  static final class Channels {
    private final Map<String, String> properties = new LinkedHashMap<>();

    Channels(int nameServerPort) {
      properties.put("mp.messaging.connector." + MetaqConnector.NAME + ".name-servers", "127.0.0.1:" + nameServerPort);
    }

    /** @param attributes names and values in turn */
    Channels incoming(String channel, String... attributes) {
      return add("mp.messaging.incoming." + channel + ".", attributes);
    }

    /** @param attributes names and values in turn */
    Channels outgoing(String channel, String... attributes) {
      return add("mp.messaging.outgoing." + channel + ".", attributes);
    }

    Application start(Class<?>... beans) {
      ConfigProviderResolver resolver = ConfigProviderResolver.instance();
      Config config = resolver.getBuilder().withSources(new Given(Map.copyOf(properties))).build();
      resolver.registerConfig(config, Thread.currentThread().getContextClassLoader());
      try {
        return new Application(SeContainerInitializer.newInstance().addBeanClasses(beans).initialize(), config);
      } catch (RuntimeException failure) {
        resolver.releaseConfig(config);
        throw failure;
      }
    }

    private Channels add(String prefix, String... attributes) {
      properties.put(prefix + "connector", MetaqConnector.NAME);
      for (int i = 0; i < attributes.length; i += 2) {
        properties.put(prefix + attributes[i], attributes[i + 1]);
      }
      return this;
    }
  }

  private record Given(Map<String, String> properties) implements ConfigSource {
    @Override
    public Map<String, String> getProperties() {
      return properties;
    }

    @Override
    public Set<String> getPropertyNames() {
      return properties.keySet();
    }

    @Override
    public String getValue(String name) {
      return properties.get(name);
    }

    @Override
    public String getName() {
      return "test";
    }
  }

  <T> T bean(Class<T> type) {
    return CDI.current().select(type).get();
  }

  HealthReport liveness() {
    return connector().getLiveness();
  }

  HealthReport readiness() {
    return connector().getReadiness();
  }

  private MetaqConnector connector() {
    return container.select(MetaqConnector.class, ConnectorLiteral.of(MetaqConnector.NAME)).get();
  }

  @Override
  public void close() {
    container.close();
    ConfigProviderResolver.instance().releaseConfig(config);
  }
}
