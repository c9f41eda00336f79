package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(MetaqProcessResource.class)
class BillingTest {
  @Inject
  Shop shop;

  @Inject
  Mailbox mailbox;

  @Test
  void shouldBillAnOrder() throws InterruptedException {
    var receipt = shop.place("o-1").await().atMost(Duration.ofSeconds(30));

    assertEquals("orders", receipt.topic());
    assertEquals("bill of o-1", mailbox.bills.poll(30, TimeUnit.SECONDS));
  }

  /** Where bills end. */
  @Singleton
  static class Mailbox {
    final BlockingQueue<String> bills = new LinkedBlockingQueue<>();

    @Incoming("mailbox")
    void take(String bill) {
      bills.add(bill);
    }
  }
}
