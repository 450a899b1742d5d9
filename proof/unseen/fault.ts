import type { IncomingHttpHeaders } from 'node:http';

export type Row = Record<'open' | 'high' | 'low' | 'close' | 'avg', number> &
  Record<'volume' | 'liquidity' | 'volumeUsd' | 'liquidityUsd', string> &
  Record<'poolId' | 'timestampSeconds' | 'startTimestampSeconds', number>;

/** A request as a distortion sees it. */
export type Call = {
  readonly n: number;
  readonly method: string;
  readonly url: string;
  readonly operation: 'tokens' | 'history' | 'latest' | undefined;
  readonly pool: number;
  readonly interval: string | null;
  readonly inverted: boolean;
  readonly from: number;
  readonly to: number;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** How often this address came before. */
  readonly repeats: number;
  /** The key that the service has issued. */
  readonly issued: string;
  readonly now: number;
};

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Asks the service, with another address or key if they are given. */
export type Ask = (changes?: { url?: string; key?: string }) => Promise<Reply>;

export type Distortion = (call: Call, ask: Ask) => Promise<Reply>;

export type Kind = 'A' | 'B' | 'C';

/** A request of the test that each fault changes an answer. */
export type Request = { path: string; headers?: Record<string, string>; key?: string; times?: number };

export type Fault = {
  readonly number: number;
  readonly title: string;
  readonly kind: Kind;
  /** Makes the distortion and whatever state it keeps. */
  make(): Distortion;
  /** Requests of which at least one is answered otherwise. */
  readonly shows: (market: Market) => readonly Request[];
};

/** The service that the requests of the self-test are made for. */
export type Market = { now: number; issued: string; history: HistoryPath; latest(interval: string): string };

type HistoryPath = (interval: string, from: number, to: number, more?: string, pool?: number) => string;

export const seconds: Record<string, number> = { FIVEMIN: 300, HOUR: 3600, DAY: 86_400, WEEK: 604_800 };

export const good = (call: Call, reply: Reply) => call.method === 'GET' && reply.status === 200;

/** Changes an answer by what `edit` returns for it, if it is a good one to one of the operations. */
export function changing(
  operations: readonly Call['operation'][],
  edit: (reply: Reply, call: Call) => Reply,
): () => Distortion {
  return () => async (call, ask) => {
    const reply = await ask();
    return good(call, reply) && operations.includes(call.operation) ? edit(reply, call) : reply;
  };
}

/** Changes the candles of histories and, unless they are left out, of latest answers. */
export function changingRows(
  edit: (rows: Row[], call: Call) => Row[],
  operations: readonly Call['operation'][] = ['history', 'latest'],
): () => Distortion {
  return changing(operations, (reply, call) => editRows(reply, call, edit));
}

export function editRows(reply: Reply, call: Call, edit: (rows: Row[], call: Call) => Row[]): Reply {
  const content = JSON.parse(reply.body) as Row | Row[];
  if (Array.isArray(content)) return withContent(reply, edit(content, call));
  const [row] = edit([content], call);
  return withContent(reply, row ?? content);
}

export function withContent(reply: Reply, content: unknown): Reply {
  return { ...reply, body: JSON.stringify(content) };
}

export function withHeaders(reply: Reply, headers: Record<string, string>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

export function withoutHeaders(reply: Reply, prefix: string): Reply {
  const kept = Object.entries(reply.headers).filter(([name]) => !name.startsWith(prefix));
  return { ...reply, headers: Object.fromEntries(kept) };
}
