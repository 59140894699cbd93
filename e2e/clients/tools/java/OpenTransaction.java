import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A producer with an open transaction, which stays open while tools look at it.
 *
 * <pre>
 * OpenTransaction begin bootstrap transactional-id topic   writes one record to partition 0 and leaves the transaction open
 * OpenTransaction commit                                   tries to commit it; prints "committed" or the error
 * </pre>
 */
public final class OpenTransaction {
  /** Longer than all tools take together. */
  private static final int TIMEOUT_MS = 900_000;

  private static KafkaProducer<String, String> producer;

  private OpenTransaction() {}

  public static void main(String[] args) throws Exception {
    if (args[0].equals("begin")) {
      begin(args[1], args[2], args[3]);
    } else {
      System.out.println(commit());
    }
  }

  private static void begin(String bootstrap, String transactionalId, String topic) throws Exception {
    producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", bootstrap,
                "transactional.id", transactionalId,
                "transaction.timeout.ms", TIMEOUT_MS),
            new StringSerializer(),
            new StringSerializer());
    producer.initTransactions();
    producer.beginTransaction();
    var record = producer.send(new ProducerRecord<>(topic, 0, "key", "open")).get();
    System.out.println("written at " + List.of(record.partition(), record.offset()));
  }

  private static String commit() {
    try {
      producer.commitTransaction();
      return "committed";
    } catch (KafkaException failure) {
      return failure.getClass().getSimpleName();
    } finally {
      producer.close();
    }
  }
}
