import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { flood, MIB } from './pressure.ts';

/** A target that tries to exhaust, deceive or rob its checker, and the required result of a check. */
export type HostileTarget = {
  readonly name: string;
  readonly answer: RequestListener;
  /** The exit code of a check: 1 (rules broken) or 3 (inconclusive); 0 and 2 would be failures of ours. */
  readonly exit: 1 | 3;
  /** Most seconds of work, and most MiB of memory at any time. */
  readonly seconds: number;
  readonly mib: number;
  /** True for one of each kind (work, memory, text, head), run in each pipeline. Theft is in packages/candleproof/cli/disguised-key.test.ts. */
  readonly runsInPipelines?: true;
};

/** The headers that every answer must have (§8), so that only the body is wrong. */
export const QUOTA_HEADERS = {
  'content-type': 'application/json',
  'x-ratelimit-limit': '10000',
  'x-ratelimit-remaining': '9000',
  'x-ratelimit-additional-total': '0',
  'x-ratelimit-reset': '4102444799999',
};

/** Returns a listener that always answers with the same text. */
function always(body: string | Buffer, headers: Readonly<Record<string, string>> = {}): RequestListener {
  return (_request, response) => response.writeHead(200, { ...QUOTA_HEADERS, ...headers }).end(body);
}

const list = (record: string, times: number): string => `[${Array(times).fill(record).join(',')}]`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const zipped = (text: string): [Buffer, Readonly<Record<string, string>>] => [
  gzipSync(text),
  { 'content-encoding': 'gzip' },
];

const wide = `{${Array.from({ length: 100_000 }, (_, index) => `"f${index}":${index}`).join(',')}}`;
const candle = '{"poolId":1,"open":1,"high":2,"low":0,"close":1,"avg":1,"startTimestampSeconds":0';

/** Returns a listener that writes headers as they are, even those that Node would refuse. */
function raw(head: string, body: string): RequestListener {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.socket?.end(
      `HTTP/1.1 200 OK\r\nconnection: close\r\n${head}content-length: ${body.length}\r\n\r\n${body}`,
    );
  };
}

/** Chunks of one byte each, without end or a pause. */
export const tinyChunks = '1\r\n \r\n'.repeat(10_000);

const tinyPieces: RequestListener = (_request, response) => {
  response.writeHead(200, { ...QUOTA_HEADERS, 'transfer-encoding': 'chunked' }).flushHeaders();
  if (response.socket) flood(response.socket, tinyChunks);
};

const bounds = { seconds: 30, mib: 512 };

export const hostileTargets: readonly HostileTarget[] = [
  { name: 'a hundred thousand ones', answer: always(list('1', 100_000)), exit: 1, ...bounds },
  { name: 'two hundred thousand empty objects', answer: always(list('{}', 200_000)), exit: 1, ...bounds },
  { name: 'a string of thirty megabytes', answer: always(`["${'x'.repeat(30 * MIB)}"]`), exit: 3, ...bounds },
  { name: 'a string of seven megabytes', answer: always(`["${'x'.repeat(7 * MIB)}"]`), exit: 1, ...bounds },
  {
    name: 'a thousand numbers of five thousand digits',
    answer: always(list('7'.repeat(5000), 1000)),
    exit: 1,
    ...bounds,
  },
  {
    name: 'candles with numbers of five thousand digits',
    answer: always(list(`${candle},"liquidity":"1","volume":${'7'.repeat(5000)}}`, 1000)),
    exit: 1,
    ...bounds,
  },
  { name: 'a million lists in each other', answer: always(nested(1_000_000)), exit: 1, ...bounds },
  { name: 'records of a hundred thousand fields', answer: always(list(wide, 4)), exit: 1, ...bounds },
  {
    name: 'a bomb of thirty megabytes of candles',
    answer: always(...zipped(list(`${candle}}`, 350_000))),
    exit: 3,
    ...bounds,
    runsInPipelines: true,
  },
  { name: 'a hundred thousand candles', answer: always(list(`${candle}}`, 100_000)), exit: 1, ...bounds },
  {
    name: 'seven megabytes of backslashes',
    answer: always(`["${'\\\\'.repeat(3.5 * MIB)}"]`),
    exit: 1,
    ...bounds,
    runsInPipelines: true,
  },
  {
    name: 'fields named __proto__, with text that reverses direction',
    answer: always(list('{"__proto__":{"status":200},"constructor":"\u202etxt.exe\u0085"}', 10_000)),
    exit: 1,
    ...bounds,
    runsInPipelines: true,
  },
  { name: 'a thousand headers', answer: raw('x-a: b\r\n'.repeat(1000), '[]'), exit: 1, ...bounds },
  {
    name: 'headers of a megabyte',
    answer: raw(`x-a: ${'b'.repeat(MIB)}\r\n`, '[]'),
    exit: 3,
    ...bounds,
    runsInPipelines: true,
  },
  {
    name: 'a header of thirty kilobytes',
    answer: raw(`x-ratelimit-remaining: ${'9'.repeat(30_000)}\r\n`, '[]'),
    exit: 1,
    ...bounds,
  },
  {
    name: 'the key a hundred thousand times',
    answer: (request, response) =>
      response
        .writeHead(200, QUOTA_HEADERS)
        .end(list(JSON.stringify(String(request.headers['x-api-key']).toLowerCase()), 100_000)),
    exit: 1,
    ...bounds,
  },
  { name: 'chunks of one byte without end', answer: tinyPieces, exit: 3, ...bounds, runsInPipelines: true },
];
