// Asks a cluster for what Penstock once answered otherwise than Apache Kafka, and prints `name=fact` lines.
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.ConfigResource.Type;

public final class AdminDifferences {
    private static final List<String> BROKER_CONFIGS =
            List.of("group.max.session.timeout.ms", "group.min.session.timeout.ms", "offset.metadata.max.bytes",
                    "offsets.retention.minutes", "producer.id.expiration.ms", "transaction.max.timeout.ms",
                    "transactional.id.expiration.ms");

    private final Admin admin;
    private final String prefix;

    private AdminDifferences(Admin admin, String prefix) {
        this.admin = admin;
        this.prefix = prefix;
    }

    public static void main(String[] args) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
            AdminDifferences differences = new AdminDifferences(admin, args[1]);
            differences.topics();
            differences.replication();
            differences.clientMetrics();
            differences.brokers();
            differences.clusterDefaults();
            differences.assignments();
            differences.logDirs();
        }
    }

    private void topics() throws Exception {
        Map<String, String> configs = Map.of("remote.log.copy.disable", "false", "remote.log.delete.on.disable", "false");
        NewTopic dotted = new NewTopic(prefix + ".a", Optional.of(1), Optional.empty()).configs(configs);
        print("topic.dotted", outcome(admin.createTopics(List.of(dotted)).all()));
        NewTopic underscored = new NewTopic(prefix + "_a", Optional.of(1), Optional.empty());
        print("topic.underscored", outcome(admin.createTopics(List.of(underscored)).all()));
        ConfigResource topic = new ConfigResource(Type.TOPIC, prefix + ".a");
        print("topic.configs", String.join(",", new TreeSet<>(describe(topic).keySet())));
        ConfigEntry unknown = new ConfigEntry("no.such.config", "1");
        print("topic.unknown", alter(topic, List.of(new AlterConfigOp(unknown, OpType.SET))));
    }

    private void replication() throws Exception {
        for (int factor : List.of(-1, 0, 1, 3)) {
            String fact = "replication." + factor;
            NewTopic topic = new NewTopic(prefix + "-replicated" + factor, 2, (short) factor);
            CreateTopicsOptions dry = new CreateTopicsOptions().validateOnly(true);
            print(fact + ".validated", answered(admin.createTopics(List.of(topic), dry), topic));
            print(fact + ".created", answered(admin.createTopics(List.of(topic)), topic));
            print(fact + ".described", replicas(topic.name()));
        }
    }

    /** Partitions and replication factor as the answer names them. */
    private static String answered(CreateTopicsResult result, NewTopic topic) throws Exception {
        try {
            return result.numPartitions(topic.name()).get() + "x" + result.replicationFactor(topic.name()).get();
        } catch (ExecutionException refused) {
            return refused.getCause().getClass().getSimpleName();
        }
    }

    /** Replicas of each partition. The topic reaches other brokers after a moment. */
    private String replicas(String topic) throws Exception {
        for (int attempt = 1; ; attempt += 1) {
            try {
                return admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().stream()
                        .map(partition -> partition.replicas().size() + "/" + partition.isr().size())
                        .collect(Collectors.joining(","));
            } catch (ExecutionException refused) {
                if (attempt == 20) {
                    return refused.getCause().getClass().getSimpleName();
                }
                Thread.sleep(20);
            }
        }
    }

    private void clientMetrics() throws Exception {
        ConfigResource subscription = new ConfigResource(Type.CLIENT_METRICS, prefix);
        print("metrics.absent", text(describe(subscription)));
        print("metrics.interval", alter(subscription, List.of(set("interval.ms", "99"))));
        print("metrics.number", alter(subscription, List.of(set("interval.ms", "often"))));
        print("metrics.unknown", alter(subscription, List.of(set("push.interval.ms", "1000"))));
        print("metrics.match.key", alter(subscription, List.of(set("match", "client=a"))));
        print("metrics.match.regex", alter(subscription, List.of(set("match", "client_id=("))));
        print("metrics.none", String.valueOf(listed().contains(prefix)));
        print("metrics.set", alter(subscription, List.of(
                set("interval.ms", "60000"), set("metrics", "org.apache.kafka.producer."), set("match", "client_id=a.*"))));
        waitUntilListed(true);
        print("metrics.described", text(describe(subscription)));
        Collection<AlterConfigOp> removals = new ArrayList<>();
        for (String name : List.of("interval.ms", "metrics", "match")) {
            removals.add(new AlterConfigOp(new ConfigEntry(name, ""), OpType.DELETE));
        }
        print("metrics.removed", alter(subscription, removals));
        waitUntilListed(false);
    }

    private void brokers() throws Exception {
        String node = admin.describeCluster().nodes().get().iterator().next().idString();
        ConfigResource broker = new ConfigResource(Type.BROKER, node);
        Map<String, ConfigEntry> described = describe(broker);
        for (String name : BROKER_CONFIGS) {
            ConfigEntry entry = described.get(name);
            print("broker." + name, entry == null ? "absent" : entry.value());
        }
        print("broker.set", alter(broker, List.of(set("offsets.retention.minutes", "5"))));
    }

    /** Configs of all brokers, and where a broker and a topic say that they come from. */
    private void clusterDefaults() throws Exception {
        String node = admin.describeCluster().nodes().get().iterator().next().idString();
        print("defaults.cluster", text(describe(new ConfigResource(Type.BROKER, ""))));
        ConfigResource all = new ConfigResource(Type.BROKER, "");
        String own = "max.uncompressed.batch.bytes";
        print("defaults.set", alter(all, List.of(set(own, "1048576"))));
        ConfigEntry changed = describe(all).get(own);
        print("defaults.own", changed.value() + ":" + changed.source());
        print("defaults.low", alter(all, List.of(set(own, "1023"))));
        print("defaults.deleted", alter(all, List.of(new AlterConfigOp(new ConfigEntry(own, ""), OpType.DELETE))));
        for (ConfigResource resource : List.of(new ConfigResource(Type.BROKER, node), new ConfigResource(Type.TOPIC, prefix + ".a"))) {
            ConfigEntry entry = describe(resource).get("min.insync.replicas");
            print("defaults." + resource.type().name().toLowerCase(), entry.value() + ":" + entry.source());
        }
    }

    /** Everything that places replicas: on the broker that leads, on one that does not exist, and in ways that make no sense. */
    private void assignments() throws Exception {
        Integer leader = admin.describeTopics(List.of(prefix + ".a")).allTopicNames().get().get(prefix + ".a")
                .partitions().get(0).leader().id();
        Map<String, List<Integer>> replicas = new TreeMap<>();
        replicas.put("leader", List.of(leader));
        replicas.put("unknown", List.of(99_999));
        replicas.put("twice", List.of(leader, leader));
        replicas.put("none", List.of());
        int partitions = 1;
        for (Map.Entry<String, List<Integer>> placed : replicas.entrySet()) {
            String by = placed.getKey();
            NewTopic topic = new NewTopic(prefix + ".assigned." + by, Map.of(0, placed.getValue()));
            print("assigned.topic." + by, outcome(admin.createTopics(List.of(topic)).all()));
            NewPartitions more = NewPartitions.increaseTo(partitions + 1, List.of(placed.getValue()));
            String grown = outcome(admin.createPartitions(Map.of(prefix + ".a", more)).all());
            partitions += grown.equals("done") ? 1 : 0;
            print("assigned.partition." + by, grown);
            Optional<NewPartitionReassignment> reassignment = placed.getValue().isEmpty()
                    ? Optional.empty()
                    : Optional.of(new NewPartitionReassignment(placed.getValue()));
            TopicPartition first = new TopicPartition(prefix + ".a", 0);
            print("assigned.again." + by, outcome(admin.alterPartitionReassignments(Map.of(first, reassignment)).all()));
        }
        NewPartitions tooFew = NewPartitions.increaseTo(partitions + 2, List.of(List.of(leader)));
        print("assigned.partition.tooFew", outcome(admin.createPartitions(Map.of(prefix + ".a", tooFew)).all()));
    }

    private void logDirs() throws Exception {
        int leader = admin.describeTopics(List.of(prefix + ".a")).allTopicNames().get().get(prefix + ".a")
                .partitions().get(0).leader().id();
        String own = admin.describeLogDirs(List.of(leader)).allDescriptions().get().get(leader).keySet().iterator().next();
        TopicPartitionReplica replica = new TopicPartitionReplica(prefix + ".a", 0, leader);
        TopicPartitionReplica absent = new TopicPartitionReplica(prefix + ".absent", 0, leader);
        print("logDirs.own", outcome(admin.alterReplicaLogDirs(Map.of(replica, own)).all()));
        print("logDirs.other", outcome(admin.alterReplicaLogDirs(Map.of(replica, own + "-other")).all()));
        print("logDirs.absent", outcome(admin.alterReplicaLogDirs(Map.of(absent, own)).all()));
    }

    /** The change reaches other brokers after a moment. */
    private void waitUntilListed(boolean wanted) throws Exception {
        while (listed().contains(prefix) != wanted) {
            Thread.sleep(20);
        }
    }

    private Set<String> listed() throws Exception {
        return admin.listConfigResources(Set.of(Type.CLIENT_METRICS), new org.apache.kafka.clients.admin.ListConfigResourcesOptions())
                .all().get().stream().map(ConfigResource::name).collect(Collectors.toSet());
    }

    private Map<String, ConfigEntry> describe(ConfigResource resource) throws Exception {
        Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
        Map<String, ConfigEntry> byName = new TreeMap<>();
        config.entries().forEach(entry -> byName.put(entry.name(), entry));
        return byName;
    }

    private static String text(Map<String, ConfigEntry> configs) {
        return configs.values().stream()
                .map(entry -> entry.name() + ":" + entry.value() + ":" + entry.source())
                .collect(Collectors.joining(";"));
    }

    private static AlterConfigOp set(String name, String value) {
        return new AlterConfigOp(new ConfigEntry(name, value), OpType.SET);
    }

    private String alter(ConfigResource resource, Collection<AlterConfigOp> ops) throws Exception {
        return outcome(admin.incrementalAlterConfigs(Map.of(resource, ops)).all());
    }

    private static String outcome(KafkaFuture<?> future) throws Exception {
        try {
            future.get();
            return "done";
        } catch (ExecutionException refused) {
            return refused.getCause().getClass().getSimpleName();
        }
    }

    private static void print(String name, String fact) {
        System.out.println(name + "=" + fact);
    }
}
