import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Load for the agent benchmark, with Apache Kafka's own client and its default (sticky) partitioner.
 *
 * <pre>
 * Load create  BOOTSTRAP TOPIC PARTITIONS
 * Load produce BOOTSTRAP TOPIC PRODUCERS RECORDS MIB_PER_S   (0: as fast as it goes)
 * Load consume BOOTSTRAP TOPIC CONSUMERS RECORDS
 * </pre>
 *
 * Each prints one line of JSON.
 */
public final class Load {
  private static final int RECORD_BYTES = 1024;
  /** Threads that call send(); each serves some of the producers in turn. */
  private static final int SENDING_THREADS = 2;
  private static final int LATENCY_BINS = 600_000;
  private static final double BINS_PER_MS = 10;

  private Load() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "create" -> create(args[1], args[2], Integer.parseInt(args[3]));
      case "produce" ->
          produce(args[1], args[2], Integer.parseInt(args[3]), Long.parseLong(args[4]), Double.parseDouble(args[5]));
      case "consume" -> consume(args[1], args[2], Integer.parseInt(args[3]), Long.parseLong(args[4]));
      default -> throw new IllegalArgumentException("no such command: " + args[0]);
    }
    // The clients' own threads are of no further use.
    System.exit(0);
  }

  private static void create(String bootstrap, String topic, int partitions) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
    System.out.println("{}");
  }

  /** Payloads that LZ4 halves: half of the bytes are random, half are zero. */
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

  private static void produce(String bootstrap, String topic, int producerCount, long records, double mibPerSecond)
      throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("acks", "all");
    settings.put("compression.type", "lz4");
    settings.put("linger.ms", "50");
    settings.put("batch.size", "131072");
    settings.put("buffer.memory", "8388608");
    settings.put("delivery.timeout.ms", "120000");
    settings.put("key.serializer", ByteArraySerializer.class.getName());
    settings.put("value.serializer", ByteArraySerializer.class.getName());
    List<KafkaProducer<byte[], byte[]>> producers = new ArrayList<>();
    for (int i = 0; i < producerCount; i++) {
      KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings);
      producer.partitionsFor(topic);
      producers.add(producer);
    }

    byte[][] payloads = payloads();
    AtomicLongArray latencies = new AtomicLongArray(LATENCY_BINS);
    AtomicLong acknowledged = new AtomicLong();
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
                      // Pauses shorter than this cost more than they bring.
                      if (early > 1_000_000) {
                        LockSupport.parkNanos(early);
                      }
                    }
                    boolean isSampled = (i & 15) < SENDING_THREADS;
                    long sent = isSampled ? System.nanoTime() : 0;
                    // A producer keeps its turn for some records, so that its batches fill as in a busy program.
                    int producer = (int) ((i / 32) % producerCount);
                    ProducerRecord<byte[], byte[]> record =
                        new ProducerRecord<>(topic, payloads[(int) (i & (payloads.length - 1))]);
                    producers
                        .get(producer)
                        .send(
                            record,
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
    double seconds = (System.nanoTime() - start) / 1e9;
    if (failure.get() != null) {
      throw failure.get();
    }
    System.out.printf(
        "{\"records\":%d,\"seconds\":%.3f,\"p50_ms\":%.1f,\"p99_ms\":%.1f}%n",
        acknowledged.get(), seconds, percentile(latencies, 0.50), percentile(latencies, 0.99));
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

  private static void consume(String bootstrap, String topic, int consumerCount, long records) throws Exception {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("auto.offset.reset", "earliest");
    settings.put("enable.auto.commit", "false");
    settings.put("max.poll.records", "20000");
    settings.put("key.deserializer", ByteArrayDeserializer.class.getName());
    settings.put("value.deserializer", ByteArrayDeserializer.class.getName());
    AtomicLong received = new AtomicLong();
    AtomicLong receivedBytes = new AtomicLong();
    AtomicReference<Exception> failure = new AtomicReference<>();
    CountDownLatch finished = new CountDownLatch(consumerCount);
    long start = System.nanoTime();
    long deadline = start + Duration.ofMinutes(10).toNanos();
    for (int c = 0; c < consumerCount; c++) {
      int consumerIndex = c;
      new Thread(
              () -> {
                try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
                  List<TopicPartition> assigned = new ArrayList<>();
                  consumer
                      .partitionsFor(topic)
                      .forEach(
                          partition -> {
                            if (partition.partition() % consumerCount == consumerIndex) {
                              assigned.add(new TopicPartition(topic, partition.partition()));
                            }
                          });
                  consumer.assign(assigned);
                  consumer.seekToBeginning(assigned);
                  while (received.get() < records && System.nanoTime() < deadline) {
                    ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(200));
                    received.addAndGet(polled.count());
                    polled.forEach(record -> receivedBytes.addAndGet(record.value().length));
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
    double seconds = (System.nanoTime() - start) / 1e9;
    if (failure.get() != null) {
      throw failure.get();
    }
    if (received.get() != records || receivedBytes.get() != records * RECORD_BYTES) {
      throw new IllegalStateException("received " + received.get() + " of " + records + " records");
    }
    System.out.printf("{\"records\":%d,\"seconds\":%.3f}%n", received.get(), seconds);
  }
}
