import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Apache Flink in one process: copies a topic to another, exactly once, by checkpoints and transactions. It goes on from the last
 * checkpoint after each failure.
 *
 * <pre>
 * FlinkCopy bootstrap input output checkpoint-directory
 * </pre>
 *
 * Commands on standard input, each answered by lines, the last of which is a dot: "fail" (the next record fails),
 * "failures" (how many did), "copied" (records since the start, with those that are copied again).
 */
public final class FlinkCopy {
  private static final int CHECKPOINT_INTERVAL_MS = 1_000;
  private static final int TRANSACTION_TIMEOUT_MS = 60_000;
  private static final AtomicInteger TO_FAIL = new AtomicInteger();
  private static final AtomicInteger FAILURES = new AtomicInteger();
  private static final AtomicLong COPIED = new AtomicLong();

  private FlinkCopy() {}

  private static String copy(String record) {
    if (TO_FAIL.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
      FAILURES.incrementAndGet();
      throw new IllegalStateException("Asked to fail");
    }
    COPIED.incrementAndGet();
    return record;
  }

  public static void main(String[] args) throws Exception {
    Configuration settings = new Configuration();
    settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, "file://" + args[3]);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, java.time.Duration.ofMillis(500));
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(2, settings);
    environment.enableCheckpointing(CHECKPOINT_INTERVAL_MS);
    KafkaSource<String> source =
        KafkaSource.<String>builder()
            .setBootstrapServers(args[0])
            .setTopics(args[1])
            .setGroupId("flink-copy")
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setValueOnlyDeserializer(new SimpleStringSchema())
            .build();
    KafkaSink<String> sink =
        KafkaSink.<String>builder()
            .setBootstrapServers(args[0])
            .setRecordSerializer(
                KafkaRecordSerializationSchema.builder()
                    .setTopic(args[2])
                    .setValueSerializationSchema(new SimpleStringSchema())
                    .build())
            .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
            .setTransactionalIdPrefix("flink-copy")
            .setProperty("transaction.timeout.ms", String.valueOf(TRANSACTION_TIMEOUT_MS))
            .build();
    environment
        .fromSource(source, WatermarkStrategy.noWatermarks(), "input")
        .map(FlinkCopy::copy)
        .returns(String.class)
        .sinkTo(sink);
    environment.executeAsync("copy");
    answer();
  }

  private static void answer() throws IOException {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      if (command.equals("fail")) {
        TO_FAIL.incrementAndGet();
      }
      System.out.println(command.equals("failures") ? FAILURES.get() : COPIED.get());
      System.out.println(".");
      System.out.flush();
    }
    System.exit(0);
  }
}
