import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A member of a group, which stays while tools look at the group.
 *
 * <pre>
 * LiveMember join bootstrap group topic protocol   joins, and returns once it has partitions
 * LiveMember leave
 * </pre>
 */
public final class LiveMember extends Thread {
  private static LiveMember live;

  private final KafkaConsumer<String, String> consumer;
  private final CountDownLatch hasPartitions = new CountDownLatch(1);
  private volatile boolean isLeaving;

  private LiveMember(KafkaConsumer<String, String> consumer) {
    this.consumer = consumer;
    setDaemon(true);
  }

  public static void main(String[] args) throws InterruptedException {
    if (args[0].equals("leave")) {
      live.isLeaving = true;
      live.join();
      return;
    }
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", args[1],
            "group.id", args[2],
            "client.id", "live-member",
            "group.protocol", args[4],
            "enable.auto.commit", false,
            "auto.offset.reset", "earliest");
    live = new LiveMember(new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer()));
    live.consumer.subscribe(List.of(args[3]));
    live.start();
    live.hasPartitions.await();
  }

  @Override
  public void run() {
    try (consumer) {
      while (!isLeaving) {
        consumer.poll(Duration.ofMillis(100));
        if (!consumer.assignment().isEmpty()) {
          hasPartitions.countDown();
        }
      }
    }
  }
}
