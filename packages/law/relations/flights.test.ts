import { expect, test } from '@playwright/test';
import type { Exchange } from '../reading/exchange.ts';
import type { Answer } from '../reading/reading.ts';
import { groupFlights } from './flights.ts';

type Sent = { readonly at: number; readonly ms: number; readonly sentBeside?: boolean };

/** Returns the sizes of the flights of requests on connections of their own, sent at some ms of a second. */
function measureFlights(sent: readonly Sent[]): number[] {
  const answers = sent.map(
    ({ at, ms, sentBeside }, id) =>
      ({
        exchange: {
          startedAt: new Date(at).toISOString(),
          timings: { total: ms },
          connection: { id, reused: false },
          sentBeside,
        } as Exchange,
      }) as Answer,
  );
  return groupFlights(answers).map(({ length }) => length);
}

test('requests on connections of their own fly together while one of them is under way', () => {
  const sent = [0, 3, 8, 20].map((at) => ({ at, ms: 6 }));
  expect(measureFlights(sent)).toEqual([3, 1]);
});

test('a request that its sender sent alone follows the one that ended in the same millisecond', () => {
  const sent = [
    { at: 37, ms: 3.132 },
    { at: 40, ms: 3.207 },
  ];
  expect(measureFlights(sent)).toEqual([2]);
  expect(measureFlights(sent.map((one) => ({ ...one, sentBeside: false })))).toEqual([1, 1]);
});

test('requests that were sent together fly together, however short they were', () => {
  const sent = [
    { at: 10, ms: 0.4, sentBeside: false },
    { at: 11, ms: 0.4, sentBeside: true },
  ];
  expect(measureFlights(sent)).toEqual([2]);
});

test('requests of two senders in one recording fly together where their times overlap', () => {
  const sent = [
    { at: 0, ms: 50, sentBeside: false },
    { at: 20, ms: 5, sentBeside: false },
  ];
  expect(measureFlights(sent)).toEqual([2]);
});
