import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Drives Apache Kafka's client and writes a history to standard output (see history.ts). It runs idempotent producers, a consumer at the tail and
 * lookups by time. At the end, another consumer reads everything again.
 *
 * <pre>
 * HistoryClient --bootstrap B --kept events:4,trimmed:2 --churned churn --codec zstd --records-per-s 100 --value-bytes 200 --churned-value-bytes 64
 * </pre>
 *
 * Commands on standard input: "stop" ends sending and answers {"t":"stopped"} when each record has an outcome. "finish events-0=12,..." sets the end
 * offsets to read to.
 */
public final class HistoryClient {
  private static final String NAME = "java";
  private static final int CHURNED_RECORDS_PER_S = 10;
  private static final int TICK_MS = 50;
  private static final long GIVE_UP_MS = 60_000;

  private static Map<String, String> options;
  private static List<TopicPartition> kept;
  private static PrintStream out;
  private static volatile boolean isProducing = true;
  /** The ends to read to, once they are known. */
  private static volatile Map<TopicPartition, Long> ends;

  private HistoryClient() {}

  public static void main(String[] args) throws Exception {
    options = new HashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      options.put(args[i].substring(2), args[i + 1]);
    }
    out = System.out;
    kept = new ArrayList<>();
    for (String topic : options.get("kept").split(",")) {
      String[] parts = topic.split(":");
      for (int partition = 0; partition < Integer.parseInt(parts[1]); partition++) {
        kept.add(new TopicPartition(parts[0], partition));
      }
    }
    List<Thread> producing =
        List.of(start(HistoryClient::produceKept), start(HistoryClient::produceChurned));
    Thread following = start(() -> read(NAME + "-tail"));
    start(HistoryClient::lookUp);

    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      if (command.equals("stop")) {
        isProducing = false;
        for (Thread thread : producing) {
          thread.join();
        }
        write("{\"t\":\"stopped\"}");
      } else {
        ends =
            Arrays.stream(command.substring("finish ".length()).split(","))
                .map(end -> end.split("="))
                .collect(Collectors.toMap(end -> partitionOf(end[0]), end -> Long.parseLong(end[1])));
        following.join();
        read(NAME + "-final");
        break;
      }
    }
    out.flush();
    // Don't wait for the clients' threads.
    Runtime.getRuntime().halt(0);
  }

  private static TopicPartition partitionOf(String name) {
    int dash = name.lastIndexOf('-');
    return new TopicPartition(name.substring(0, dash), Integer.parseInt(name.substring(dash + 1)));
  }

  private static Thread start(Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable error) {
                write("{\"t\":\"fatal\",\"client\":\"" + NAME + "\",\"error\":\"" + nameOf(error) + "\",\"at_ms\":" + now() + "}");
                error.printStackTrace();
              }
            });
    thread.start();
    return thread;
  }

  private static long now() {
    return System.currentTimeMillis();
  }

  private static String nameOf(Throwable error) {
    return error.getClass().getSimpleName();
  }

  private static synchronized void write(String line) {
    out.println(line);
  }

  /** An event of a partition, with the rest of its fields as JSON. */
  private static void write(String kind, String client, TopicPartition partition, String rest) {
    write(
        "{\"t\":\"" + kind + "\",\"client\":\"" + client + "\",\"topic\":\"" + partition.topic() + "\",\"partition\":" + partition.partition() + "," + rest + "}");
  }

  /** Repeats the id. */
  private static String valueOf(String id, int bytes) {
    String unit = id + "|";
    return unit.repeat(bytes / unit.length() + 1).substring(0, bytes);
  }

  private static Properties common() {
    Properties config = new Properties();
    config.put("bootstrap.servers", options.get("bootstrap"));
    config.put("request.timeout.ms", "10000");
    config.put("reconnect.backoff.max.ms", "500");
    config.put("retry.backoff.max.ms", "500");
    return config;
  }

  private static KafkaProducer<String, String> producer(String batchBytes, String codec) {
    Properties config = common();
    config.put("acks", "all");
    config.put("enable.idempotence", "true");
    // Longer than any run, so that no record times out.
    config.put("delivery.timeout.ms", "600000");
    config.put("max.block.ms", "600000");
    config.put("linger.ms", "20");
    config.put("batch.size", batchBytes);
    config.put("compression.type", codec);
    return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
  }

  private static void produceKept() {
    KafkaProducer<String, String> producer = producer("16384", options.get("codec"));
    int perTick = Integer.parseInt(options.get("records-per-s")) * TICK_MS / 1000;
    int bytes = Integer.parseInt(options.get("value-bytes"));
    long[] sent = new long[kept.size()];
    // The records of a tick go to one partition, so that batches hold several.
    for (int tick = 0; isProducing; tick++) {
      int index = tick % kept.size();
      for (int i = 0; i < perTick; i++) {
        send(producer, kept.get(index), sent[index]++, bytes);
      }
      pause(TICK_MS);
    }
    producer.close();
  }

  private static void produceChurned() {
    if (options.get("churned").isEmpty()) {
      return;
    }
    // One batch per record.
    KafkaProducer<String, String> producer = producer("0", "none");
    TopicPartition churned = new TopicPartition(options.get("churned"), 0);
    int bytes = Integer.parseInt(options.get("churned-value-bytes"));
    for (long sent = 0; isProducing; sent++) {
      send(producer, churned, sent, bytes);
      pause(1000 / CHURNED_RECORDS_PER_S);
    }
    producer.close();
  }

  private static void send(KafkaProducer<String, String> producer, TopicPartition to, long number, int bytes) {
    String id = NAME + "/" + to + "/" + number;
    long timestamp = now();
    String idField = "\"id\":\"" + id + "\"";
    write("send", NAME, to, idField + ",\"timestamp_ms\":" + timestamp + ",\"at_ms\":" + timestamp);
    try {
      producer.send(
          new ProducerRecord<>(to.topic(), to.partition(), timestamp, null, valueOf(id, bytes)),
          (metadata, error) -> {
            if (error == null) {
              write("ack", NAME, to, idField + ",\"offset\":" + metadata.offset() + ",\"at_ms\":" + now());
            } else {
              write("fail", NAME, to, idField + ",\"error\":\"" + nameOf(error) + "\",\"at_ms\":" + now());
            }
          });
    } catch (KafkaException error) {
      write("fail", NAME, to, idField + ",\"error\":\"" + nameOf(error) + "\",\"at_ms\":" + now());
    }
  }

  private static void pause(long durationMs) {
    try {
      Thread.sleep(durationMs);
    } catch (InterruptedException error) {
      throw new IllegalStateException(error);
    }
  }

  private static KafkaConsumer<String, String> consumer() {
    Properties config = common();
    config.put("enable.auto.commit", "false");
    config.put("auto.offset.reset", "earliest");
    config.put("default.api.timeout.ms", "20000");
    return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
  }

  /** Retries while the brokers time out. */
  private static <T> T insist(Supplier<T> work) {
    while (true) {
      try {
        return work.get();
      } catch (org.apache.kafka.common.errors.TimeoutException error) {
        pause(100);
      }
    }
  }

  /** Reads all partitions from the start until it reaches the ends, or until its time is up. */
  private static void read(String client) {
    int bytes = Integer.parseInt(options.get("value-bytes"));
    KafkaConsumer<String, String> consumer = consumer();
    consumer.assign(kept);
    consumer.seekToBeginning(kept);
    long giveUpAt = Long.MAX_VALUE;
    while (now() < giveUpAt) {
      Map<TopicPartition, Long> until = ends;
      if (until != null) {
        giveUpAt = giveUpAt == Long.MAX_VALUE ? now() + GIVE_UP_MS : giveUpAt;
        if (insist(() -> kept.stream().allMatch(one -> consumer.position(one) >= until.get(one)))) {
          break;
        }
      }
      for (ConsumerRecord<String, String> read : consumer.poll(Duration.ofMillis(200))) {
        String id = read.value().substring(0, read.value().indexOf('|'));
        boolean isDamaged = !read.value().equals(valueOf(id, bytes));
        write(
            "read",
            client,
            new TopicPartition(read.topic(), read.partition()),
            "\"offset\":" + read.offset() + ",\"id\":\"" + id + "\",\"timestamp_ms\":" + read.timestamp() + ",\"at_ms\":" + now() + (isDamaged ? ",\"isDamaged\":true" : ""));
      }
    }
    consumer.close(Duration.ZERO);
  }

  /** Looks up a random time since the start in each partition, once a second. */
  private static void lookUp() {
    KafkaConsumer<String, String> consumer = consumer();
    Random random = new Random(1);
    long begun = now();
    while (ends == null) {
      pause(1000);
      long time = begun + (long) (random.nextDouble() * (now() - begun));
      long asked = now();
      Map<TopicPartition, OffsetAndTimestamp> found =
          insist(() -> consumer.offsetsForTimes(kept.stream().collect(Collectors.toMap(one -> one, one -> time))));
      // A retry after a timeout is not earlier than this.
      for (TopicPartition partition : kept) {
        OffsetAndTimestamp answer = found.get(partition);
        long offset = answer == null ? -1 : answer.offset();
        write(
            "lookup",
            NAME,
            partition,
            "\"timestamp_ms\":" + time + ",\"offset\":" + offset + ",\"asked_ms\":" + asked + ",\"at_ms\":" + now());
      }
    }
    consumer.close(Duration.ZERO);
  }
}
