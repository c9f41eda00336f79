package sample;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Outgoing;

/** Makes a bill of each order. */
@ApplicationScoped
public class Billing {
  @Incoming("orders")
  @Outgoing("bills")
  public String bill(String order) {
    return "bill of " + order;
  }
}
