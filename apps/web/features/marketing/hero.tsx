import { Button } from '@penstock/ui';
import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { SectionDrawing } from './section-drawing';

export function Hero() {
  return (
    <div className="relative overflow-hidden">
      <div
        aria-hidden
        className="drafting-grid absolute inset-0 [mask-image:linear-gradient(to_bottom,black,transparent)]"
      />
      <div className="relative mx-auto grid max-w-6xl items-center gap-12 px-4 pt-14 pb-16 sm:px-8 sm:pt-20 sm:pb-24 lg:grid-cols-[minmax(0,6fr)_minmax(0,6fr)]">
        <div>
          <h1 className="text-balance font-semibold text-[2.5rem] text-ink leading-[1.08] tracking-[-0.035em] sm:text-[3.5rem]">
            Kafka’s protocol. Your bucket. No brokers to run.
          </h1>
          <p className="mt-6 max-w-xl text-ink-2 text-lg leading-8">
            Penstock is Kafka-compatible streaming for the clients you already use. Stateless agents in your cloud
            account write every record directly to object storage. We store only metadata.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <Button asChild variant="primary" size="lg">
              <Link href="/sign-up">
                Create your first cluster
                <ArrowRight aria-hidden />
              </Link>
            </Button>
            <Button asChild size="lg">
              <Link href="/docs">Read the quick start</Link>
            </Button>
          </div>
          <dl className="mt-10 grid max-w-xl gap-x-8 gap-y-4 border-line border-t pt-6 text-sm sm:grid-cols-3">
            <Fact term="Clients">unchanged: librdkafka, Java, franz-go, KafkaJS</Fact>
            <Fact term="Records">never leave your account</Fact>
            <Fact term="Trade-off">higher latency</Fact>
          </dl>
        </div>
        <div className="rounded-2xl border border-line bg-surface p-5 shadow-raised sm:p-8">
          <SectionDrawing />
          <p className="mt-4 border-line border-t pt-4 text-[0.8125rem] text-ink-3 leading-6">
            <b className="font-medium text-ink-2">penstock</b>, <i>noun</i>: the pipe that carries water from a
            reservoir to a turbine.
          </p>
        </div>
      </div>
    </div>
  );
}

function Fact({ term, children }: { term: string; children: string }) {
  return (
    <div>
      <dt className="font-mono text-ink-3 text-xs">{term}</dt>
      <dd className="mt-1 text-ink leading-6">{children}</dd>
    </div>
  );
}
