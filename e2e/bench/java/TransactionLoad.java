import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Producers that send groups of records to the partitions of one topic in turn, each group in a transaction or followed by a flush.
 *
 * <pre>
 * TransactionLoad bootstrap topic partitions producers records-per-group groups-of-warm-up groups transactional(true|false)
 * </pre>
 *
 * Prints "ready" after the warm-up, and starts when it reads a line. Then prints one line of JSON. The latency of a group runs from its first
 * send until it is committed or flushed; that of a commit from the call of commitTransaction, or of flush, which both send what is left.
 */
public final class TransactionLoad {
  private static final int RECORD_BYTES = 1_024;

  private TransactionLoad() {}

  public static void main(String[] args) throws Exception {
    String topic = args[1];
    int partitions = Integer.parseInt(args[2]);
    int producers = Integer.parseInt(args[3]);
    int records = Integer.parseInt(args[4]);
    boolean transactional = Boolean.parseBoolean(args[7]);
    create(args[0], topic, partitions);
    Sender[] senders = new Sender[producers];
    for (int i = 0; i < producers; i++) {
      senders[i] = new Sender(settings(args[0], topic, i, transactional), topic, partitions, records, transactional);
    }
    sendAll(senders, Integer.parseInt(args[5]));
    System.out.println("ready");
    if (System.in.read() < 0) {
      throw new IllegalStateException("told to end before the start");
    }
    int groups = Integer.parseInt(args[6]);
    long start = System.nanoTime();
    sendAll(senders, groups);
    double seconds = (System.nanoTime() - start) / 1e9;
    double[] commit = sorted(senders, sender -> sender.commitMs);
    double[] group = sorted(senders, sender -> sender.groupMs);
    System.out.printf(
        "{\"groups\":%d,\"seconds\":%f,\"commit_p50_ms\":%f,\"commit_p99_ms\":%f,\"group_p50_ms\":%f,\"group_p99_ms\":%f}%n",
        commit.length, seconds, at(commit, 0.5), at(commit, 0.99), at(group, 0.5), at(group, 0.99));
    // Don't wait for the clients' threads.
    System.exit(0);
  }

  private static void create(String bootstrap, String topic, int partitions) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
  }

  private static Properties settings(String bootstrap, String topic, int number, boolean transactional) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("acks", "all");
    settings.put("key.serializer", ByteArraySerializer.class.getName());
    settings.put("value.serializer", ByteArraySerializer.class.getName());
    if (transactional) {
      settings.put("transactional.id", topic + "-" + number);
    }
    return settings;
  }

  /** Each producer sends so many groups, all at the same time. */
  private static void sendAll(Sender[] senders, int groups) throws Exception {
    Thread[] threads = new Thread[senders.length];
    for (int i = 0; i < senders.length; i++) {
      Sender sender = senders[i];
      sender.commitMs = new double[groups];
      sender.groupMs = new double[groups];
      threads[i] = new Thread(sender);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (Sender sender : senders) {
      if (sender.failure != null) {
        throw new ExecutionException(sender.failure);
      }
    }
  }

  private static double[] sorted(Sender[] senders, java.util.function.Function<Sender, double[]> of) {
    return Arrays.stream(senders).flatMapToDouble(sender -> Arrays.stream(of.apply(sender))).sorted().toArray();
  }

  private static double at(double[] sorted, double share) {
    return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))];
  }

  private static final class Sender implements Runnable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final int partitions;
    private final int records;
    private final boolean transactional;
    private final byte[] value = new byte[RECORD_BYTES];
    private int next;
    private double[] commitMs;
    private double[] groupMs;
    private volatile Throwable failure;

    private Sender(Properties settings, String topic, int partitions, int records, boolean transactional) {
      this.producer = new KafkaProducer<>(settings);
      this.topic = topic;
      this.partitions = partitions;
      this.records = records;
      this.transactional = transactional;
      new Random(7).nextBytes(value);
      if (transactional) {
        producer.initTransactions();
      }
    }

    @Override
    public void run() {
      try {
        for (int group = 0; group < groupMs.length; group++) {
          long start = System.nanoTime();
          if (transactional) {
            producer.beginTransaction();
          }
          for (int record = 0; record < records; record++) {
            producer.send(new ProducerRecord<>(topic, next++ % partitions, null, value), (sent, error) -> note(error));
          }
          long ending = System.nanoTime();
          if (transactional) {
            producer.commitTransaction();
          } else {
            producer.flush();
          }
          long end = System.nanoTime();
          commitMs[group] = (end - ending) / 1e6;
          groupMs[group] = (end - start) / 1e6;
        }
      } catch (RuntimeException error) {
        failure = error;
      }
    }

    private void note(Exception error) {
      if (error != null) {
        failure = error;
      }
    }
  }
}
