import type { Exchange } from '@candleproof/law/reading/exchange';
import type { RunningService } from '@candleproof/reference-service/start';
import { startBuilt } from '@candleproof/reference-service/testing/built-market';
import { expect, test } from '@playwright/test';
import { auditService, listMarks, noon } from './testing/audited.ts';
import { bentRows } from './testing/bent.ts';

let service: RunningService;

test.beforeAll(async () => {
  service = await startBuilt({ seed: 2, now: () => noon * 1000, quota: { limit: 1_000_000 } });
});

test.afterAll(() => service.close());

const at = (text: string): number => Date.parse(text) / 1000;

/** One row of pool 1 counts a thousand tinybars that no other length knows of. */
function inflated(interval: 'HOUR' | 'DAY', start: string): (exchange: Exchange) => Exchange {
  return bentRows({ pool: 1, interval }, (row) =>
    row.startTimestampSeconds === at(start)
      ? { ...row, volume: String(BigInt(String(row.volume)) + 1000n) }
      : row,
  );
}

/** Five minutes are refused: nothing is there to decide. */
function withoutFiveMinutes(bend: (exchange: Exchange) => Exchange): (exchange: Exchange) => Exchange {
  return (exchange) => {
    const isFine = exchange.request.url.includes('interval=FIVEMIN');
    if (!isFine || !exchange.response) return bend(exchange);
    return {
      ...exchange,
      response: { ...exchange.response, status: 400, body: { text: '{}', encoding: 'utf8' } },
    };
  };
}

const hour = '2026-03-10T10:00:00Z';
const day = '2026-03-10T00:00:00Z';
const damages = [
  ['an hour', inflated('HOUR', hour), '1 HOUR 2026-03-10T10:00:00Z/2026-03-10T11:00:00Z'],
  ['a day', inflated('DAY', day), '1 DAY 2026-03-10T00:00:00Z/2026-03-11T00:00:00Z'],
] as const;

for (const [what, bend, guilty] of damages) {
  test(`a day and its hours are both suspects where nothing decides that ${what} is damaged`, async () => {
    const both = ['HOUR', 'DAY'].map(
      (interval) =>
        `1 ${interval} 2026-03-10T00:00:00Z/2026-03-11T00:00:00Z rollup rollup/volume-is-summed DAY? HOUR?`,
    );
    expect(listMarks(await auditService(service, { pools: [1], bend, budget: 3 }))).toEqual(both);
    expect(listMarks(await auditService(service, { pools: [1], bend: withoutFiveMinutes(bend) }))).toEqual(
      both,
    );
  });

  test(`five minutes decide that ${what} of an unfinished week is damaged`, async () => {
    const outcome = await auditService(service, { pools: [1], bend });
    expect(listMarks(outcome)).toEqual([`${guilty} rollup rollup/volume-is-summed`]);
    expect(outcome.audit.requests.sent).toBe(4);
  });
}

test('the week decides that a day is damaged, or that its hours are', async () => {
  const range = '2026-03-04T00:00:00Z/2026-03-05T00:00:00Z';
  for (const [interval, start] of [
    ['HOUR', '2026-03-04T10:00:00Z'],
    ['DAY', '2026-03-04T00:00:00Z'],
  ] as const) {
    const outcome = await auditService(service, { pools: [1], bend: inflated(interval, start) });
    expect(listMarks(outcome)).toEqual([`1 ${interval} ${range} rollup rollup/volume-is-summed`]);
    expect(outcome.audit.requests.sent).toBe(3);
  }
});
