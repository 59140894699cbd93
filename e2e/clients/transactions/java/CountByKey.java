import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/**
 * Kafka Streams with exactly_once_v2: counts the records of each key, and writes each new count.
 *
 * <pre>
 * CountByKey bootstrap application-id state-directory input output
 * </pre>
 *
 * Commands as those of TransformLoop; it counts nothing of itself.
 */
public final class CountByKey {
  private static final int TRANSACTION_TIMEOUT_MS = 6_000;

  private CountByKey() {}

  public static void main(String[] args) throws IOException {
    Properties properties = new Properties();
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, args[1]);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, args[2]);
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 500);
    properties.put(StreamsConfig.producerPrefix("transaction.timeout.ms"), TRANSACTION_TIMEOUT_MS);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 6_000);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 1_000);

    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(args[3], Consumed.with(Serdes.String(), Serdes.String()))
        .groupByKey()
        .count()
        .toStream()
        .mapValues(count -> String.valueOf(count))
        .to(args[4], Produced.with(Serdes.String(), Serdes.String()));
    KafkaStreams streams = new KafkaStreams(builder.build(), properties);
    streams.setUncaughtExceptionHandler(
        error -> {
          System.err.println(error);
          return StreamThreadExceptionResponse.REPLACE_THREAD;
        });
    streams.start();

    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      if (command.equals("stop")) {
        streams.close();
      }
      System.out.println("0 0 0");
      System.out.println(".");
      System.out.flush();
    }
    System.exit(0);
  }
}
