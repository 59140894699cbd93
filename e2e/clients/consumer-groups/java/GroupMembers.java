import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Many members of consumer groups in one process, each a consumer with a thread of its own that reads and commits.
 *
 * <pre>
 * GroupMembers bootstrap
 * </pre>
 *
 * Commands on standard input, each answered by lines, the last of which is a dot:
 *
 * <ul>
 *   <li>"join name protocol group subscription instance": begins a member. The subscription is a list of topics with commas, or "~" and a
 *       regular expression. The instance is "-" for a dynamic member.
 *   <li>"close name operation": ends it. The operation is leave, or default, after which a static member comes back.
 *   <li>"show": a line for each member that runs: name, number of partitions, of assignments so far, its partitions, its error.
 *   <li>"records group": how many records the members of a group read, and how many different ones.
 *   <li>"wait group": the longest that a record waited until a member first read it, since this was last asked, in milliseconds.
 *   <li>"conflicts": partitions that a member got while another had not given them up.
 * </ul>
 */
public final class GroupMembers {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration CLOSE = Duration.ofSeconds(20);

  private final String bootstrap;
  private final Map<String, Member> members = new TreeMap<>();
  /** Of each group, `topic-partition` to the member that has it. */
  private final Map<String, Map<TopicPartition, String>> owners = new ConcurrentHashMap<>();
  private final Map<String, Map<String, Integer>> readTimes = new ConcurrentHashMap<>();
  private final Map<String, Long> longestWaitMs = new ConcurrentHashMap<>();
  private final List<String> conflicts = new ArrayList<>();

  private GroupMembers(String bootstrap) {
    this.bootstrap = bootstrap;
  }

  public static void main(String[] args) throws Exception {
    GroupMembers program = new GroupMembers(args[0]);
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String command = commands.readLine(); command != null; command = commands.readLine()) {
      System.out.print(program.answer(command.split(" ")));
      System.out.println(".");
      System.out.flush();
    }
    System.exit(0);
  }

  private String answer(String[] words) throws InterruptedException {
    switch (words[0]) {
      case "join" -> {
        Member member = new Member(words);
        members.put(words[1], member);
        member.start();
        return "";
      }
      case "close" -> {
        Member member = members.remove(words[1]);
        member.closing =
            words[2].equals("leave") ? GroupMembershipOperation.LEAVE_GROUP : GroupMembershipOperation.DEFAULT;
        // It notices after its poll. A wake-up could strike between a commit and the count of what it committed.
        member.join();
        return "";
      }
      case "show" -> {
        return members.values().stream().map(Member::shown).collect(Collectors.joining());
      }
      case "records" -> {
        Map<String, Integer> times = readTimes.getOrDefault(words[1], Map.of());
        return times.values().stream().mapToInt(Integer::intValue).sum() + " " + times.size() + "\n";
      }
      case "wait" -> {
        Long longest = longestWaitMs.remove(words[1]);
        return (longest == null ? 0 : longest) + "\n";
      }
      case "conflicts" -> {
        synchronized (conflicts) {
          return conflicts.stream().map(line -> line + "\n").collect(Collectors.joining());
        }
      }
      default -> throw new IllegalArgumentException(words[0]);
    }
  }

  private final class Member extends Thread implements ConsumerRebalanceListener {
    private final String[] words;
    private final KafkaConsumer<String, String> consumer;
    private final Set<String> assigned = new TreeSet<>();
    private volatile GroupMembershipOperation closing;
    private volatile String error = "-";
    private int assignments;

    private Member(String[] words) {
      this.words = words;
      this.consumer = new KafkaConsumer<>(settings(words));
    }

    private Map<String, Object> settings(String[] words) {
      Map<String, Object> settings = new HashMap<>();
      settings.put("bootstrap.servers", bootstrap);
      settings.put("group.protocol", words[2]);
      settings.put("group.id", words[3]);
      settings.put("client.id", words[1]);
      settings.put("auto.offset.reset", "earliest");
      settings.put("enable.auto.commit", false);
      settings.put("fetch.max.wait.ms", 100);
      // A member of a group that subscribes to a pattern sees a new topic when its metadata is new.
      settings.put("metadata.max.age.ms", 1_000);
      settings.put("key.deserializer", StringDeserializer.class);
      settings.put("value.deserializer", StringDeserializer.class);
      if (words[2].equals("classic")) {
        settings.put("partition.assignment.strategy", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
      }
      if (!words[5].equals("-")) {
        settings.put("group.instance.id", words[5]);
      }
      return settings;
    }

    @Override
    public void run() {
      try {
        if (words[4].startsWith("~")) {
          consumer.subscribe(new SubscriptionPattern(words[4].substring(1)), this);
        } else {
          consumer.subscribe(List.of(words[4].split(",")), this);
        }
        while (closing == null) {
          ConsumerRecords<String, String> records = consumer.poll(POLL);
          if (!records.isEmpty()) {
            commit();
            records.forEach(this::count);
          }
        }
      } catch (RuntimeException failure) {
        error = failure.getClass().getSimpleName();
      }
      GroupMembershipOperation operation = closing == null ? GroupMembershipOperation.DEFAULT : closing;
      giveUp(List.copyOf(consumer.assignment()));
      consumer.close(CloseOptions.timeout(CLOSE).withGroupMembershipOperation(operation));
    }

    private void commit() {
      try {
        consumer.commitSync();
      } catch (RebalanceInProgressException refused) {
        // Of the classic protocol. The next commit, or the partition's next owner, goes on from the commit before.
      }
    }

    private void count(ConsumerRecord<String, String> record) {
      int times =
          readTimes
              .computeIfAbsent(words[3], group -> new ConcurrentHashMap<>())
              .merge(record.topic() + "/" + record.partition() + "/" + record.offset(), 1, Integer::sum);
      if (times == 1) {
        longestWaitMs.merge(words[3], System.currentTimeMillis() - record.timestamp(), Math::max);
      }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      Map<TopicPartition, String> ofGroup = owners.computeIfAbsent(words[3], group -> new ConcurrentHashMap<>());
      for (TopicPartition partition : partitions) {
        String other = ofGroup.put(partition, words[1]);
        if (other != null && !other.equals(words[1])) {
          synchronized (conflicts) {
            conflicts.add(partition + " " + other + " " + words[1]);
          }
        }
      }
      synchronized (assigned) {
        assignments++;
        partitions.forEach(partition -> assigned.add(partition.toString()));
      }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      giveUp(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      giveUp(partitions);
    }

    private void giveUp(Collection<TopicPartition> partitions) {
      Map<TopicPartition, String> ofGroup = owners.computeIfAbsent(words[3], group -> new ConcurrentHashMap<>());
      partitions.forEach(partition -> ofGroup.remove(partition, words[1]));
      synchronized (assigned) {
        partitions.forEach(partition -> assigned.remove(partition.toString()));
      }
    }

    private String shown() {
      synchronized (assigned) {
        return words[1] + " " + assigned.size() + " " + assignments + " " + String.join(",", assigned) + " " + error + "\n";
      }
    }
  }
}
