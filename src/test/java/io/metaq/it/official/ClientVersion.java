package io.metaq.it.official;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

/** The differences between the generations' APIs that these tests meet: 5.x moved the type of the message model, and has more. */
final class ClientVersion {

  private ClientVersion() {
  }

  /** Only 5.x can leave it to the broker which queues a consumer gets. */
  static void letBrokerRebalance(DefaultMQPushConsumer consumer) throws ReflectiveOperationException {
    DefaultMQPushConsumer.class.getMethod("setClientRebalance", boolean.class).invoke(consumer, false);
  }

  static void setBroadcasting(DefaultMQPushConsumer consumer) throws ReflectiveOperationException {
    Method setter = Arrays.stream(DefaultMQPushConsumer.class.getMethods())
        .filter(method -> method.getName().equals("setMessageModel")).findFirst().orElseThrow();
    Object broadcasting = Arrays.stream(setter.getParameterTypes()[0].getEnumConstants())
        .filter(model -> model.toString().equals("BROADCASTING")).findFirst().orElseThrow();
    setter.invoke(consumer, broadcasting);
  }
}
