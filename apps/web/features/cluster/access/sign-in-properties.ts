// The settings with which clients sign in. Pure text.
import type { SignIn } from './sign-in.types';

/** For Java clients, and for librdkafka and the clients that are made of it. */
export function signInProperties({ user, password, mechanism }: SignIn): readonly { title: string; code: string }[] {
  return [
    {
      title: 'client.properties (Java)',
      code: `security.protocol=SASL_SSL
sasl.mechanism=${mechanism}
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\
  username="${quoted(user)}" password="${quoted(password)}";`,
    },
    {
      title: 'librdkafka, kcat, confluent-kafka',
      code: `security.protocol=SASL_SSL
sasl.mechanisms=${mechanism}
sasl.username=${user}
sasl.password=${password}`,
    },
  ];
}

/** Within the quotes of a JAAS configuration in a properties file, which both know the backslash. */
function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\\\\\').replaceAll('"', '\\\\"');
}
