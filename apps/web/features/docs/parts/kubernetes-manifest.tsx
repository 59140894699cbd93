import { CodeBlock } from '@penstock/ui';
import { kubernetesManifest } from '../../connect';
import { EXAMPLE_AGENT } from './example-agent';

/** The manifest of the Connect page, with placeholders. */
export function KubernetesManifest() {
  return (
    <div className="mt-5">
      <CodeBlock title="penstock-agent.yaml" code={kubernetesManifest(EXAMPLE_AGENT)} />
    </div>
  );
}
