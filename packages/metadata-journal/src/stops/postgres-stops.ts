// Stops in PostgreSQL, in the control database. It records for every cluster whether it may be opened, whichever cell holds its journal.
import type { Pool } from 'pg';
import { asBuffer } from '../postgres/as-buffer.ts';
import {
  type ClusterFault,
  type ClusterPast,
  type ClusterStop,
  type LostTail,
  type Resolution,
  STATE_MACHINE,
  type Stops,
} from './stops.ts';

interface StopRow {
  cluster_id: string;
  number: number;
  stopped_at: Date;
  history: number;
  witness: string;
  witnessed_seq: string;
  witnessed_hash: Buffer;
  last_seq: string;
  last_hash: Buffer;
  fault_command: string | null;
  fault_sha256: string | null;
  fault_message: string | null;
}

interface PastRow extends StopRow {
  resolved_at: Date | null;
  resolution: string | null;
  spare_from: Date | null;
  spare_to: Date | null;
  spare_until: Date | null;
}

const STOP_COLUMNS =
  'cluster_id, number, stopped_at, history, witness, witnessed_seq, witnessed_hash, last_seq, last_hash, fault_command, fault_sha256, fault_message' as const;

export class PostgresStops implements Stops {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async past(clusterId: string): Promise<ClusterPast> {
    const { rows } = await this.#pool.query<PastRow>({
      name: 'stops-past',
      text: `SELECT ${STOP_COLUMNS}, resolved_at, resolution, spare_from, spare_to, spare_until
             FROM metadata_stop WHERE cluster_id = $1`,
      values: [clusterId],
    });
    const open = rows.find((row) => row.resolved_at === null);
    return {
      stop: open === undefined ? undefined : stopOf(open),
      history: rows.filter((row) => row.resolution === 'accepted').length,
      spared: rows.flatMap(({ spare_from: spareFrom, spare_to: spareTo, spare_until: spareUntil }) =>
        spareFrom === null || spareTo === null || spareUntil === null
          ? []
          : [{ fromMs: spareFrom.getTime(), toMs: spareTo.getTime(), untilMs: spareUntil.getTime() }],
      ),
    };
  }

  async among(clusterIds: readonly string[]): Promise<ClusterStop[]> {
    const { rows } = await this.#pool.query<StopRow>({
      name: 'stops-among',
      text: `SELECT ${STOP_COLUMNS} FROM metadata_stop WHERE resolved_at IS NULL AND cluster_id = ANY($1::uuid[])`,
      values: [clusterIds],
    });
    return rows.map(stopOf);
  }

  async stop(clusterId: string, loss: LostTail): Promise<ClusterStop | undefined> {
    const { witness, witnessed, last } = loss;
    await this.#pool.query({
      name: 'stops-stop',
      // Of two concurrent stops, one collides and finds the other's row.
      text: `INSERT INTO metadata_stop
               (cluster_id, number, history, witness, witnessed_seq, witnessed_hash, last_seq, last_hash)
             SELECT $1::uuid, past.stops + 1, $2::int, $3, $4::bigint, $5::bytea, $6::bigint, $7::bytea
             FROM (SELECT count(*) AS stops, count(*) FILTER (WHERE resolution = 'accepted') AS accepted,
                     count(*) FILTER (WHERE resolved_at IS NULL) AS open
                   FROM metadata_stop WHERE cluster_id = $1) past
             WHERE past.accepted <= $2 AND past.open = 0
             ON CONFLICT DO NOTHING`,
      values: [
        clusterId,
        witnessed.history,
        witness,
        witnessed.seq,
        asBuffer(witnessed.hash),
        last.seq,
        asBuffer(last.hash),
      ],
    });
    const [stop] = await this.among([clusterId]);
    return stop;
  }

  async halt(clusterId: string, { position, command, sha256, message }: ClusterFault): Promise<ClusterStop> {
    await this.#pool.query({
      name: 'stops-halt',
      // Of two concurrent stops, one collides and finds the other's row.
      text: `INSERT INTO metadata_stop
               (cluster_id, number, history, witness, witnessed_seq, witnessed_hash, last_seq, last_hash,
                fault_command, fault_sha256, fault_message)
             SELECT $1::uuid, past.stops + 1, past.accepted, $2, $3::bigint, $4::bytea, $3::bigint, $4::bytea, $5, $6, $7
             FROM (SELECT count(*) AS stops, count(*) FILTER (WHERE resolution = 'accepted') AS accepted,
                     count(*) FILTER (WHERE resolved_at IS NULL) AS open
                   FROM metadata_stop WHERE cluster_id = $1) past
             WHERE past.open = 0
             ON CONFLICT DO NOTHING`,
      values: [clusterId, STATE_MACHINE, position.seq, asBuffer(position.hash), command, sha256, message],
    });
    const [stop] = await this.among([clusterId]);
    if (stop === undefined) {
      throw new Error(`cluster ${clusterId} was resumed while it was stopped`);
    }
    return stop;
  }

  async resolve(stop: ClusterStop, resolution: Resolution): Promise<boolean> {
    const spared = resolution.kind === 'accepted' ? resolution.spared : undefined;
    const { rowCount } = await this.#pool.query({
      name: 'stops-resolve',
      // Metering stops where an entry that it counted is gone. Accepting the loss here accepts it there, too.
      text: `WITH resolved AS (
               UPDATE metadata_stop SET resolved_at = clock_timestamp(), resolution = $3, resolved_by = $4,
                 spare_from = $5, spare_to = $6, spare_until = $7
               WHERE cluster_id = $1 AND resolved_at IS NULL AND number = $2
               RETURNING cluster_id, resolution
             ), metering AS (
               UPDATE metering_checkpoint SET entry_sha256 = NULL
               WHERE cluster_id IN (SELECT cluster_id FROM resolved WHERE resolution = 'accepted')
             )
             SELECT cluster_id FROM resolved`,
      values: [
        stop.clusterId,
        stop.number,
        resolution.kind,
        resolution.by,
        ...(spared === undefined
          ? [null, null, null]
          : [new Date(spared.fromMs), new Date(spared.toMs), new Date(spared.untilMs)]),
      ],
    });
    return rowCount === 1;
  }
}

function stopOf(row: StopRow): ClusterStop {
  return {
    clusterId: row.cluster_id,
    number: row.number,
    stoppedAtMs: row.stopped_at.getTime(),
    witness: row.witness,
    witnessed: { history: row.history, seq: Number(row.witnessed_seq), hash: row.witnessed_hash },
    last: { seq: Number(row.last_seq), hash: row.last_hash },
    ...(row.fault_message === null
      ? {}
      : {
          fault: {
            position: { seq: Number(row.last_seq), hash: row.last_hash },
            command: row.fault_command ?? '',
            sha256: row.fault_sha256 ?? '',
            message: row.fault_message,
          },
        }),
  };
}
