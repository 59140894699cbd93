import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What Java's clients see of transactions: prints one line `name=value` for each fact.
 *
 * Arguments: bootstrap servers, prefix of all names.
 */
public final class TransactionsClient {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String COMMITTED = "read_committed";
    private static final String UNCOMMITTED = "read_uncommitted";

    private final String bootstrap;
    private final String prefix;
    private final Admin admin;

    private TransactionsClient(String bootstrap, String prefix) {
        this.bootstrap = bootstrap;
        this.prefix = prefix;
        this.admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
    }

    public static void main(String[] args) throws Exception {
        TransactionsClient client = new TransactionsClient(args[0], args[1]);
        client.seeTransactions();
        client.transform();
        client.fence();
        client.timeOut();
        client.admin.close();
    }

    private void seeTransactions() throws Exception {
        List<TopicPartition> partitions = createTopic("records", 2);
        try (KafkaProducer<String, String> producer = producer("seen", 60_000);
                KafkaConsumer<String, String> waiting = waitingConsumer()) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, partitions, "first");
            say("end.committed.open", endOffsets(COMMITTED, partitions));
            say("end.uncommitted.open", endOffsets(UNCOMMITTED, partitions));
            say("read.committed.open", values(COMMITTED, partitions));
            describe(partitions.get(0));
            waiting.assign(partitions);
            waiting.seekToBeginning(partitions);
            var executor = Executors.newSingleThreadExecutor();
            // The long poll at the broker lasts longer than this test waits.
            var woken = executor.submit(() -> waiting.poll(LONG).count());
            Thread.sleep(SHORT.toMillis());
            say("waits.open", !woken.isDone());
            producer.commitTransaction();
            say("woken", woken.get() > 0);
            executor.shutdown();
            producer.beginTransaction();
            send(producer, partitions, "aborted");
            producer.abortTransaction();
            producer.beginTransaction();
            send(producer, partitions.subList(0, 1), "second");
            producer.commitTransaction();
        }
        say("read.committed", values(COMMITTED, partitions));
        say("read.uncommitted", values(UNCOMMITTED, partitions));
        say("end.committed", endOffsets(COMMITTED, partitions));
        say("end.uncommitted", endOffsets(UNCOMMITTED, partitions));
    }

    private void describe(TopicPartition partition) throws Exception {
        String id = prefix + "-seen";
        var described = admin.describeTransactions(List.of(id)).description(id).get();
        say("described.state", described.state());
        say("described.partitions", described.topicPartitions().size());
        say("described.started", described.transactionStartTimeMs().isPresent());
        var pattern = new ListTransactionsOptions().filterOnTransactionalIdPattern(prefix + "-s..n");
        say("listed", admin.listTransactions(pattern).all().get().size());
        var producers = admin.describeProducers(List.of(partition)).partitionResult(partition).get();
        say("producers", producers.activeProducers().size());
        say("producers.start", producers.activeProducers().get(0).currentTransactionStartOffset().getAsLong());
    }

    /** Consumes, transforms and produces; every other transaction is aborted and tried again. */
    private void transform() throws Exception {
        List<TopicPartition> in = createTopic("in", 1);
        List<TopicPartition> out = createTopic("out", 2);
        try (KafkaProducer<String, String> plain = new KafkaProducer<>(common())) {
            for (int number = 0; number < 20; number++) {
                plain.send(new ProducerRecord<>(in.get(0).topic(), "number", String.valueOf(number)));
            }
        }
        String group = prefix + "-group";
        try (KafkaProducer<String, String> producer = producer("transform", 60_000);
                KafkaConsumer<String, String> consumer = consumer(COMMITTED, group)) {
            producer.initTransactions();
            consumer.subscribe(List.of(in.get(0).topic()));
            long next = 0;
            for (int round = 0; next < 20; round++) {
                var records = consumer.poll(LONG);
                if (records.isEmpty()) {
                    throw new IllegalStateException("no more records at " + next);
                }
                producer.beginTransaction();
                for (ConsumerRecord<String, String> record : records) {
                    int number = Integer.parseInt(record.value());
                    producer.send(new ProducerRecord<>(out.get(0).topic(), number % 2, "number", number + "!"));
                }
                long end = consumer.position(in.get(0));
                var offsets = Map.of(in.get(0), new OffsetAndMetadata(end));
                producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
                if (round == 0) {
                    say("offset.open", committed(group, in.get(0)));
                }
                if (round % 2 == 0) {
                    producer.abortTransaction();
                    consumer.seek(in.get(0), next);
                } else {
                    producer.commitTransaction();
                    next = end;
                }
            }
        }
        say("offset", committed(group, in.get(0)));
        say("transformed", values(COMMITTED, out));
    }

    private void fence() throws Exception {
        List<TopicPartition> partitions = createTopic("fenced", 1);
        try (KafkaProducer<String, String> first = producer("fenced", 60_000);
                KafkaProducer<String, String> second = producer("fenced", 60_000)) {
            first.initTransactions();
            first.beginTransaction();
            send(first, partitions, "fenced");
            second.initTransactions();
            say("fenced", failure(first::commitTransaction));
            second.beginTransaction();
            send(second, partitions, "successor");
            second.commitTransaction();
        }
        say("read.fenced", values(COMMITTED, partitions));
    }

    private void timeOut() throws Exception {
        List<TopicPartition> partitions = createTopic("late", 1);
        try (KafkaProducer<String, String> producer = producer("late", 1_000)) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, partitions, "late");
            long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
            while (endOffsets(COMMITTED, partitions).equals("0") && System.nanoTime() < deadline) {
                Thread.sleep(100);
            }
            say("late", failure(producer::commitTransaction));
        }
        say("read.late", values(COMMITTED, partitions));
        say("end.late", endOffsets(COMMITTED, partitions));
    }

    private List<TopicPartition> createTopic(String name, int partitions) throws Exception {
        String topic = prefix + "-" + name;
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
        List<TopicPartition> all = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            all.add(new TopicPartition(topic, partition));
        }
        return all;
    }

    private Map<String, Object> common() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("key.serializer", StringSerializer.class);
        settings.put("value.serializer", StringSerializer.class);
        settings.put("key.deserializer", StringDeserializer.class);
        settings.put("value.deserializer", StringDeserializer.class);
        return settings;
    }

    private KafkaProducer<String, String> producer(String name, int timeoutMs) {
        Map<String, Object> settings = common();
        settings.put("transactional.id", prefix + "-" + name);
        settings.put("transaction.timeout.ms", timeoutMs);
        return new KafkaProducer<>(settings);
    }

    private KafkaConsumer<String, String> consumer(String isolation, String group) {
        Map<String, Object> settings = common();
        settings.put("isolation.level", isolation);
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", false);
        settings.put("max.poll.records", 7);
        if (group != null) {
            settings.put("group.id", group);
        }
        return new KafkaConsumer<>(settings);
    }

    /** The broker answers it only when there are records, within the time of a test. */
    private KafkaConsumer<String, String> waitingConsumer() {
        Map<String, Object> settings = common();
        settings.put("isolation.level", COMMITTED);
        settings.put("fetch.max.wait.ms", 15_000);
        return new KafkaConsumer<>(settings);
    }

    /** Three records to each partition, acknowledged. */
    private static void send(KafkaProducer<String, String> producer, Collection<TopicPartition> partitions, String value) {
        for (TopicPartition partition : partitions) {
            for (int number = 0; number < 3; number++) {
                producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), null, value + number));
            }
        }
        producer.flush();
    }

    /** In the order of the partitions. */
    private String endOffsets(String isolation, List<TopicPartition> partitions) {
        try (KafkaConsumer<String, String> consumer = consumer(isolation, null)) {
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            return partitions.stream().map(partition -> ends.get(partition).toString()).collect(Collectors.joining(","));
        }
    }

    /** All values up to the end, by partition. */
    private String values(String isolation, List<TopicPartition> partitions) {
        Map<TopicPartition, List<String>> read = new HashMap<>();
        try (KafkaConsumer<String, String> consumer = consumer(isolation, null)) {
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                for (ConsumerRecord<String, String> record : consumer.poll(SHORT)) {
                    var partition = new TopicPartition(record.topic(), record.partition());
                    read.computeIfAbsent(partition, any -> new ArrayList<>()).add(record.value());
                }
            }
        }
        return partitions.stream()
                .map(partition -> String.join(",", read.getOrDefault(partition, List.of())))
                .collect(Collectors.joining(";"));
    }

    /** The stable offset of a group, or `unstable`. */
    private String committed(String group, TopicPartition partition) {
        try (KafkaConsumer<String, String> consumer = consumer(COMMITTED, group)) {
            OffsetAndMetadata offset = consumer.committed(Set.of(partition), Duration.ofSeconds(1)).get(partition);
            return offset == null ? "none" : String.valueOf(offset.offset());
        } catch (TimeoutException unstable) {
            return "unstable";
        }
    }

    private interface Action {
        void run() throws ExecutionException, InterruptedException;
    }

    private static String failure(Action action) throws Exception {
        try {
            action.run();
            return "none";
        } catch (KafkaException failure) {
            return failure.getClass().getSimpleName();
        }
    }

    private static void say(String name, Object value) {
        System.out.println(name + "=" + value);
    }
}
