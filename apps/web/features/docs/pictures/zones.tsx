import { Arrow, Box, Picture, Words } from './kit';

const ID = 'zones';

/** Clients stay with agents of their own zone; the bucket is regional. */
export function ZonesPicture() {
  return (
    <Picture
      id={ID}
      title="Zones"
      height={250}
      text="Three availability zones. In each, clients talk to an agent of the same zone. All agents write to and read from one bucket of the region. No line runs from one zone to another."
      legend="No traffic crosses zones. Agents in different zones share files only through the bucket."
    >
      {['a', 'b', 'c'].map((zone, index) => {
        const x = 4 + index * 113;
        return (
          <g key={zone}>
            <Box x={x} y={4} width={106} height={160} variant="dashed" />
            <Words x={x + 53} y={22} anchor="middle">
              {`zone ${zone}`}
            </Words>
            <Box x={x + 10} y={32} width={86} height={36} label="Clients" />
            <Arrow picture={ID} from={[x + 53, 72]} to={[x + 53, 112]} tone="record" isTwoWay />
            <Box x={x + 10} y={116} width={86} height={36} label="Agent" />
            <Arrow picture={ID} from={[x + 53, 156]} to={[x + 53, 200]} tone="record" isTwoWay />
          </g>
        );
      })}
      <Box x={4} y={204} width={332} height={42} label="Your bucket" note="regional: reachable from all zones" />
    </Picture>
  );
}
