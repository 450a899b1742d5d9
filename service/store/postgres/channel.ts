import type { PostgresQuery } from '../../../postgres/postgres-database.ts';

/** Where the processes of one store hear what another one changed. */
export const CHANNEL = 'candleproof_service';

/** What changed: rows of the market, keys, or what the operator switched. */
export type ChangeKind = 'market' | 'keys' | 'switches';

/** Announces a change with the transaction that it belongs to. */
export async function noticed(query: PostgresQuery, changed: ChangeKind): Promise<void> {
  await query('SELECT pg_notify($1, $2)', [CHANNEL, changed]);
}
