import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;

/**
 * Kafka Streams with a table: the latest value of each key of a topic, kept on disk and in a changelog topic. Input goes through a repartition
 * topic first, so that each kind of internal topic exists.
 *
 * <pre>
 * TableApp bootstrap topic application-id state-directory partitions
 * </pre>
 *
 * Commands on standard input, each answered by lines, the last of which is a dot: "dump" (key, tab, value of each key, once the table is
 * ready), "processed" (records since the start), "restored" (records read from the changelog).
 */
public final class TableApp {
  private static final String STORE = "latest";
  /** The shortest session timeout that Kafka allows by default. */
  private static final int SESSION_TIMEOUT_MS = 6_000;

  private TableApp() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    String topic = args[1];
    int partitions = Integer.parseInt(args[4]);
    Properties properties = new Properties();
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, args[2]);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, args[3]);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 500);
    properties.put(StreamsConfig.REPARTITION_PURGE_INTERVAL_MS_CONFIG, 1_000);
    // Sends each update to the changelog.
    properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), SESSION_TIMEOUT_MS);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_000);
    // Compacts as early as possible.
    properties.put(StreamsConfig.topicPrefix(TopicConfig.SEGMENT_MS_CONFIG), 1);
    properties.put(StreamsConfig.topicPrefix(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG), 0);

    AtomicLong processed = new AtomicLong();
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(topic, Consumed.with(Serdes.String(), Serdes.String()))
        .repartition(Repartitioned.with(Serdes.String(), Serdes.String()).withName("by-key").withNumberOfPartitions(partitions))
        .peek((key, value) -> processed.incrementAndGet())
        .toTable(
            Materialized.<String, String, KeyValueStore<Bytes, byte[]>>as(STORE)
                .withKeySerde(Serdes.String())
                .withValueSerde(Serdes.String()));

    AtomicLong restored = new AtomicLong();
    KafkaStreams streams = new KafkaStreams(builder.build(), properties);
    streams.setGlobalStateRestoreListener(new CountingListener(restored));
    streams.setUncaughtExceptionHandler(
        error -> {
          error.printStackTrace();
          Runtime.getRuntime().halt(1);
          return null;
        });
    streams.start();

    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      switch (command) {
        case "dump" -> System.out.print(dump(streams));
        case "processed" -> System.out.println(processed.get());
        case "restored" -> System.out.println(restored.get());
        default -> throw new IllegalArgumentException(command);
      }
      System.out.println(".");
      System.out.flush();
    }
    streams.close();
  }

  private static StringBuilder dump(KafkaStreams streams) throws InterruptedException {
    while (true) {
      StringBuilder entries = new StringBuilder();
      try (KeyValueIterator<String, String> all =
          streams
              .store(StoreQueryParameters.fromNameAndType(STORE, QueryableStoreTypes.<String, String>keyValueStore()))
              .all()) {
        all.forEachRemaining(entry -> entries.append(entry.key).append('\t').append(entry.value).append('\n'));
        return entries;
      } catch (InvalidStateStoreException | IllegalStateException notYet) {
        // It is starting, or its partitions are moving.
        Thread.sleep(50);
      }
    }
  }

  private static final class CountingListener implements StateRestoreListener {
    private final AtomicLong restored;

    CountingListener(AtomicLong restored) {
      this.restored = restored;
    }

    @Override
    public void onRestoreStart(TopicPartition partition, String store, long from, long to) {}

    @Override
    public void onBatchRestored(TopicPartition partition, String store, long offset, long records) {
      restored.addAndGet(records);
    }

    @Override
    public void onRestoreEnd(TopicPartition partition, String store, long records) {}
  }
}
