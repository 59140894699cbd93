import { Badge, type Tone } from '@penstock/ui';

type Status = 'open' | 'paid' | 'uncollectible' | 'issued';

const STATUS_BADGES: Readonly<Record<Status, { tone: Tone; text: string }>> = {
  open: { tone: 'warn', text: 'Open' },
  paid: { tone: 'ok', text: 'Paid' },
  uncollectible: { tone: 'danger', text: 'Uncollectible' },
  issued: { tone: 'neutral', text: 'Issued' },
};

export function InvoiceStatus({ status }: { status: Status }) {
  const { tone, text } = STATUS_BADGES[status];
  return (
    <Badge tone={tone} dot>
      {text}
    </Badge>
  );
}
