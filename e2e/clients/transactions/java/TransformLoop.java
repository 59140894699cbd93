import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Consumes, transforms and produces in transactions until it is stopped: writes `partition/offset` of each record that it read. Some
 * transactions it aborts, and some it ends late. After an error it begins anew, as an application does that is restarted.
 *
 * <pre>
 * TransformLoop bootstrap transactional-id group input output
 * </pre>
 *
 * Commands on standard input, each answered by lines, the last of which is a dot: "count" (committed and aborted transactions, and errors),
 * "stop".
 */
public final class TransformLoop extends Thread {
  private static final Duration POLL = Duration.ofMillis(200);
  /** Shorter than some pauses of the fault run. */
  private static final int TRANSACTION_TIMEOUT_MS = 6_000;
  private static final int LONGEST_DELAY_MS = 1_500;

  private final String[] args;
  private final Random random = new Random();
  private volatile boolean isStopped;
  private volatile long committed;
  private volatile long aborted;
  private volatile long errors;

  private TransformLoop(String[] args) {
    this.args = args;
  }

  public static void main(String[] args) throws Exception {
    TransformLoop loop = new TransformLoop(args);
    loop.start();
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      if (command.equals("stop")) {
        loop.isStopped = true;
        loop.join();
      }
      System.out.println(loop.committed + " " + loop.aborted + " " + loop.errors);
      System.out.println(".");
      System.out.flush();
    }
    System.exit(0);
  }

  @Override
  public void run() {
    while (!isStopped) {
      try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings(true));
          KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings(false))) {
        producer.initTransactions();
        consumer.subscribe(List.of(args[3]));
        while (!isStopped) {
          turn(producer, consumer);
        }
      } catch (RuntimeException error) {
        errors++;
        System.err.println(args[1] + ": " + error);
      }
    }
  }

  private void turn(KafkaProducer<String, String> producer, KafkaConsumer<String, String> consumer) {
    ConsumerRecords<String, String> records = consumer.poll(POLL);
    if (records.isEmpty()) {
      return;
    }
    producer.beginTransaction();
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (ConsumerRecord<String, String> record : records) {
      String place = record.partition() + "/" + record.offset();
      producer.send(new ProducerRecord<>(args[4], record.value(), place));
      offsets.put(new TopicPartition(record.topic(), record.partition()), new OffsetAndMetadata(record.offset() + 1));
    }
    producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
    pauseSometimes();
    if (random.nextInt(5) == 0) {
      producer.abortTransaction();
      aborted++;
      goBack(consumer);
    } else {
      producer.commitTransaction();
      committed++;
    }
  }

  private void pauseSometimes() {
    if (random.nextInt(8) == 0) {
      try {
        Thread.sleep(random.nextInt(LONGEST_DELAY_MS));
      } catch (InterruptedException ended) {
        throw new IllegalStateException(ended);
      }
    }
  }

  /** To what was committed last. */
  private static void goBack(KafkaConsumer<String, String> consumer) {
    Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(consumer.assignment());
    for (TopicPartition partition : consumer.assignment()) {
      OffsetAndMetadata offset = committed.get(partition);
      consumer.seek(partition, offset == null ? 0 : offset.offset());
    }
  }

  private Map<String, Object> settings(boolean isProducer) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", args[0]);
    settings.put("reconnect.backoff.max.ms", 500);
    settings.put("request.timeout.ms", 10_000);
    if (isProducer) {
      settings.put("key.serializer", StringSerializer.class);
      settings.put("value.serializer", StringSerializer.class);
      settings.put("transactional.id", args[1]);
      settings.put("transaction.timeout.ms", TRANSACTION_TIMEOUT_MS);
      settings.put("delivery.timeout.ms", 30_000);
    } else {
      settings.put("key.deserializer", StringDeserializer.class);
      settings.put("value.deserializer", StringDeserializer.class);
      settings.put("group.id", args[2]);
      settings.put("isolation.level", "read_committed");
      settings.put("auto.offset.reset", "earliest");
      settings.put("enable.auto.commit", false);
      settings.put("session.timeout.ms", 6_000);
      settings.put("heartbeat.interval.ms", 1_000);
      settings.put("max.poll.records", 100);
    }
    return settings;
  }
}
