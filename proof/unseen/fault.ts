import type { IncomingHttpHeaders } from 'node:http';

export type OddRow = Record<'open' | 'high' | 'low' | 'close' | 'avg', number> &
  Record<'volume' | 'liquidity' | 'volumeUsd' | 'liquidityUsd', string> &
  Record<'poolId' | 'timestampSeconds' | 'startTimestampSeconds', number>;

/** A request as a distortion sees it. */
export type ProxiedCall = {
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
  /** Counts earlier requests to this address. */
  readonly repeats: number;
  /** The key that the service has issued. */
  readonly issued: string;
  readonly now: number;
  /** Names the connection while it lasts. */
  readonly connection: number;
};

export type ProxiedReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Asks the service, with another address or key if they are given. */
export type AskService = (changes?: { url?: string; key?: string }) => Promise<ProxiedReply>;

export type ProxyDistortion = (call: ProxiedCall, ask: AskService) => Promise<ProxiedReply>;

export type KindOfUnseen = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G';

/** A request of the test that each fault changes an answer. */
export type ShowingRequest = {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  key?: string;
  times?: number;
};

export type UnseenFault = {
  readonly number: number;
  readonly title: string;
  readonly kind: KindOfUnseen;
  /** Makes the distortion and whatever state it keeps. */
  make(): ProxyDistortion;
  /** Requests of which at least one is answered otherwise. */
  readonly shows: (market: ShownMarket) => readonly ShowingRequest[];
};

/** The service that the requests of the self-test are made for. */
export type ShownMarket = {
  now: number;
  issued: string;
  history: HistoryPath;
  latest(interval: string): string;
};

type HistoryPath = (interval: string, from: number, to: number, more?: string, pool?: number) => string;

export const seconds: Record<string, number> = { FIVEMIN: 300, HOUR: 3600, DAY: 86_400, WEEK: 604_800 };

/** Says whether an answer is a good one to a GET. */
export const good = (call: ProxiedCall, reply: ProxiedReply) => call.method === 'GET' && reply.status === 200;

/** Changes an answer by what `edit` returns for it, if it is a good one to one of the operations. */
export function changing(
  operations: readonly ProxiedCall['operation'][],
  edit: (reply: ProxiedReply, call: ProxiedCall) => ProxiedReply,
): () => ProxyDistortion {
  return () => async (call, ask) => {
    const reply = await ask();
    return good(call, reply) && operations.includes(call.operation) ? edit(reply, call) : reply;
  };
}

/** Changes the candles of histories and, unless they are left out, of latest answers. */
export function changingRows(
  edit: (rows: OddRow[], call: ProxiedCall) => OddRow[],
  operations: readonly ProxiedCall['operation'][] = ['history', 'latest'],
): () => ProxyDistortion {
  return changing(operations, (reply, call) => editRows(reply, call, edit));
}

/** Changes the candles of an answer, one or many. */
export function editRows(
  reply: ProxiedReply,
  call: ProxiedCall,
  edit: (rows: OddRow[], call: ProxiedCall) => OddRow[],
): ProxiedReply {
  const content = JSON.parse(reply.body) as OddRow | OddRow[];
  if (Array.isArray(content)) return withContent(reply, edit(content, call));
  const [row] = edit([content], call);
  return withContent(reply, row ?? content);
}

/** Replaces the body of an answer. */
export function withContent(reply: ProxiedReply, content: unknown): ProxiedReply {
  return { ...reply, body: JSON.stringify(content) };
}

/** Replaces headers of an answer. */
export function withHeaders(reply: ProxiedReply, headers: Record<string, string>): ProxiedReply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** Drops the headers of an answer that begin so. */
export function withoutHeaders(reply: ProxiedReply, prefix: string): ProxiedReply {
  const kept = Object.entries(reply.headers).filter(([name]) => !name.startsWith(prefix));
  return { ...reply, headers: Object.fromEntries(kept) };
}

/** A title, the distortion, and requests that show it. */
export type UnseenEntry = readonly [title: string, make: UnseenFault['make'], shows: UnseenFault['shows']];

/** Numbers the faults of a kind from the first number on. */
export function numberFaults(
  kind: KindOfUnseen,
  first: number,
  entries: readonly UnseenEntry[],
): readonly UnseenFault[] {
  return entries.map(([title, make, shows], at) => ({ number: first + at, title, kind, make, shows }));
}

/** A service that differs only where the document leaves something open. */
export type HealthyOddity = {
  readonly title: string;
  readonly flags?: readonly string[];
  readonly compresses?: boolean;
  make(): ProxyDistortion;
};
