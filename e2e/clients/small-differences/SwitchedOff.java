// Asks a cluster for what a setting has switched off, and prints `name=what the client shows` lines.
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;

public final class SwitchedOff {
    private final String bootstrap;
    private final String absent;

    private SwitchedOff(String bootstrap, String absent) {
        this.bootstrap = bootstrap;
        this.absent = absent;
    }

    public static void main(String[] args) throws Exception {
        SwitchedOff off = new SwitchedOff(args[0], args[1]);
        off.topics();
        off.transactions();
        off.security();
    }

    /** Topics that are not created when they are named. */
    private void topics() {
        try (KafkaProducer<String, String> producer = producer(Map.of())) {
            print("produce", () -> producer.send(new ProducerRecord<>(absent, "value")).get());
        }
        try (KafkaProducer<String, String> producer = producer(Map.of("transactional.id", absent + "-records"))) {
            print("records.init", begun(producer));
            print("records.produce", () -> producer.send(new ProducerRecord<>(absent, "value")).get());
        }
        KafkaProducer<String, String> producer = producer(Map.of("transactional.id", absent + "-offsets"));
        print("offsets.init", begun(producer));
        print("offsets.commit", () -> {
            Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(new TopicPartition(absent, 0), new OffsetAndMetadata(1));
            producer.sendOffsetsToTransaction(offsets, new ConsumerGroupMetadata(absent));
            return null;
        });
        // It would wait for the commit, which it sends again and again.
        producer.close(Duration.ZERO);
    }

    /** More time than the cluster lets a transaction have. */
    private void transactions() {
        Map<String, Object> configs = Map.of("transactional.id", absent + "-long", "transaction.timeout.ms", "900001");
        try (KafkaProducer<String, String> producer = producer(configs)) {
            print("timeout.init", begun(producer));
        }
    }

    private void security() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            print("acls", () -> admin.describeAcls(AclBindingFilter.ANY).values().get());
            print("tokens", () -> admin.describeDelegationToken().delegationTokens().get());
        }
    }

    private KafkaProducer<String, String> producer(Map<String, Object> more) {
        Map<String, Object> configs = new HashMap<>(more);
        configs.put("bootstrap.servers", bootstrap);
        configs.put("max.block.ms", "2000");
        return new KafkaProducer<>(configs, new StringSerializer(), new StringSerializer());
    }

    private static Callable<?> begun(KafkaProducer<String, String> producer) {
        return () -> {
            // Kafka makes the coordinator's topic when it is first asked for.
            for (int attempt = 1; ; attempt += 1) {
                try {
                    producer.initTransactions();
                    break;
                } catch (TimeoutException late) {
                    if (attempt == 10) {
                        throw late;
                    }
                }
            }
            producer.beginTransaction();
            return null;
        };
    }

    private static void print(String name, Callable<?> work) {
        String fact;
        try {
            work.call();
            fact = "done";
        } catch (ExecutionException failed) {
            fact = text(failed.getCause());
        } catch (Exception failed) {
            fact = text(failed);
        }
        System.out.println(name + "=" + fact);
    }

    private static String text(Throwable failed) {
        return failed.getClass().getSimpleName() + ": " + failed.getMessage();
    }
}
