/**
 * The product's name as an engineer's section drawing: a reservoir (the bucket), a penstock (the agents) and a turbine (the customer's
 * applications). The labels are part of the picture; its description repeats them.
 */
export function SectionDrawing() {
  return (
    <svg
      viewBox="0 0 590 430"
      role="img"
      aria-labelledby="section-drawing-title section-drawing-text"
      className="h-auto w-full font-mono"
      fill="none"
    >
      <title id="section-drawing-title">Penstock as a section drawing</title>
      <desc id="section-drawing-text">
        A reservoir labeled “your bucket” feeds an inclined pipe labeled “stateless agents”, which leads to a turbine
        labeled “your Kafka clients”.
      </desc>
      <defs>
        <pattern id="rock" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="9" stroke="var(--line-strong)" strokeWidth="1" />
        </pattern>
        <linearGradient id="pool" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--data-in)" stopOpacity="0.3" />
          <stop offset="1" stopColor="var(--data-in)" stopOpacity="0.06" />
        </linearGradient>
      </defs>

      {/* Ground */}
      <path
        d="M0 200 L150 214 L196 214 L384 344 L384 392 L590 392 L590 430 L0 430 Z"
        fill="url(#rock)"
        opacity="0.55"
      />
      <path d="M0 200 L150 214" stroke="var(--line-strong)" />

      {/* Reservoir */}
      <path d="M0 84 L168 84 L168 214 L150 214 L0 200 Z" fill="url(#pool)" />
      <path d="M0 84 H168" stroke="var(--data-in)" strokeWidth="2" />
      <path d="M74 76 l8 -10 l-16 0 z" fill="var(--data-in)" />
      <g stroke="var(--data-in)" strokeOpacity="0.45">
        <path d="M14 102 H96 M30 120 H140 M10 140 H72 M60 160 H150 M24 180 H110" />
      </g>

      {/* Dam and gate */}
      <path d="M168 58 H196 L222 214 H168 Z" fill="var(--inset)" stroke="var(--ink-3)" />
      <path d="M160 52 H204" stroke="var(--ink)" strokeWidth="3" />
      <path d="M176 52 V38 H188 V52" stroke="var(--ink-3)" />

      {/* Penstock: the pipe */}
      <g strokeLinecap="butt" strokeLinejoin="round">
        <path d="M166 188 H214 L392 318" stroke="var(--ink)" strokeWidth="32" />
        <path d="M164 188 H214 L394 319.5" stroke="var(--surface)" strokeWidth="26" />
        <path d="M164 188 H214 L394 319.5" stroke="var(--data-in)" strokeOpacity="0.2" strokeWidth="26" />
        <path
          d="M176 188 H214 L384 312"
          stroke="var(--data-in)"
          strokeWidth="2"
          strokeDasharray="10 8"
          className="[animation:flow_1.6s_linear_infinite]"
        />
      </g>
      {/* Flanges: one ring per agent */}
      {[0.22, 0.5, 0.78].map((share) => {
        const x = 214 + share * 178;
        const y = 188 + share * 130;
        return (
          <g key={share} transform={`translate(${x} ${y}) rotate(36)`}>
            <rect
              x="-5"
              y="-22"
              width="10"
              height="44"
              rx="2"
              fill="var(--surface)"
              stroke="var(--ink)"
              strokeWidth="2"
            />
          </g>
        );
      })}

      {/* Turbine: spiral casing and runner */}
      <g transform="translate(432 336)">
        <circle r="56" fill="var(--surface)" stroke="var(--accent)" strokeWidth="10" />
        <circle r="36" stroke="var(--line-strong)" />
        <g className="[animation:turn_7s_linear_infinite]">
          {[0, 45, 90, 135, 180, 225, 270, 315].map((angle) => (
            <path
              key={angle}
              d="M0 -14 C 9 -20 10 -28 4 -36"
              transform={`rotate(${angle})`}
              stroke="var(--accent)"
              strokeWidth="4"
              strokeLinecap="round"
            />
          ))}
        </g>
        <circle r="9" fill="var(--ink)" />
      </g>

      {/* Generator shaft and outflow */}
      <path d="M432 280 V232 M412 232 H452 V206 H412 Z" stroke="var(--ink-3)" />
      <path d="M488 352 C 510 352 512 376 534 376 H590" stroke="var(--data-in)" strokeWidth="2" />
      <path d="M476 376 C 500 384 520 386 590 386" stroke="var(--data-in)" strokeOpacity="0.4" />

      {/* Leaders and labels */}
      <g stroke="var(--ink-3)">
        <path d="M50 110 V26" />
        <path d="M318 252 L372 166 H398" />
        <path d="M452 218 H480" />
      </g>
      {/* In a narrow window the drawing shrinks to half: names only, and larger */}
      <g fill="var(--ink)" fontWeight="600" className="text-[15px] max-sm:text-[22px]">
        <text x="50" y="17">
          Your bucket
        </text>
        <text x="590" y="158" textAnchor="end" className="sm:hidden">
          Stateless agents
        </text>
        <text x="404" y="164" className="max-sm:hidden">
          Stateless agents
        </text>
        <text x="486" y="218">
          Clients
        </text>
      </g>
      <g fill="var(--ink-3)" className="text-[14px] max-sm:hidden">
        <text x="162" y="17">
          every record, at rest
        </text>
        <text x="404" y="184">
          any partition
        </text>
        <text x="486" y="236">
          Kafka API
        </text>
      </g>
    </svg>
  );
}
