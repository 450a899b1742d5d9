import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createCertificate } from '@candleproof/reference-service/certificate';
import { startService } from '@candleproof/reference-service/start';

/** The message of a server process to its parent once it listens. */
export type Contender = {
  readonly url: string;
  readonly key: string;
  readonly ca: string;
  readonly bytes: number;
  /** Pools of both versions that ours has; the bare one answers to any. */
  readonly poolsV1: readonly number[];
  readonly poolsV2: readonly number[];
};

/** The instant of its stopped clock. */
export const servedAt = '2026-03-05T10:30:30Z';
const lastHour = Date.parse('2026-03-05T10:00:00Z') / 1000;

/** 72 closed hours of the simulated market; `back` seconds make the range another one with as many rows. */
export function rangePath(back = 0): string {
  const to = lastHour - back;
  return `/v2/pools/conversionRates/1?interval=HOUR&from=${to - 71 * 3600}&to=${to}`;
}

/** Ours; or node:https that has the same bytes and headers ready and nothing else to do. */
async function serve(kind: string | undefined): Promise<Contender> {
  const service = await startService({
    seed: 3,
    historyDays: 10,
    quota: { limit: 100_000_000 },
    now: () => Date.parse(servedAt),
  });
  process.once('disconnect', () => service.close().then(() => process.exit()));
  const { body, headers } = await makeAnswer(service.url + rangePath(), service.caPem, service.apiKey);
  const { length } = JSON.parse(body);
  if (length !== 72) throw new Error(`the range holds ${length} rows`);
  const { url, ca } =
    kind === 'bare' ? await serveBare(body, headers) : { url: service.url, ca: service.caPem };
  const { apiKey: key, poolsV1, poolsV2 } = service;
  return { url, ca, key, bytes: Buffer.byteLength(body), poolsV1, poolsV2 };
}

async function serveBare(body: string, headers: readonly string[]): Promise<{ url: string; ca: string }> {
  const { certPem: cert, keyPem: key, caPem: ca } = await createCertificate();
  const bytes = Buffer.from(body);
  const server = createServer({ cert, key }, (_request, response) => {
    response.writeHead(200, [...headers]);
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca };
}

/** The body, and the headers line by line but for those that Node sets itself. */
function makeAnswer(
  url: string,
  ca: string,
  key: string,
): Promise<{ readonly body: string; readonly headers: readonly string[] }> {
  return new Promise((resolve, reject) => {
    get(url, { ca, headers: { 'x-api-key': key } }, async (response) => {
      const entries = Object.entries(response.headersDistinct).filter(
        ([name]) => !['date', 'connection', 'keep-alive'].includes(name),
      );
      const headers = entries.flatMap(([name, values = []]) => values.flatMap((value) => [name, value]));
      resolve({ body: await text(response), headers });
    }).on('error', reject);
  });
}

if (process.send) {
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.send(await serve(process.argv[2]));
}
