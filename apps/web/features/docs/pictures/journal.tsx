import { Arrow, Box, Picture, Words } from './kit';

const ID = 'journal';

/** Commands in, one append for many of them, and what makes a second owner harmless. */
export function JournalPicture() {
  return (
    <Picture
      id={ID}
      title="The metadata journal"
      height={352}
      text="Commits and other commands from many agents reach one owner. It applies them in memory and appends them together as entry 43 to the journal, whose entries are numbered 41, 42, 43. A second owner that was paused tries to append another entry 43 and collides with the primary key. Snapshots limit recovery time, and meter blocks are the basis of the bill."
      legend="Cluster and sequence number are the journal’s primary key. PostgreSQL rejects a second entry with the same number, and the owner that sent it steps down."
    >
      <Box x={4} y={4} width={104} height={34} label="commit" />
      <Box x={118} y={4} width={104} height={34} label="commit" />
      <Box x={232} y={4} width={104} height={34} label="join group" />
      <Arrow picture={ID} from={[56, 42]} to={[110, 76]} tone="metadata" />
      <Arrow picture={ID} from={[170, 42]} to={[130, 76]} tone="metadata" />
      <Arrow picture={ID} from={[284, 42]} to={[150, 76]} tone="metadata" />
      <Box x={4} y={80} width={212} height={42} variant="solid" label="Owner" note="applies in memory, in order" />
      <Box x={232} y={80} width={104} height={42} variant="dashed" label="Former owner" note="was paused" />
      <Arrow picture={ID} from={[150, 126]} to={[180, 172]} tone="metadata" />
      <Words x={152} y={156} anchor="end">
        one append for all
      </Words>
      <Arrow picture={ID} from={[306, 126]} to={[306, 172]} isDashed />
      <Words x={298} y={152} anchor="end">
        43 again: rejected
      </Words>
      <Box x={4} y={176} width={332} height={60} variant="solid" />
      <Words x={16} y={194} isStrong>
        Journal (PostgreSQL)
      </Words>
      <Box x={16} y={202} width={70} height={26} label="41" />
      <Box x={94} y={202} width={70} height={26} label="42" />
      <Box x={172} y={202} width={84} height={26} label="43" />
      <Arrow picture={ID} from={[84, 240]} to={[84, 288]} tone="metadata" />
      <Arrow picture={ID} from={[256, 240]} to={[256, 288]} tone="metadata" />
      <Box x={4} y={292} width={160} height={50} label="Snapshot" note="where recovery starts" />
      <Box x={176} y={292} width={160} height={50} label="Meter block" note="basis of the bill" />
    </Picture>
  );
}
