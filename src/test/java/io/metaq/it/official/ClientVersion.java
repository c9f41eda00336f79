package io.metaq.it.official;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

/** The one difference between the generations' APIs that these tests meet: 5.x moved the type of the message model. */
final class ClientVersion {

  private ClientVersion() {
  }

  static void setBroadcasting(DefaultMQPushConsumer consumer) throws ReflectiveOperationException {
    Method setter = Arrays.stream(DefaultMQPushConsumer.class.getMethods())
        .filter(method -> method.getName().equals("setMessageModel")).findFirst().orElseThrow();
    Object broadcasting = Arrays.stream(setter.getParameterTypes()[0].getEnumConstants())
        .filter(model -> model.toString().equals("BROADCASTING")).findFirst().orElseThrow();
    setter.invoke(consumer, broadcasting);
  }
}
