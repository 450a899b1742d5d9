import { loadSpec } from '@candleproof/document/spec/load-spec';
import { recognizeRequest } from '@candleproof/law/reading/requested';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { baseUrl } from '../testing/scripted-client.ts';
import { batches } from './batch.ts';
import { listRequests } from './batch-requests.ts';
import { listMisses } from './parameter-values.ts';
import { listRefusable } from './refused.ts';

const spec = loadSpec('openapi.yaml');
const target = { name: 'any', baseUrl, pools: { v1: [1], v2: [2, 3] }, keyless: false, soleUser: true };
const now = Date.parse('2026-03-11T15:32:20Z') / 1000;

/** One pool is three years old, of the other nothing is known. */
const times = { now, births: new Map([[2, now - (now % 604_800) - 156 * 604_800]]), phase: 345_600 };

const refusable = listRefusable(target, true, 1);

const scene = { spec, target, times };

const requestedBy = (path: string) =>
  recognizeRequest(spec, baseUrl, {
    method: 'GET',
    url: `${baseUrl}${path}`,
    headers: [],
    credential: 'none',
  });

test('batches keep to the schema but for their near misses', () => {
  fc.assert(
    fc.property(batches(spec, target, times), (batch) => {
      const paths = batch.asks.flatMap((ask) => listRequests(scene, { ...batch, asks: [ask], again: 0 }));
      const proper = paths.map(({ path }) => requestedBy(path)?.proper);
      expect(proper).toEqual(batch.asks.map((ask) => ask.miss === undefined));
    }),
  );
});

test('a batch sends at most five requests, and asks one pool for no more than three thousand rows each', () => {
  fc.assert(
    fc.property(batches(spec, target, times, refusable), (batch) => {
      const paths = listRequests(scene, batch);
      expect(paths.length).toBeLessThanOrEqual(5);
      for (const { pool, from = 0, to = 0, length = 1, proper } of paths.flatMap(({ path, credential }) =>
        credential ? [] : (requestedBy(path) ?? []),
      )) {
        if (!proper) continue;
        expect(pool).toBe(batch.pool);
        expect((to - from) / length).toBeLessThanOrEqual(3000);
      }
    }),
  );
});

test('every parameter of the spec is missed in some way', () => {
  const missed = listMisses(spec, 'history');
  expect(new Set(missed.map((miss) => miss.parameter))).toEqual(
    new Set(['poolId', 'from', 'to', 'interval', 'inverted']),
  );
  expect(missed.filter((miss) => miss.kind === 'left out').map((miss) => miss.parameter)).toEqual([
    'from',
    'to',
    'interval',
  ]);
});
