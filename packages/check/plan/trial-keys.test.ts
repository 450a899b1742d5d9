import { nearMisses, otherHeaders, otherPlaces } from '@candleproof/law/rules/error-cases';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { forLoopbackAlone, makeTrial } from './trial-keys.ts';

const keys = fc.stringMatching(/^[A-Za-z0-9]{8,40}$/);
const seeds = fc.nat(2 ** 31 - 1);

test('no near-miss is the good key, the other key or either with blanks around', () => {
  fc.assert(
    fc.property(keys, keys, seeds, fc.constantFrom(...nearMisses), (apiKey, otherKey, seed, trial) => {
      const made = makeTrial(trial, { apiKey, otherKey }, seed);
      expect([apiKey, otherKey]).not.toContain(made?.trialKey?.trim());
      expect(made?.trialPlace).toBeUndefined();
    }),
  );
});

test('a key without letters has no near-miss in another case', () => {
  expect(makeTrial('other-case', { apiKey: '0123456789' }, 1)).toBeUndefined();
  expect(makeTrial('other-case', { apiKey: 'ABCDEFGHIJ' }, 1)).toEqual({ trialKey: 'abcdefghij' });
  expect(makeTrial('other-case', { apiKey: 'aBcdefghij' }, 1)).toEqual({ trialKey: 'ABCDEFGHIJ' });
});

test('the good key stands in each other place as it is', () => {
  const places = [...otherPlaces, ...otherHeaders].map((trial) =>
    makeTrial(trial, { apiKey: 'goodgoodgood' }, 1),
  );
  expect(places).toEqual(
    ['query', 'other headers', 'basic', 'cookie', 'authorization', 'other header'].map((trialPlace) => ({
      trialKey: 'goodgoodgood',
      trialPlace,
    })),
  );
});

test('the same seed makes the same random key, another seed another', () => {
  const random = (seed: number) => makeTrial('random', { apiKey: 'goodgoodgood' }, seed)?.trialKey;
  expect(random(4)).toBe(random(4));
  expect(random(4)).not.toBe(random(5));
  expect(random(4)).toHaveLength(32);
});

test('the last character is exchanged for another one of its kind', () => {
  const exchanged = (apiKey: string) => makeTrial('other-last-character', { apiKey }, 1)?.trialKey;
  expect(['good0', 'good9', 'gooda', 'goodz', 'goodZ', 'good-'].map(exchanged)).toEqual([
    'good1',
    'good0',
    'goodb',
    'gooda',
    'goodA',
    'good0',
  ]);
});

test('only trials for loopback hold quotation marks', () => {
  const quoted = nearMisses.filter((trial) =>
    /['"]/.test(makeTrial(trial, { apiKey: 'goodgoodgood' }, 1)?.trialKey ?? ''),
  );
  expect(quoted).toEqual(forLoopbackAlone);
});

test('a key in the Authorization header is not tried there by another scheme', () => {
  const place = { scheme: 'bearer', in: 'header', name: 'authorization', prefix: 'Bearer ' } as const;
  for (const trial of ['as-bearer', 'as-basic'] as const)
    expect(makeTrial(trial, { apiKey: 'goodgoodgood' }, 1, place)).toBeUndefined();
});

test('without a key nothing can be tried', () => {
  for (const trial of [...nearMisses, ...otherPlaces]) expect(makeTrial(trial, {}, 1)).toBeUndefined();
  expect(makeTrial('other-key', { apiKey: 'goodgoodgood' }, 1)).toBeUndefined();
});
