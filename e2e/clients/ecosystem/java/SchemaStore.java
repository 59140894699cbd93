import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Stands in for the store of Confluent's schema registry, which no public package registry offers. It sends the requests of KafkaStore and
 * KafkaStoreReaderThread in the same order. It creates or checks a compacted topic with one partition, writes with an idempotent producer (acks=all), and
 * reads everything from the beginning into a cache without commits. A write waits until the cache contains it. A start waits for its own empty record
 * (NOOP).
 *
 * <pre>
 * SchemaStore bootstrap topic
 * </pre>
 *
 * Commands on standard input, each answered by lines, the last of which is a dot: "put", tab, key, tab, value; "delete", tab, key; "dump" (key, tab,
 * value of each entry of the cache).
 */
public final class SchemaStore {
  private static final String NOOP = "{\"keytype\":\"NOOP\",\"magic\":0}";
  private static final int TIMEOUT_S = 60;

  private final String bootstrap;
  private final String topic;
  private final Map<String, String> cache = new TreeMap<>();
  /** The offset of the last record in the cache. */
  private long cachedOffset = -1;

  private SchemaStore(String bootstrap, String topic) {
    this.bootstrap = bootstrap;
    this.topic = topic;
  }

  public static void main(String[] args) throws Exception {
    SchemaStore store = new SchemaStore(args[0], args[1]);
    store.createOrVerifyTopic();
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(store.producerProperties())) {
      Thread reader = new Thread(store::read);
      reader.setDaemon(true);
      reader.start();
      store.write(producer, NOOP, null);
      store.obey(producer);
    }
  }

  private void obey(KafkaProducer<String, String> producer) throws Exception {
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] command = line.split("\t");
      switch (command[0]) {
        case "put" -> write(producer, command[1], command[2]);
        case "delete" -> write(producer, command[1], null);
        case "dump" -> System.out.print(dump());
        default -> throw new IOException(line);
      }
      System.out.println(".");
      System.out.flush();
    }
  }

  private void createOrVerifyTopic() throws Exception {
    Properties properties = new Properties();
    properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    try (Admin admin = Admin.create(properties)) {
      if (!admin.listTopics().names().get(TIMEOUT_S, TimeUnit.SECONDS).contains(topic)) {
        admin.describeCluster().nodes().get(TIMEOUT_S, TimeUnit.SECONDS);
        // An operator sets the rest with kafkastore.topic.config.*: compaction as early as possible, tombstones included.
        Map<String, String> configs = new HashMap<>();
        configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        configs.put(TopicConfig.SEGMENT_MS_CONFIG, "1");
        configs.put(TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG, "0");
        configs.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, "1");
        NewTopic created = new NewTopic(topic, 1, (short) 1).configs(configs);
        admin.createTopics(List.of(created)).all().get(TIMEOUT_S, TimeUnit.SECONDS);
        return;
      }
      int partitions =
          admin.describeTopics(List.of(topic)).allTopicNames().get(TIMEOUT_S, TimeUnit.SECONDS).get(topic).partitions().size();
      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
      String policy =
          admin
              .describeConfigs(List.of(resource))
              .all()
              .get(TIMEOUT_S, TimeUnit.SECONDS)
              .get(resource)
              .get(TopicConfig.CLEANUP_POLICY_CONFIG)
              .value();
      if (partitions != 1 || !TopicConfig.CLEANUP_POLICY_COMPACT.equals(policy)) {
        throw new IllegalStateException(topic + " has " + partitions + " partitions and the policy " + policy);
      }
    }
  }

  private Properties producerProperties() {
    Properties properties = new Properties();
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    properties.put(ProducerConfig.ACKS_CONFIG, "-1");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
    return properties;
  }

  private void write(KafkaProducer<String, String> producer, String key, String value)
      throws InterruptedException, ExecutionException, java.util.concurrent.TimeoutException {
    long offset = producer.send(new ProducerRecord<>(topic, 0, key, value)).get(TIMEOUT_S, TimeUnit.SECONDS).offset();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
    synchronized (cache) {
      while (cachedOffset < offset) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("wrote offset " + offset + ", but read no further than " + cachedOffset);
        }
        cache.wait(1_000);
      }
    }
  }

  private StringBuilder dump() {
    StringBuilder entries = new StringBuilder();
    synchronized (cache) {
      cache.forEach((key, value) -> entries.append(key).append('\t').append(value).append('\n'));
    }
    return entries;
  }

  private void read() {
    Properties properties = new Properties();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, "schema-registry-127.0.0.1-8081");
    properties.put(ConsumerConfig.CLIENT_ID_CONFIG, "KafkaStore-reader-" + topic);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class);
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(properties)) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.partitionsFor(topic);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (true) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(Long.MAX_VALUE))) {
          take(record);
        }
      }
    } catch (RuntimeException error) {
      error.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private void take(ConsumerRecord<String, String> record) {
    synchronized (cache) {
      if (record.offset() <= cachedOffset) {
        throw new IllegalStateException("offset " + record.offset() + " came after " + cachedOffset);
      }
      if (record.value() == null) {
        cache.remove(record.key());
      } else if (!record.key().equals(NOOP)) {
        cache.put(record.key(), record.value());
      }
      cachedOffset = record.offset();
      cache.notifyAll();
    }
  }
}
