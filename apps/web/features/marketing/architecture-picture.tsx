/** The connections between components, and what crosses the border of the customer's account: metadata only. */
export function ArchitecturePicture() {
  return (
    <>
      <div className="hidden lg:block">
        <WidePicture />
      </div>
      <div className="mx-auto max-w-sm lg:hidden">
        <TallPicture />
      </div>
    </>
  );
}

const DESCRIPTION =
  'Inside your cloud account, Kafka clients connect to agents in three zones. The agents write data files to your bucket and read them from it. Outside your account, the Penstock control plane consists of a metadata service, a PostgreSQL journal and a web app. Agents send it only metadata. Records never leave your account.';

/** For narrow windows: one zone stands for three, and the control plane is below the account. */
function TallPicture() {
  return (
    <svg
      viewBox="0 0 320 530"
      role="img"
      aria-label={`Architecture. ${DESCRIPTION}`}
      className="h-auto w-full"
      fill="none"
    >
      <defs>
        <Arrowhead id="tall-head" color="var(--ink-2)" />
        <Arrowhead id="tall-head-in" color="var(--data-in)" />
        <Arrowhead id="tall-head-meta" color="var(--accent)" />
      </defs>

      {/* Customer account */}
      <rect x="1" y="1" width="318" height="336" rx="14" fill="var(--surface)" stroke="var(--line-strong)" />
      <Label x={20} y={29} name="Your cloud account" note="data plane: handles all records" />
      <rect x="20" y="66" width="280" height="150" rx="10" stroke="var(--line-strong)" strokeDasharray="4 4" />
      <text x="32" y="86" fontSize="12" fontFamily="var(--font-geist-mono)" fill="var(--ink-3)">
        each zone
      </text>
      <rect x="120" y="76" width="160" height="36" rx="8" fill="var(--inset)" stroke="var(--line-strong)" />
      <text x="200" y="99" textAnchor="middle" fontSize="13" fill="var(--ink)">
        Kafka clients
      </text>
      <line
        x1="200"
        y1="116"
        x2="200"
        y2="146"
        stroke="var(--ink-2)"
        strokeWidth="1.5"
        markerStart="url(#tall-head)"
        markerEnd="url(#tall-head)"
      />
      <rect
        x="120"
        y="150"
        width="160"
        height="52"
        rx="8"
        fill="var(--surface)"
        stroke="var(--ink)"
        strokeWidth="1.75"
      />
      <text x="200" y="173" textAnchor="middle" fontSize="13" fontWeight="600" fill="var(--ink)">
        Agents
      </text>
      <text x="200" y="191" textAnchor="middle" fontSize="12" fill="var(--ink-3)">
        no disk, no leader
      </text>
      <line
        x1="200"
        y1="206"
        x2="200"
        y2="248"
        stroke="var(--data-in)"
        strokeWidth="2"
        markerStart="url(#tall-head-in)"
        markerEnd="url(#tall-head-in)"
      />
      <text fontSize="12" fill="var(--ink-2)">
        <tspan x="212" y="231">
          one object,
        </tspan>
        <tspan x="212" y="246">
          all partitions
        </tspan>
      </text>
      <rect
        x="20"
        y="252"
        width="280"
        height="68"
        rx="10"
        fill="var(--inset)"
        stroke="var(--data-in)"
        strokeWidth="1.75"
      />
      <Label x={36} y={280} name="Your bucket" note="S3, GCS, Azure Blob or a folder" />

      {/* What crosses the border */}
      <path
        d="M120 180 H72"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeDasharray="5 4"
        markerStart="url(#tall-head-meta)"
      />
      <path d="M72 180 V244 M72 326 V386" stroke="var(--accent)" strokeWidth="2" strokeDasharray="5 4" />
      <path d="M72 370 V390" stroke="var(--accent)" strokeWidth="2" markerEnd="url(#tall-head-meta)" />
      <text x="86" y="366" fontSize="12" fill="var(--accent-ink)">
        commits, no records
      </text>

      {/* Control plane */}
      <rect
        x="1"
        y="394"
        width="318"
        height="135"
        rx="14"
        fill="var(--surface)"
        stroke="var(--accent)"
        strokeOpacity="0.7"
      />
      <Label x={20} y={422} name="Penstock control plane" note="metadata only" />
      {['Web app', 'Metadata service', 'PostgreSQL'].map((name, index) => (
        <g key={name}>
          <circle cx="24" cy={463 + index * 22} r="2.5" fill="var(--ink-3)" />
          <text x="36" y={467 + index * 22} fontSize="13" fill="var(--ink)">
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Label({ x, y, name, note }: { x: number; y: number; name: string; note: string }) {
  return (
    <>
      <text x={x} y={y} fontSize="14" fontWeight="600" fill="var(--ink)">
        {name}
      </text>
      <text x={x} y={y + 19} fontSize="12" fill="var(--ink-3)">
        {note}
      </text>
    </>
  );
}

function Arrowhead({ id, color }: { id: string; color: string }) {
  return (
    <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
      <path d="M1 1 L7 4 L1 7" stroke={color} strokeWidth="1.4" />
    </marker>
  );
}

function WidePicture() {
  return (
    <svg
      viewBox="0 0 960 470"
      role="img"
      aria-label={`Architecture. ${DESCRIPTION}`}
      className="h-auto w-full"
      fill="none"
    >
      <defs>
        <Arrowhead id="head" color="var(--ink-2)" />
        <Arrowhead id="head-in" color="var(--data-in)" />
        <Arrowhead id="head-meta" color="var(--accent)" />
      </defs>

      {/* Customer account */}
      <rect x="8" y="30" width="640" height="432" rx="14" fill="var(--surface)" stroke="var(--line-strong)" />
      <text x="28" y="58" fontSize="13" fontWeight="600" fill="var(--ink)">
        Your cloud account
      </text>
      <text x="28" y="76" fontSize="12" fill="var(--ink-3)">
        data plane: handles all records
      </text>

      {/* Zones */}
      {['a', 'b', 'c'].map((zone, index) => {
        const x = 28 + index * 204;
        return (
          <g key={zone}>
            <rect x={x} y="96" width="192" height="206" rx="10" stroke="var(--line-strong)" strokeDasharray="4 4" />
            <text x={x + 14} y="118" fontSize="11" fontFamily="var(--font-geist-mono)" fill="var(--ink-3)">
              zone {zone}
            </text>
            <rect x={x + 16} y="132" width="160" height="46" rx="8" fill="var(--inset)" stroke="var(--line-strong)" />
            <text x={x + 96} y="160" textAnchor="middle" fontSize="13" fill="var(--ink)">
              Kafka clients
            </text>
            <line
              x1={x + 96}
              y1="182"
              x2={x + 96}
              y2="226"
              stroke="var(--ink-2)"
              strokeWidth="1.5"
              markerStart="url(#head)"
              markerEnd="url(#head)"
            />
            <rect
              x={x + 16}
              y="230"
              width="160"
              height="52"
              rx="8"
              fill="var(--surface)"
              stroke="var(--ink)"
              strokeWidth="1.75"
            />
            <text x={x + 96} y="253" textAnchor="middle" fontSize="13" fontWeight="600" fill="var(--ink)">
              Agent
            </text>
            <text x={x + 96} y="270" textAnchor="middle" fontSize="11" fill="var(--ink-3)">
              no disk, no leader
            </text>
            <line
              x1={x + 96}
              y1="286"
              x2={x + 96}
              y2="346"
              stroke="var(--data-in)"
              strokeWidth="2"
              markerStart="url(#head-in)"
              markerEnd="url(#head-in)"
            />
          </g>
        );
      })}
      <text x="334" y="332" fontSize="11" fill="var(--ink-2)">
        one object, all partitions
      </text>

      {/* Bucket */}
      <rect
        x="28"
        y="350"
        width="600"
        height="92"
        rx="10"
        fill="var(--inset)"
        stroke="var(--data-in)"
        strokeWidth="1.75"
      />
      <text x="48" y="378" fontSize="13" fontWeight="600" fill="var(--ink)">
        Your bucket
      </text>
      <text x="48" y="396" fontSize="12" fill="var(--ink-3)">
        S3, GCS, Azure Blob or a folder; durable across zones
      </text>
      <g fill="var(--data-in)">
        {Array.from({ length: 24 }, (_, index) => index).map((index) => (
          <rect
            key={index}
            x={48 + index * 23.4}
            y="410"
            width="18"
            height="16"
            rx="2.5"
            fillOpacity={0.22 + ((index * 7) % 5) * 0.12}
          />
        ))}
      </g>

      {/* Control plane */}
      <rect
        x="724"
        y="30"
        width="228"
        height="432"
        rx="14"
        fill="var(--surface)"
        stroke="var(--accent)"
        strokeOpacity="0.7"
      />
      <text x="744" y="58" fontSize="13" fontWeight="600" fill="var(--ink)">
        Penstock control plane
      </text>
      <text x="744" y="76" fontSize="12" fill="var(--ink-3)">
        metadata only
      </text>
      {[
        { y: 96, name: 'Web app', note: 'clusters, keys, live state' },
        { y: 218, name: 'Metadata service', note: 'offsets, groups, locations' },
        { y: 350, name: 'PostgreSQL', note: 'journal: offsets and usage' },
      ].map((box) => (
        <g key={box.name}>
          <rect x="744" y={box.y} width="188" height="66" rx="8" fill="var(--inset)" stroke="var(--line-strong)" />
          <text x="838" y={box.y + 29} textAnchor="middle" fontSize="13" fontWeight="600" fill="var(--ink)">
            {box.name}
          </text>
          <text x="838" y={box.y + 47} textAnchor="middle" fontSize="11" fill="var(--ink-3)">
            {box.note}
          </text>
        </g>
      ))}
      <line x1="838" y1="166" x2="838" y2="214" stroke="var(--ink-2)" strokeWidth="1.5" markerEnd="url(#head)" />
      <line x1="838" y1="288" x2="838" y2="346" stroke="var(--ink-2)" strokeWidth="1.5" markerEnd="url(#head)" />

      {/* What crosses the border */}
      <line
        x1="616"
        y1="254"
        x2="740"
        y2="254"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeDasharray="5 4"
        markerStart="url(#head-meta)"
        markerEnd="url(#head-meta)"
      />
      <text x="686" y="240" textAnchor="middle" fontSize="11" fill="var(--accent-ink)">
        commits
      </text>
      <text x="686" y="276" textAnchor="middle" fontSize="11" fill="var(--accent-ink)">
        no records
      </text>
    </svg>
  );
}
