import { Arrow, Box, Picture, Words } from './kit';

const ID = 'data-path';

/** The connections between components, and which side of the account's border each is on. */
export function DataPathPicture() {
  return (
    <Picture
      id={ID}
      title="The data path"
      height={400}
      text="In your cloud account, Kafka clients send records to agents and receive records from them. The agents write data files to your bucket and read them from it. Agents send metadata to the metadata service in our account. It keeps a journal in PostgreSQL, which the web app and the worker also use. Records never cross the boundary between the accounts."
      legend="Blue: records. Copper: metadata. Only metadata crosses the boundary between the accounts."
    >
      <Box x={4} y={4} width={332} height={222} variant="solid" />
      <Words x={16} y={24} isStrong>
        Your cloud account
      </Words>
      <Box x={20} y={36} width={300} height={38} label="Kafka clients" note="unchanged" />
      <Arrow picture={ID} from={[170, 78]} to={[170, 104]} tone="record" isTwoWay />
      <Words x={182} y={95}>
        Kafka protocol
      </Words>
      <Box x={20} y={108} width={300} height={38} label="Agents" note="stateless, any number" />
      <Arrow picture={ID} from={[90, 150]} to={[90, 176]} tone="record" isTwoWay />
      <Words x={102} y={167}>
        PUT, GET
      </Words>
      <Box x={20} y={180} width={140} height={38} label="Your bucket" note="data files" />
      <Words x={252} y={203} anchor="end">
        metadata (RPC)
      </Words>
      <Box x={4} y={234} width={332} height={162} variant="solid" />
      <Words x={16} y={254} isStrong>
        Our account
      </Words>
      <Box x={20} y={266} width={300} height={38} label="Metadata service" note="one owner per virtual cluster" />
      <Arrow picture={ID} from={[260, 150]} to={[260, 262]} tone="metadata" isTwoWay />
      <Arrow picture={ID} from={[90, 308]} to={[90, 344]} tone="metadata" isTwoWay />
      <Words x={102} y={330}>
        journal, leases
      </Words>
      <Box x={20} y={348} width={140} height={38} label="PostgreSQL" />
      <Box x={200} y={348} width={120} height={38} label="Web app, worker" />
      <Arrow picture={ID} from={[196, 367]} to={[164, 367]} tone="metadata" isTwoWay />
    </Picture>
  );
}
