import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Load for the agent benchmark, with Apache Kafka's own client and its default (sticky) partitioner.
 *
 * <pre>
 * Load --bootstrap B --topic T create  --partitions N
 * Load --bootstrap B --topic T produce --producers N --warm-up-records N --records N --mib-per-s N --linger-ms N --batch-bytes N
 * Load --bootstrap B --topic T consume --consumers N --warm-up-records N --records N
 * Load --bootstrap B --topic T stream  --consumers N and the options of produce
 * </pre>
 *
 * A rate of 0 means no limit. The last three commands prepare (connections, warm-up, the group's assignment), print "ready", and start when they read a
 * line. Each prints one line of JSON at the end.
 */
public final class Load {
  private static final int RECORD_BYTES = 1024;
  /** Threads that call send(); each serves some of the producers in turn. */
  private static final int SENDING_THREADS = 2;
  private static final int LATENCY_BINS = 600_000;
  private static final double BINS_PER_MS = 10;

  private Load() {}

  public static void main(String[] args) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < args.length; i++) {
      if (args[i].startsWith("--")) {
        options.put(args[i].substring(2), args[++i]);
      } else {
        options.put("command", args[i]);
      }
    }
    ToLongFunction<String> number = name -> Long.parseLong(options.get(name));
    String bootstrap = options.get("bootstrap");
    String topic = options.get("topic");
    switch (options.get("command")) {
      case "create" -> create(bootstrap, topic, (int) number.applyAsLong("partitions"));
      case "produce" -> {
        int count = (int) number.applyAsLong("producers");
        Producers producers = new Producers(bootstrap, topic, count, options.get("linger-ms"), options.get("batch-bytes"));
        producers.send(number.applyAsLong("warm-up-records"), 0);
        awaitStart();
        producers.send(number.applyAsLong("records"), number.applyAsLong("mib-per-s"));
        System.out.println("{" + producers.report() + "}");
      }
      case "stream" -> {
        int count = (int) number.applyAsLong("producers");
        Producers producers = new Producers(bootstrap, topic, count, options.get("linger-ms"), options.get("batch-bytes"));
        Group group = new Group(bootstrap, topic, (int) number.applyAsLong("consumers"));
        long warmUp = number.applyAsLong("warm-up-records");
        long records = number.applyAsLong("records");
        producers.send(warmUp, 0);
        group.awaitRecords(warmUp);
        awaitStart();
        group.measure();
        producers.send(records, number.applyAsLong("mib-per-s"));
        group.awaitRecords(warmUp + records);
        System.out.println("{" + producers.report() + "," + group.report() + "}");
      }
      case "consume" -> {
        int count = (int) number.applyAsLong("consumers");
        consume(bootstrap, topic, count, number.applyAsLong("warm-up-records"), false);
        consume(bootstrap, topic, count, number.applyAsLong("records"), true);
      }
      default -> throw new IllegalArgumentException("no such command: " + options.get("command"));
    }
    // Don't wait for the clients' threads.
    System.exit(0);
  }

  private static void awaitStart() throws Exception {
    System.out.println("ready");
    if (System.in.read() < 0) {
      throw new IllegalStateException("told to end before the start");
    }
  }

  private static void create(String bootstrap, String topic, int partitions) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
    System.out.println("{}");
  }

  /** Payloads that LZ4 compresses 2:1: half of the bytes are random, half are zero. */
  private static byte[][] payloads() {
    Random random = new Random(7);
    byte[][] payloads = new byte[4096][];
    for (int i = 0; i < payloads.length; i++) {
      byte[] randomHalf = new byte[RECORD_BYTES / 2];
      random.nextBytes(randomHalf);
      payloads[i] = new byte[RECORD_BYTES];
      System.arraycopy(randomHalf, 0, payloads[i], 0, randomHalf.length);
    }
    return payloads;
  }

  /** A client's metric, summed or averaged over the clients by the caller. */
  private static double metric(Map<MetricName, ? extends Metric> metrics, String group, String name) {
    return metrics.entrySet().stream()
        .filter(entry -> entry.getKey().group().equals(group) && entry.getKey().name().equals(name))
        .filter(entry -> !entry.getKey().tags().containsKey("topic"))
        .map(entry -> entry.getValue().metricValue())
        .mapToDouble(value -> ((Number) value).doubleValue())
        .sum();
  }

  /** Producers that send in turn. Reports the last call of {@link #send}. */
  private static final class Producers {
    private final String topic;
    private final List<KafkaProducer<byte[], byte[]>> producers = new ArrayList<>();
    private final byte[][] payloads = payloads();
    private AtomicLongArray latencies;
    private AtomicLong acknowledged;
    private double requestsBefore;
    private double seconds;

    Producers(String bootstrap, String topic, int count, String lingerMs, String batchBytes) {
      this.topic = topic;
      // The settings of the published 288-partition benchmark of the Open Messaging Benchmark framework, but for the size of
      // the buffer (128 MB there), of which 64 producers in one process would take 8 GB.
      Properties settings = new Properties();
      settings.put("bootstrap.servers", bootstrap);
      settings.put("acks", "all");
      settings.put("compression.type", "lz4");
      settings.put("linger.ms", lingerMs);
      settings.put("batch.size", batchBytes);
      settings.put("buffer.memory", "8388608");
      settings.put("max.request.size", "64000000");
      settings.put("delivery.timeout.ms", "120000");
      settings.put("key.serializer", ByteArraySerializer.class.getName());
      settings.put("value.serializer", ByteArraySerializer.class.getName());
      for (int i = 0; i < count; i++) {
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings);
        producer.partitionsFor(topic);
        producers.add(producer);
      }
    }

    private double requests() {
      return producers.stream().mapToDouble(p -> metric(p.metrics(), "producer-metrics", "request-total")).sum();
    }

    void send(long records, double mibPerSecond) throws Exception {
      latencies = new AtomicLongArray(LATENCY_BINS);
      acknowledged = new AtomicLong();
      requestsBefore = requests();
      AtomicReference<Exception> failure = new AtomicReference<>();
      CountDownLatch finished = new CountDownLatch(SENDING_THREADS);
      long start = System.nanoTime();
      double recordsPerNano = mibPerSecond * 1024 * 1024 / RECORD_BYTES / 1e9;
      for (int t = 0; t < SENDING_THREADS; t++) {
        int thread = t;
        new Thread(
                () -> {
                  try {
                    for (long i = thread; i < records && failure.get() == null; i += SENDING_THREADS) {
                      if (recordsPerNano > 0) {
                        long due = start + (long) (i / recordsPerNano);
                        long early = due - System.nanoTime();
                        // Shorter pauses cost more than they save.
                        if (early > 1_000_000) {
                          LockSupport.parkNanos(early);
                        }
                      }
                      sendOne(i, failure);
                    }
                  } catch (RuntimeException error) {
                    failure.compareAndSet(null, error);
                  } finally {
                    finished.countDown();
                  }
                })
            .start();
      }
      finished.await();
      producers.forEach(KafkaProducer::flush);
      seconds = (System.nanoTime() - start) / 1e9;
      if (failure.get() != null) {
        throw failure.get();
      }
    }

    private void sendOne(long number, AtomicReference<Exception> failure) {
      boolean isSampled = (number & 15) < SENDING_THREADS;
      long sent = isSampled ? System.nanoTime() : 0;
      // A producer keeps its turn for some records, so that its batches fill as in a busy program.
      KafkaProducer<byte[], byte[]> producer = producers.get((int) ((number / 32) % producers.size()));
      byte[] payload = payloads[(int) (number & (payloads.length - 1))];
      producer.send(
          new ProducerRecord<>(topic, payload),
          (metadata, error) -> {
            if (error != null) {
              failure.compareAndSet(null, error);
            } else if (isSampled) {
              double ms = (System.nanoTime() - sent) / 1e6;
              latencies.incrementAndGet((int) Math.min(LATENCY_BINS - 1, ms * BINS_PER_MS));
            }
            acknowledged.incrementAndGet();
          });
    }

    /** As members of a JSON object. */
    String report() {
      double batchBytes =
          producers.stream()
              .mapToDouble(p -> metric(p.metrics(), "producer-metrics", "batch-size-avg"))
              .average()
              .orElse(0);
      return String.format(
          "\"records\":%d,\"seconds\":%.3f,\"requests\":%.0f,\"batch_bytes\":%.0f,\"p50_ms\":%.1f,\"p99_ms\":%.1f",
          acknowledged.get(),
          seconds,
          requests() - requestsBefore,
          batchBytes,
          percentile(latencies, 0.50),
          percentile(latencies, 0.99));
    }
  }

  /** One consumer group with the client's default settings, which reads while the topic is written, from the beginning, and commits nothing. */
  private static final class Group {
    private final AtomicLong received = new AtomicLong();
    private final AtomicLongArray latencies = new AtomicLongArray(LATENCY_BINS);
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    /** Latencies are taken of records created from then on. */
    private volatile long measuredFromMs = Long.MAX_VALUE;

    /**
     * Returns when every consumer has its fair share. Before, one that joins later could take partitions over, and would read their records
     * again, because nothing is committed.
     */
    Group(String bootstrap, String topic, int count) throws Exception {
      Properties settings = consumerSettings(bootstrap);
      AtomicIntegerArray assigned = new AtomicIntegerArray(count);
      for (int c = 0; c < count; c++) {
        int number = c;
        Thread thread = new Thread(() -> read(settings, topic, assigned, number));
        thread.setDaemon(true);
        thread.start();
      }
      int partitions;
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
        partitions = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
      }
      int least = partitions / count;
      await(
          () -> {
            int[] shares = IntStream.range(0, count).map(assigned::get).toArray();
            return IntStream.of(shares).allMatch(share -> share >= least) && IntStream.of(shares).sum() == partitions;
          },
          "every consumer has its share of the partitions");
    }

    private void read(Properties settings, String topic, AtomicIntegerArray assigned, int number) {
      try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
        consumer.subscribe(List.of(topic));
        while (true) {
          ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(200));
          assigned.set(number, consumer.assignment().size());
          long nowMs = System.currentTimeMillis();
          polled.forEach(record -> note(nowMs, record.timestamp()));
          received.addAndGet(polled.count());
        }
      } catch (RuntimeException error) {
        failure.compareAndSet(null, error);
      }
    }

    private void note(long nowMs, long createdMs) {
      if (createdMs >= measuredFromMs) {
        double ms = Math.max(0, nowMs - createdMs);
        latencies.incrementAndGet((int) Math.min(LATENCY_BINS - 1, ms * BINS_PER_MS));
      }
    }

    void measure() {
      measuredFromMs = System.currentTimeMillis();
    }

    void awaitRecords(long records) throws Exception {
      await(() -> received.get() >= records, records + " records are read");
      if (received.get() != records) {
        throw new IllegalStateException("received " + received.get() + " of " + records + " records");
      }
    }

    private void await(BooleanSupplier condition, String what) throws Exception {
      long deadline = System.nanoTime() + Duration.ofMinutes(10).toNanos();
      while (!condition.getAsBoolean()) {
        if (failure.get() != null) {
          throw failure.get();
        }
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("not within ten minutes: " + what + ", but " + received.get());
        }
        Thread.sleep(5);
      }
    }

    /** As members of a JSON object. */
    String report() {
      return String.format(
          "\"end_to_end_p50_ms\":%.1f,\"end_to_end_p99_ms\":%.1f", percentile(latencies, 0.50), percentile(latencies, 0.99));
    }
  }

  private static Properties consumerSettings(String bootstrap) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("group.id", "load-" + System.nanoTime());
    settings.put("auto.offset.reset", "earliest");
    settings.put("enable.auto.commit", "false");
    settings.put("max.poll.records", "20000");
    settings.put("key.deserializer", ByteArrayDeserializer.class.getName());
    settings.put("value.deserializer", ByteArrayDeserializer.class.getName());
    return settings;
  }

  private static double percentile(AtomicLongArray bins, double share) {
    long total = IntStream.range(0, LATENCY_BINS).mapToLong(bins::get).sum();
    long rank = (long) Math.ceil(total * share);
    long seen = 0;
    for (int i = 0; i < LATENCY_BINS; i++) {
      seen += bins.get(i);
      if (seen >= rank) {
        return i / BINS_PER_MS;
      }
    }
    return LATENCY_BINS / BINS_PER_MS;
  }

  /**
   * One consumer group with the client's default settings, except that it reads from the beginning and commits nothing. A
   * measured run reads the whole topic, which must contain `records`; any other run ends after that many.
   */
  private static void consume(String bootstrap, String topic, int consumerCount, long records, boolean isMeasured)
      throws Exception {
    Properties settings = consumerSettings(bootstrap);
    AtomicLong received = new AtomicLong();
    AtomicLong receivedBytes = new AtomicLong();
    DoubleAdder fetches = new DoubleAdder();
    AtomicReference<Exception> failure = new AtomicReference<>();
    CountDownLatch assigned = new CountDownLatch(consumerCount);
    CountDownLatch start = new CountDownLatch(1);
    CountDownLatch finished = new CountDownLatch(consumerCount);
    long deadline = System.nanoTime() + Duration.ofMinutes(10).toNanos();
    for (int c = 0; c < consumerCount; c++) {
      new Thread(
              () -> {
                try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
                  int fair = consumer.partitionsFor(topic).size() / consumerCount;
                  joinGroup(consumer, topic, fair, assigned, start);
                  while (received.get() < records && System.nanoTime() < deadline) {
                    ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(200));
                    received.addAndGet(polled.count());
                    polled.forEach(record -> receivedBytes.addAndGet(record.value().length));
                  }
                  fetches.add(metric(consumer.metrics(), "consumer-fetch-manager-metrics", "fetch-total"));
                } catch (RuntimeException error) {
                  failure.compareAndSet(null, error);
                  assigned.countDown();
                } finally {
                  finished.countDown();
                }
              })
          .start();
    }
    assigned.await();
    if (isMeasured) {
      awaitStart();
    }
    long begin = System.nanoTime();
    start.countDown();
    finished.await();
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (failure.get() != null) {
      throw failure.get();
    }
    if (!isMeasured) {
      return;
    }
    if (received.get() != records || receivedBytes.get() != records * RECORD_BYTES) {
      throw new IllegalStateException("received " + received.get() + " of " + records + " records");
    }
    System.out.printf(
        "{\"records\":%d,\"seconds\":%.3f,\"requests\":%.0f}%n", received.get(), seconds, fetches.sum());
  }

  /** Joins, waits until each member has its fair share of the partitions, and seeks to the start. */
  private static void joinGroup(
      KafkaConsumer<byte[], byte[]> consumer, String topic, int fair, CountDownLatch assigned, CountDownLatch start) {
    consumer.subscribe(
        List.of(topic),
        new ConsumerRebalanceListener() {
          @Override
          public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

          @Override
          public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            consumer.pause(partitions);
          }
        });
    boolean isReady = false;
    while (start.getCount() > 0) {
      consumer.poll(Duration.ofMillis(50));
      if (!isReady && consumer.assignment().size() == fair) {
        isReady = true;
        assigned.countDown();
      }
    }
    consumer.resume(consumer.assignment());
  }
}
