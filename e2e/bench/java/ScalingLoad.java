import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Producers and consumers of one topic at a steady rate, while agents come and go. Every record carries its producer and a number, so that lost,
 * doubled and reordered records are found.
 *
 * <pre>
 * ScalingLoad bootstrap topic partitions producers consumers records-per-s group-protocol metadata-max-age-ms
 * </pre>
 *
 * Prints "ready" when every consumer has its even share and every client has had a record. Then commands on standard input are each answered by a line
 * of JSON:
 *
 * <ul>
 *   <li>"phase": what happened since this was last asked.
 *   <li>"stop": stops the producers, waits until what they sent is read, and counts what went wrong since the start. The program ends.
 * </ul>
 */
public final class ScalingLoad {
  private static final int RECORD_BYTES = 1_024;
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long COMMIT_NANOS = 1_000_000_000;
  /** Latencies in whole milliseconds. */
  private static final int LATENCY_BINS = 300_000;
  /** Only for what hangs. */
  private static final long GIVE_UP_NANOS = 60_000_000_000L;

  private final String bootstrap;
  private final String topic;
  private final int partitions;
  private final String metadataMaxAgeMs;
  private final List<Sender> senders = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private final Flow allAcknowledged = new Flow();
  private final Flow allRead = new Flow();
  /** What the application of a client saw, and how often. */
  private final Map<String, Integer> errors = new TreeMap<>();
  private final Map<String, Integer> errorsOfPhase = new TreeMap<>();
  private final AtomicLong assigned = new AtomicLong();
  private long readAgainBefore;
  private volatile boolean isSending = true;
  private volatile boolean isReading = true;

  private ScalingLoad(String[] args) {
    bootstrap = args[0];
    topic = args[1];
    partitions = Integer.parseInt(args[2]);
    metadataMaxAgeMs = args[7];
    int producers = Integer.parseInt(args[3]);
    double recordsPerS = Double.parseDouble(args[5]) / producers;
    for (int number = 0; number < producers; number++) {
      senders.add(new Sender(number, recordsPerS));
    }
    for (int number = 0; number < Integer.parseInt(args[4]); number++) {
      readers.add(new Reader(number, args[6]));
    }
  }

  public static void main(String[] args) throws Exception {
    ScalingLoad load = new ScalingLoad(args);
    load.start();
    System.out.println("ready");
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      switch (command) {
        case "phase" -> System.out.println(load.phase());
        case "stop" -> {
          System.out.println(load.stop());
          // Don't wait for the clients' threads.
          System.exit(0);
        }
        default -> throw new IllegalArgumentException(command);
      }
    }
    System.exit(1);
  }

  private void start() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
    readers.forEach(Thread::start);
    int even = partitions / readers.size();
    await(
        "every consumer has its even share",
        () ->
            readers.stream().allMatch(reader -> reader.partitions >= even)
                && readers.stream().mapToInt(reader -> reader.partitions).sum() == partitions);
    senders.forEach(Thread::start);
    await("every producer has an acknowledgement", () -> senders.stream().allMatch(sender -> sender.acknowledged.count() > 0));
    await("every consumer has a record", () -> readers.stream().allMatch(reader -> reader.read.count() > 0));
    phase();
  }

  private interface Condition {
    boolean holds();
  }

  private void await(String what, Condition condition) throws InterruptedException {
    long giveUpAt = System.nanoTime() + GIVE_UP_NANOS;
    while (!condition.holds()) {
      if (System.nanoTime() > giveUpAt) {
        throw new IllegalStateException("Not within a minute: " + what + "; errors " + errors);
      }
      Thread.sleep(20);
    }
  }

  private String phase() {
    String counted;
    synchronized (errorsOfPhase) {
      counted = json(errorsOfPhase);
      errorsOfPhase.clear();
    }
    long oneAcknowledged = senders.stream().mapToLong(sender -> sender.acknowledged.takeLongestGapMs()).max().orElse(0);
    long oneRead = readers.stream().mapToLong(reader -> reader.read.takeLongestGapMs()).max().orElse(0);
    long readAgain = readAgain() - readAgainBefore;
    readAgainBefore += readAgain;
    return String.format(
        "{\"acknowledged\":%s,\"one_producer_gap_ms\":%d,\"read\":%s,\"one_consumer_gap_ms\":%d,\"assigned\":%d,\"read_again\":%d,\"errors\":%s}",
        allAcknowledged.take(), oneAcknowledged, allRead.take(), oneRead, assigned.getAndSet(0), readAgain, counted);
  }

  private String stop() throws InterruptedException {
    isSending = false;
    for (Sender sender : senders) {
      sender.join();
    }
    long sent = senders.stream().mapToLong(sender -> sender.next).sum();
    long changedAt = System.nanoTime();
    for (long before = -1; missing() > 0 && System.nanoTime() - changedAt < GIVE_UP_NANOS; Thread.sleep(50)) {
      if (allRead.count() != before) {
        before = allRead.count();
        changedAt = System.nanoTime();
      }
    }
    // A doubled record may be behind the last one.
    Thread.sleep(2_000);
    isReading = false;
    for (Reader reader : readers) {
      reader.join();
    }
    long doubled = senders.stream().mapToLong(sender -> sender.doubled).sum();
    long reordered = readers.stream().mapToLong(reader -> reader.reordered).sum();
    return String.format(
        "{\"sent\":%d,\"acknowledged\":%d,\"lost\":%d,\"doubled\":%d,\"reordered\":%d,\"read_again\":%d,\"errors\":%s}",
        sent, allAcknowledged.count(), missing(), doubled, reordered, readAgain(), json(errors));
  }

  private long readAgain() {
    return senders.stream().mapToLong(Sender::readAgain).sum();
  }

  /** Acknowledged records that nobody has read. */
  private long missing() {
    return senders.stream().mapToLong(Sender::missing).sum();
  }

  private void note(Exception error) {
    String name = error.getClass().getSimpleName();
    synchronized (errorsOfPhase) {
      errors.merge(name, 1, Integer::sum);
      errorsOfPhase.merge(name, 1, Integer::sum);
    }
    System.err.println(error);
  }

  private static String json(Map<String, Integer> counts) {
    List<String> members = new ArrayList<>();
    counts.forEach((name, count) -> members.add("\"" + name + "\":" + count));
    return "{" + String.join(",", members) + "}";
  }

  /** Acknowledgements, or records read: how many, how long apart, and how late. */
  private static final class Flow {
    private final AtomicIntegerArray latencies = new AtomicIntegerArray(LATENCY_BINS);
    private long count;
    private long countBefore;
    private long lastAt = System.nanoTime();
    private long longestNanos;

    synchronized void note(long records, long now) {
      count += records;
      longestNanos = Math.max(longestNanos, now - lastAt);
      lastAt = Math.max(lastAt, now);
    }

    void noteLatency(long ms) {
      latencies.incrementAndGet((int) Math.max(0, Math.min(LATENCY_BINS - 1, ms)));
    }

    synchronized long count() {
      return count;
    }

    /** Since the last call, including the time since the last record. */
    synchronized long takeLongestGapMs() {
      long longest = Math.max(longestNanos, System.nanoTime() - lastAt);
      longestNanos = 0;
      return longest / 1_000_000;
    }

    synchronized String take() {
      long records = count - countBefore;
      countBefore = count;
      int[] bins = new int[LATENCY_BINS];
      Arrays.setAll(bins, bin -> latencies.getAndSet(bin, 0));
      return String.format(
          "{\"records\":%d,\"longest_gap_ms\":%d,\"p50_ms\":%d,\"p99_ms\":%d,\"max_ms\":%d}",
          records, takeLongestGapMs(), percentile(bins, 0.5), percentile(bins, 0.99), percentile(bins, 1));
    }

    private static int percentile(int[] bins, double share) {
      long rank = (long) Math.ceil(Arrays.stream(bins).asLongStream().sum() * share);
      long seen = 0;
      for (int bin = 0; bin < bins.length; bin++) {
        seen += bins[bin];
        if (seen >= rank) {
          return bin;
        }
      }
      return bins.length;
    }
  }

  /** An idempotent producer with the library's defaults, and what is known of its records. */
  private final class Sender extends Thread {
    private final int number;
    private final long intervalNanos;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Flow acknowledged = new Flow();
    private volatile long next;
    /** Of each record: whether it is acknowledged, and where it was first read, as one number; 0 when it was not. */
    private boolean[] isAcknowledged = new boolean[1_024];
    private long[] readAt = new long[1_024];
    private long doubled;
    private long readAgain;

    private Sender(int number, double recordsPerS) {
      this.number = number;
      this.intervalNanos = (long) (1e9 / recordsPerS);
      Map<String, Object> settings = new HashMap<>();
      settings.put("bootstrap.servers", bootstrap);
      settings.put("client.id", "producer-" + number);
      settings.put("metadata.max.age.ms", metadataMaxAgeMs);
      settings.put("key.serializer", ByteArraySerializer.class);
      settings.put("value.serializer", ByteArraySerializer.class);
      producer = new KafkaProducer<>(settings);
      setDaemon(true);
    }

    @Override
    public void run() {
      byte[] filling = new byte[RECORD_BYTES];
      new Random(number).nextBytes(filling);
      long start = System.nanoTime();
      while (isSending) {
        long early = start + next * intervalNanos - System.nanoTime();
        if (early > 0) {
          LockSupport.parkNanos(early);
          continue;
        }
        long record = next;
        byte[] value = filling.clone();
        ByteBuffer.wrap(value).putInt(number).putLong(record);
        // In turns, so that each partition gets records all the time and a gap is the cluster's.
        int partition = (int) ((number + record) % partitions);
        long sent = System.nanoTime();
        try {
          producer.send(new ProducerRecord<>(topic, partition, null, value), (metadata, error) -> answered(record, sent, error));
        } catch (RuntimeException error) {
          note(error);
        }
        next = record + 1;
      }
      producer.close();
    }

    private void answered(long record, long sent, Exception error) {
      if (error != null) {
        note(error);
        return;
      }
      long now = System.nanoTime();
      acknowledged.note(1, now);
      allAcknowledged.note(1, now);
      allAcknowledged.noteLatency((now - sent) / 1_000_000);
      synchronized (this) {
        grow(record);
        isAcknowledged[(int) record] = true;
      }
    }

    /** A record was read at this place. */
    private synchronized void found(long record, long place) {
      grow(record);
      long before = readAt[(int) record];
      if (before == 0) {
        readAt[(int) record] = place;
      } else if (before == place) {
        readAgain++;
      } else {
        doubled++;
      }
    }

    private synchronized long readAgain() {
      return readAgain;
    }

    private synchronized long missing() {
      long missing = 0;
      for (int record = 0; record < readAt.length; record++) {
        missing += isAcknowledged[record] && readAt[record] == 0 ? 1 : 0;
      }
      return missing;
    }

    private void grow(long record) {
      if (record >= readAt.length) {
        isAcknowledged = Arrays.copyOf(isAcknowledged, readAt.length * 2);
        readAt = Arrays.copyOf(readAt, readAt.length * 2);
      }
    }
  }

  /** A member of the group, which commits once a second. */
  private final class Reader extends Thread implements ConsumerRebalanceListener {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Flow read = new Flow();
    private volatile int partitions;
    private long reordered;
    /** Of a partition and a producer, the last offset and number. */
    private final Map<Long, long[]> last = new HashMap<>();

    private Reader(int number, String protocol) {
      Map<String, Object> settings = new HashMap<>();
      settings.put("bootstrap.servers", bootstrap);
      settings.put("client.id", "consumer-" + number);
      settings.put("group.id", "scaling");
      settings.put("group.protocol", protocol);
      settings.put("metadata.max.age.ms", metadataMaxAgeMs);
      settings.put("auto.offset.reset", "earliest");
      settings.put("enable.auto.commit", false);
      settings.put("key.deserializer", ByteArrayDeserializer.class);
      settings.put("value.deserializer", ByteArrayDeserializer.class);
      consumer = new KafkaConsumer<>(settings);
      setDaemon(true);
    }

    @Override
    public void run() {
      consumer.subscribe(List.of(topic), this);
      long committedAt = System.nanoTime();
      boolean hasNew = false;
      while (isReading) {
        try {
          ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
          partitions = consumer.assignment().size();
          if (!records.isEmpty()) {
            hasNew = true;
            count(records);
          }
          if (hasNew && System.nanoTime() - committedAt > COMMIT_NANOS) {
            committedAt = System.nanoTime();
            consumer.commitSync();
            hasNew = false;
          }
        } catch (RuntimeException error) {
          note(error);
          LockSupport.parkNanos(POLL.toNanos());
        }
      }
      // Not closed: the others would get its partitions, and read records again.
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> added) {
      assigned.addAndGet(added.size());
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {}

    private void count(ConsumerRecords<byte[], byte[]> records) {
      long now = System.nanoTime();
      long nowMs = System.currentTimeMillis();
      read.note(records.count(), now);
      allRead.note(records.count(), now);
      for (ConsumerRecord<byte[], byte[]> record : records) {
        allRead.noteLatency(nowMs - record.timestamp());
        ByteBuffer value = ByteBuffer.wrap(record.value());
        int producer = value.getInt();
        long number = value.getLong();
        long place = ((long) record.partition() << 40) + record.offset() + 1;
        senders.get(producer).found(number, place);
        long[] before = last.put(((long) record.partition() << 32) + producer, new long[] {record.offset(), number});
        if (before != null && record.offset() > before[0] && number <= before[1]) {
          reordered++;
        }
      }
    }
  }
}
