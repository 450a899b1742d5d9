import type { DeliveryRecord, Json, PinRecord, RecordBatch, Span } from '../results-store.ts';
import { deliveryTable, pinTable, stateTable } from '../tables/facts.ts';
import { readRow, writeRow } from '../tables/table.ts';
import type { DatabaseConnection } from './database.ts';
import { anyValue, sql, table } from './sql.ts';

/** Fields of pins that are kept as they were read, some kilobyte each. */
const mostKnown = 2000;

/** Reads pins; a probe reads the closed candles that its run before has read. */
export class PinReader {
  /** By their text. */
  readonly #known = new Map<string, PinRecord['fields']>();

  async read(
    { query }: DatabaseConnection,
    candles: Pick<PinRecord, 'target' | 'pool' | 'interval'>,
    { from, to }: Span,
  ): Promise<PinRecord[]> {
    const { target, pool, interval } = candles;
    const rows = await query(
      sql`SELECT start, first_seen, last_seen, fields FROM ${table('pins')}
        WHERE target = ${target} AND interval = ${interval} AND pool = ${anyValue(pool)}
        AND start >= ${from} AND start < ${to} ORDER BY start`,
    );
    return rows.map(([start, firstSeen, lastSeen, fields]) => ({
      ...{ ...candles, start: Number(start), firstSeen: Number(firstSeen), lastSeen: Number(lastSeen) },
      fields: this.#parse(String(fields)),
    }));
  }

  #parse(text: string): PinRecord['fields'] {
    const known = this.#known.get(text);
    if (known) return known;
    const fields: PinRecord['fields'] = JSON.parse(text);
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(text, fields);
    return fields;
  }
}

/** Returns the messages whose time has come at `now` (Unix ms), the longest due first. */
export async function readDueDeliveries(
  { query }: DatabaseConnection,
  now: number,
): Promise<DeliveryRecord[]> {
  const rows = await query(
    sql`SELECT id, sink, due, attempts, message FROM ${table('deliveries')}
      WHERE due <= ${now} ORDER BY due, ${({ arrival }) => arrival}`,
  );
  return rows.map((row) => readRow(deliveryTable, {}, row));
}

/** Reads a state by its name; undefined for an unknown one. */
export async function readState({ query }: DatabaseConnection, name: string): Promise<Json | undefined> {
  const [row] = await query(sql`SELECT value FROM ${table('states')} WHERE name = ${name}`);
  return row && JSON.parse(String(row[0]));
}

/** Writes the state that a monitor needs after a restart, except its outbox. */
export async function writePinsAndStates(
  { put, remove }: DatabaseConnection,
  { unpinned = [], pins = [], states = {} }: RecordBatch,
): Promise<void> {
  const targets = unpinned.map((target) => [target]);
  await remove(pinTable, ['target'], targets);
  await put(
    pinTable,
    pins.map((pin) => writeRow(pinTable, [], pin)),
    { onConflict: 'replace' },
  );
  const all = Object.entries(states);
  const gone = all.flatMap(([name, value]) => (value === null ? [[name]] : []));
  const rows = all.flatMap(([name, value]) => (value === null ? [] : [[name, JSON.stringify(value)]]));
  await remove(stateTable, ['name'], gone);
  await put(stateTable, rows, { onConflict: 'replace' });
}

/** Puts a message into the outbox, in place of the one with its id. */
export async function writeDelivery({ put }: DatabaseConnection, delivery: DeliveryRecord): Promise<void> {
  await put(deliveryTable, [writeRow(deliveryTable, [], delivery)], { onConflict: 'replace' });
}

/** Puts a message off that is still in the outbox: one that gave way to a newer one is not put back. */
export async function postponeDelivery(
  { query }: DatabaseConnection,
  { id, dueAt, attempts }: DeliveryRecord,
): Promise<void> {
  await query(sql`UPDATE ${table('deliveries')} SET due = ${dueAt}, attempts = ${attempts} WHERE id = ${id}`);
}

/** Removes messages from the outbox. */
export async function removeDeliveries(
  { remove }: DatabaseConnection,
  ids: readonly string[],
): Promise<void> {
  const keys = ids.map((id) => [id]);
  await remove(deliveryTable, ['id'], keys);
}
