import type { DeliveryRecord, Json, PinRecord, RecordBatch, Span } from '../results-store.ts';
import { deliveryTable, pinTable, stateTable } from '../tables/facts.ts';
import { readRow, writeRow } from '../tables/table.ts';
import type { DatabaseConnection } from './database.ts';

/** Fields of pins that are kept as they were read, some kilobyte each. */
const mostKnown = 2000;

/** Reads pins; a probe reads the closed candles that its run before has read. */
export class PinReader {
  /** By their text. */
  readonly #known = new Map<string, PinRecord['fields']>();

  async read(
    { query, words: { anyValue } }: DatabaseConnection,
    candles: Pick<PinRecord, 'target' | 'pool' | 'interval'>,
    { from, to }: Span,
  ): Promise<PinRecord[]> {
    const { target, pool, interval } = candles;
    const rows = await query(
      `SELECT start, first_seen, last_seen, fields FROM results.pins
       WHERE target = $1 AND interval = $2 AND pool = $3 AND start >= $4 AND start < $5 ORDER BY start`,
      [target, interval, anyValue(pool), from, to],
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
  { query, words: { arrival } }: DatabaseConnection,
  now: number,
): Promise<DeliveryRecord[]> {
  const rows = await query(
    `SELECT id, sink, due, attempts, message FROM results.deliveries WHERE due <= $1 ORDER BY due, ${arrival}`,
    [now],
  );
  return rows.map((row) => readRow(deliveryTable, {}, row));
}

/** Reads a state by its name; undefined for an unknown one. */
export async function readState({ query }: DatabaseConnection, name: string): Promise<Json | undefined> {
  const [row] = await query('SELECT value FROM results.states WHERE name = $1', [name]);
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
  const rows = Object.entries(states).map(([name, value]) => [name, JSON.stringify(value)]);
  await put(stateTable, rows, { onConflict: 'replace' });
}

/** Puts a message into the outbox, in place of the one with its id. */
export async function writeDelivery({ put }: DatabaseConnection, delivery: DeliveryRecord): Promise<void> {
  await put(deliveryTable, [writeRow(deliveryTable, [], delivery)], { onConflict: 'replace' });
}

/** Removes messages from the outbox. */
export async function removeDeliveries(
  { remove }: DatabaseConnection,
  ids: readonly string[],
): Promise<void> {
  const keys = ids.map((id) => [id]);
  await remove(deliveryTable, ['id'], keys);
}
