// Decides the cases on standard input with Apache Kafka's own authorizer. apps/agent/crates/authz/examples/decide.rs describes
// the format of cases and answers.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.SecurityUtils;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

public final class KafkaDecisions {
    private record Client(KafkaPrincipal principal, InetAddress clientAddress) implements AuthorizableRequestContext {
        @Override
        public String listenerName() {
            return "TEST";
        }

        @Override
        public SecurityProtocol securityProtocol() {
            return SecurityProtocol.PLAINTEXT;
        }

        @Override
        public int requestType() {
            return 3;
        }

        @Override
        public int requestVersion() {
            return 0;
        }

        @Override
        public String clientId() {
            return "client";
        }

        @Override
        public int correlationId() {
            return 0;
        }
    }

    private static final StandardAuthorizer authorizer = new StandardAuthorizer();
    private static Map<Uuid, StandardAcl> acls = new HashMap<>();
    private static boolean isLoaded;
    private static final StringBuilder answers = new StringBuilder();

    public static void main(String[] args) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        authorizer.withPluginMetrics(new PluginMetricsImpl(new Metrics(), Map.of()));
        authorizer.completeInitialLoad();
        boolean isFirst = true;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] fields = line.split("\t", -1);
            switch (fields[0]) {
                case "C" -> {
                    if (!isFirst) {
                        output.println(answers);
                    }
                    isFirst = false;
                    begin(fields);
                }
                case "A" -> acls.put(Uuid.randomUuid(), acl(fields));
                default -> answers.append(answer(fields) ? '1' : '0');
            }
        }
        output.println(answers);
        output.flush();
    }

    private static void begin(String[] fields) {
        answers.setLength(0);
        acls = new HashMap<>();
        isLoaded = false;
        authorizer.configure(Map.of(
            "allow.everyone.if.no.acl.found", fields[1].equals("1") ? "true" : "false",
            "super.users", fields[2]));
    }

    private static StandardAcl acl(String[] fields) {
        return new StandardAcl(
            ResourceType.fromCode(Byte.parseByte(fields[1])),
            fields[3],
            PatternType.fromCode(Byte.parseByte(fields[2])),
            fields[4],
            fields[5],
            AclOperation.fromCode(Byte.parseByte(fields[6])),
            AclPermissionType.fromCode(Byte.parseByte(fields[7])));
    }

    private static boolean answer(String[] fields) throws Exception {
        if (!isLoaded) {
            authorizer.loadSnapshot(acls);
            isLoaded = true;
        }
        Client client = new Client(SecurityUtils.parseKafkaPrincipal(fields[1]), InetAddress.getByName(fields[2]));
        ResourceType type = ResourceType.fromCode(Byte.parseByte(fields[3]));
        if (fields[0].equals("T")) {
            AclOperation operation = AclOperation.fromCode(Byte.parseByte(fields[4]));
            return authorizer.authorizeByResourceType(client, operation, type) == AuthorizationResult.ALLOWED;
        }
        ResourcePattern resource = new ResourcePattern(type, fields[4], PatternType.LITERAL);
        Action action = new Action(AclOperation.fromCode(Byte.parseByte(fields[5])), resource, 1, false, false);
        return authorizer.authorize(client, List.of(action)).get(0) == AuthorizationResult.ALLOWED;
    }
}
