package io.metaq.bus;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;

/**
 * The event bus inside one process: bodies travel by reference, so sending gives away. One named codec serves every type; it refuses
 * the wire.
 */
public final class LocalBus {
  private static final String CODEC = "metaq-local";

  /** Options for every send and reply between verticles; shared, never changed. */
  public static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true).setCodecName(CODEC);

  private LocalBus() {}

  /** Teaches a Vert.x instance the codec; once, before the first verticle is deployed. */
  public static void install(Vertx vertx) {
    vertx.eventBus().registerCodec(new ByReference());
  }

  private static final class ByReference implements MessageCodec<Object, Object> {
    @Override
    public void encodeToWire(Buffer buffer, Object body) {
      throw new UnsupportedOperationException("local messages do not leave the process: " + body.getClass().getName());
    }

    @Override
    public Object decodeFromWire(int position, Buffer buffer) {
      throw new UnsupportedOperationException("local messages do not come from outside the process");
    }

    @Override
    public Object transform(Object body) {
      return body;
    }

    @Override
    public String name() {
      return CODEC;
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }
}
