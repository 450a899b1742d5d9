import { usualSize } from '@candleproof/check/plan/plan';
import type { Client } from '@candleproof/client/send/client';
import { loadSpec } from '@candleproof/document/spec/load-spec';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { headerValues } from '@candleproof/law/reading/exchange';
import { expect, test } from '@playwright/test';
import { checkService } from 'candleproof/kill-matrix/check-service';
import { withDistortedService } from './testing/distorted-service.ts';
import { formatFindings } from './testing/explore-service.ts';

const spec = loadSpec('openapi.yaml');
const seeds = process.env.CANDLEPROOF_THOROUGH ? [1, 2, 3, 4, 5, 6] : [1];

type Sent = {
  readonly path: string;
  readonly agent: string;
  readonly accepted: string;
  readonly isNew: boolean;
};

type Front = {
  readonly title: string;
  readonly status: number;
  readonly refuses: (sent: Sent) => boolean;
};

const fronts: readonly Front[] = [
  {
    title: 'agents that it does not know',
    status: 403,
    refuses: ({ agent }) => !agent.startsWith('Candleproof'),
  },
  { title: 'requests without gzip', status: 406, refuses: ({ accepted }) => !accepted.includes('gzip') },
  {
    title: 'browsers, and answers without a coding',
    status: 403,
    refuses: ({ accepted, agent }) => accepted === '' || agent.startsWith('Mozilla'),
  },
];

/** Changes answers to requests of a manner, whatever they request. */
function distortManner(
  isMeant: (sent: Sent) => boolean,
  distort: (exchange: Exchange) => Exchange,
): (client: Client) => Pick<Client, 'send'> {
  return (client) => ({
    send: async (request) => {
      const exchange = await client.send(request);
      const { headers, url } = exchange.request;
      const read = (name: string): string => headerValues(headers, name).join();
      const sent = {
        path: url.slice(8),
        agent: read('user-agent'),
        accepted: read('accept-encoding'),
        isNew: exchange.connection?.reused === false,
      };
      return exchange.response?.status === 200 && isMeant(sent) ? distort(exchange) : exchange;
    },
  });
}

function refuse(exchange: Exchange, status: number): Exchange {
  const { response } = exchange;
  const text = '{"message":"no"}';
  const body = { text, encoding: 'utf8' as const, decodedBytes: text.length, wireBytes: text.length };
  const headers = (response?.headers ?? []).filter(([name]) => !/^(content-|etag)/i.test(name));
  return { ...exchange, ...(response && { response: { ...response, status, body, headers } }) };
}

test('a service that refuses a manner of requests is accused of nothing, at the cost of few requests', async () => {
  test.setTimeout(180_000);
  const accused: string[] = [];
  await withDistortedService(async (service) => {
    for (const front of fronts) {
      for (const seed of seeds) {
        const checked = await checkService(service, {
          spec,
          seed,
          front: distortManner(front.refuses, (exchange) => refuse(exchange, front.status)),
        });
        const { verdict, requests } = checked.run;
        expect(requests.sent, front.title).toBeLessThanOrEqual(usualSize.requests + 6);
        const found = formatFindings(checked);
        if (found.length > 0 || verdict !== 'conformant')
          accused.push(`${front.title} ${seed}: ${verdict} ${checked.run.reason} ${found.join()}`);
      }
    }
  });
  expect(accused, accused.join('\n')).toEqual([]);
});

/** Sets the high of the first row to 0. */
function lowerHigh(exchange: Exchange): Exchange {
  const { response } = exchange;
  const { body } = response ?? {};
  if (!response || typeof body !== 'object' || !('text' in body)) return exchange;
  const text = body.text.replace(/"high":[^,}]+/, '"high":0');
  return { ...exchange, response: { ...response, body: { ...body, text } } };
}

const wrongIn: readonly [manner: string, isWrong: (sent: Sent) => boolean, words: RegExp][] = [
  ['a coding', ({ accepted }) => accepted === 'identity', /^only with Accept-Encoding: identity$/i],
  ['no coding', ({ accepted }) => accepted === '', /^only without Accept-Encoding$/i],
  ['an agent', ({ agent }) => agent.startsWith('Mozilla'), /^only with User-Agent: Mozilla/i],
  ['new connections', ({ isNew }) => isNew, /^only on new connections$/],
  ['another order', ({ path }) => /interval=.*from=/.test(path), /^only with reordered parameters$/],
];

for (const [place, [manner, isWrong, words]] of wrongIn.entries())
  test(`a fault in requests with ${manner} is isolated by repeating them in another manner`, {
    tag: place === 0 ? [] : '@endurance',
  }, async () => {
    await withDistortedService(async (service) => {
      const front = distortManner((sent) => /interval=HOUR/.test(sent.path) && isWrong(sent), lowerHigh);
      const { run } = await checkService(service, { spec, seed: 1, front });
      expect(run.requests.sent).toBeLessThanOrEqual(run.requests.budget);
      const found = run.findings.filter(({ rule }) => rule === 'candle/high-is-highest');
      expect(found.length).toBeGreaterThan(0);
      for (const { pattern } of found) expect(pattern).toMatch(words);
    });
  });
