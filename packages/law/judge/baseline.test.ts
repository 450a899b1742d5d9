import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import fc from 'fast-check';
import { judgeIt } from '../worlds/breach-case.ts';
import { damageExchange, fields, status, text, withExchanges } from '../worlds/damage.ts';
import { damages } from '../worlds/fuzz.ts';
import { record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';
import { applyBaseline, type Baseline, findContradicted, pinAfter } from './baseline.ts';
import { updateBaseline } from './baseline-update.ts';
import type { Judged } from './judge.ts';
import type { KnownFailing } from './verdict.ts';

const healthy = record(usualWorld);
const wrongPool = damageExchange(healthy, 'latest HOUR of 2', fields(0, { poolId: 9 }));
const judged = judgeIt(wrongPool);

const rule = 'candle/pool-is-as-asked';
const latest = `${rule} getLatestV1PoolCandle /poolId`;
const today = '2026-03-11';

function entry(fingerprint: string, until = today): KnownFailing {
  return { fingerprint, reason: 'It is being mended.', until };
}

function baseline(known: readonly KnownFailing[], observations: Baseline['observations'] = {}): Baseline {
  return { target: 't', known, observations };
}

function applied(known: readonly KnownFailing[], of: Judged = judged): Judged {
  return applyBaseline(of, baseline(known), today);
}

function findResult({ rules }: Judged, id = rule) {
  const found = rules.find((ruleResult) => ruleResult.id === id);
  return { outcome: found?.outcome, reason: found?.reason };
}

const statuses = ({ baseline: result }: Judged): unknown =>
  result?.known.map((acceptance) => acceptance.status);

/** Without what was only there to judge by. */
function judgement({ appliedRules: _, evidence: __, baseline: ___, ...rest }: Judged) {
  return rest;
}

test('a must whose every finding is known leaves the target conformant', () => {
  expect(judged).toMatchObject({ verdict: 'nonconformant', findings: [{ fingerprint: latest }] });
  const known = applied([entry(latest)]);
  expect(known.verdict).toBe('conformant');
  expect(known.reason).toBeUndefined();
  expect(findResult(known)).toEqual({
    outcome: 'known',
    reason: 'known until 2026-03-11: It is being mended',
  });
  expect(known.findings).toMatchObject([{ known: { reason: 'It is being mended.', until: today } }]);
});

test('a known failing comes after the new ones, so that every report and a replay number alike', () => {
  const broken = judgeIt(damageExchange(wrongPool, 'week HOUR', fields(0, { high: 0.0000001 })));
  const [first, ...others] = broken.findings.filter(({ level }) => level === 'must');
  expect(others.length).toBeGreaterThan(0);
  const numbered = applied([entry(first?.fingerprint ?? '')], broken).findings;
  const musts = numbered.filter(({ level }) => level === 'must');
  expect(musts.at(-1)?.fingerprint).toBe(first?.fingerprint);
  expect(musts.slice(0, -1).some(({ known }) => known)).toBe(false);
});

test('a known failing counts again on the day after its last', () => {
  const expired = applied([entry(latest, '2026-03-10')]);
  expect(statuses(expired)).toEqual(['expired']);
  expect(expired).toMatchObject({ verdict: 'nonconformant', reason: `1 must failed: ${rule}` });
  expect(findResult(expired)).toEqual({
    outcome: 'failed',
    reason: 'known only until 2026-03-10, which has passed: It is being mended',
  });
  expect(expired.findings[0]).not.toHaveProperty('known', expect.anything());
});

test('one place that nobody knows keeps its rule failed', () => {
  const both = judgeIt(damageExchange(wrongPool, 'recent HOUR of 1', fields(0, { poolId: 9 })));
  const half = applied([entry(latest)], both);
  expect(half.verdict).toBe('nonconformant');
  expect(findResult(half).outcome).toBe('failed');
  expect(
    half.findings.filter((finding) => finding.rule === rule).map((finding) => finding.known?.until),
  ).toEqual(expect.arrayContaining([today, undefined]));
});

test('a known failing that was judged and not found is a surprise', () => {
  const surprised = applied([entry(latest)], judgeIt(healthy));
  expect(surprised.verdict).toBe('conformant');
  expect(statuses(surprised)).toEqual(['surprised']);
  expect(findResult(surprised)).toEqual({
    outcome: 'surprised',
    reason: 'a known failing is gone at getLatestV1PoolCandle /poolId: It is being mended',
  });
});

test('a known failing is not gone while its rule fails elsewhere', () => {
  const history = `${rule} listV2PoolCandles /*/poolId`;
  const known = applied([entry(latest), entry(history)]);
  expect(statuses(known)).toEqual(['known', 'unexercised']);
  expect(findResult(known).outcome).toBe('known');
});

test('a rule that compares answers is not gone while others of its group fail in the operation', () => {
  const lists = ['rollup/close-is-the-last', 'rollup/volume-is-summed'].map(
    (id) => `${id} listV2PoolCandles`,
  );
  const broken = judgeIt(damageExchange(healthy, 'week DAY', fields(0, { volume: '9' })));
  expect(
    statuses(
      applied(
        lists.map((list) => entry(list)),
        broken,
      ),
    ),
  ).toEqual(['unexercised', 'known']);
  expect(
    statuses(
      applied(
        lists.map((list) => entry(list)),
        judgeIt(healthy),
      ),
    ),
  ).toEqual(['surprised', 'surprised']);
});

/** An entry that says where it was met. */
function met(fingerprint: string, ...places: string[]): KnownFailing {
  return { ...entry(fingerprint), met: places };
}

test('a known failing is gone only where its rule judged all places in which it was met', () => {
  const failing = `${rule} getLatestV1PoolCandle`;
  const weighMet = (...places: string[]) => statuses(applied([met(failing, ...places)], judgeIt(healthy)));
  expect(weighMet('HOUR plain')).toEqual(['surprised']);
  expect(weighMet('HOUR plain', 'another kind of request')).toEqual(['unexercised']);
  expect(statuses(applied([met(failing, 'HOUR plain')]))).toEqual(['known']);
});

test('a known failing stands for its own part of an operation and for no other', () => {
  const failing = `${rule} getLatestV1PoolCandle`;
  const verdicts = ['', ' plain', ' HOUR', ' DAY, HOUR plain', ' inverted', ' DAY', ' DAY, WEEK plain'].map(
    (region) => applied([met(failing + region, 'HOUR plain')]).verdict,
  );
  expect(verdicts).toEqual([...Array(4).fill('conformant'), ...Array(3).fill('nonconformant')]);
});

test('the fingerprint of an old baseline stands for all that its rule breaks in the operation', () => {
  const high = damageExchange(healthy, 'week HOUR', fields(0, { high: 0.0000001 }));
  const open = judgeIt(damageExchange(high, 'week HOUR', fields(1, { close: 0 })));
  const { findings } = open;
  const rules = [...new Set(findings.map(({ rule: id }) => id))];
  const old = rules.map((id) => entry(`${id} listV2PoolCandles /*/${'some field that it met first'}`));
  expect(findings.length).toBeGreaterThan(1);
  expect(applied(old, open).findings.map(({ rule: id, known }) => [id, known !== undefined])).toEqual(
    findings.map(({ rule: id }) => [id, true]),
  );
  expect(
    applied(
      old.map((one) => entry(one.fingerprint.replace('listV2', 'getLatestV1'))),
      open,
    ).verdict,
  ).toBe('nonconformant');
});

test('an operation that was not requested surprises nobody', () => {
  const histories = judgeIt(
    withExchanges(healthy, (all) => all.filter((exchange) => !exchange.request.url.includes('/latest/'))),
  );
  const unseen = applied([entry(latest), entry('candle/none listTokens ')], histories);
  expect(statuses(unseen)).toEqual(['unexercised', 'no such rule']);
  expect(findResult(unseen)).toEqual({ outcome: 'passed', reason: undefined });
});

test('rules that were left out on purpose are passed over', () => {
  const some = {
    ...judged,
    appliedRules: judged.appliedRules.filter((appliedRule) => appliedRule.rule.id !== rule),
    findings: [],
  };
  expect(statuses(applied([entry(latest)], some))).toEqual([]);
});

test('what is known does not make a spent rate limit conformant', () => {
  const known = applied([entry(latest)], judgeIt(damageExchange(wrongPool, 'week FIVEMIN', status(429))));
  expect(findResult(known).outcome).toBe('known');
  expect(known).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('429') });
});

test('a fingerprint whose last blank an editor took away is the same', () => {
  const list = judgeIt(damageExchange(healthy, 'tokens', text('{}')));
  const [whole] = list.findings.map((finding) => finding.fingerprint);
  expect(whole).toBe('tokens/answer-is-a-list listTokens ');
  expect(applied([entry('tokens/answer-is-a-list listTokens')], list).verdict).toBe('conformant');
});

test('only an answer that contradicts its pin is a change, and tells both', () => {
  const pins = {
    'history/order-of-rows': 'descending',
    'history/open-candle': 'included',
    'candle/colour': 'red',
  };
  const { observations, baseline: result } = applyBaseline(judged, baseline([], pins), today);
  expect(observations.filter((observation) => observation.changed)).toMatchObject([
    { id: 'history/order-of-rows', answer: 'ascending', before: 'descending' },
  ]);
  expect(result?.strayPins).toEqual(['candle/colour']);
});

test('an empty baseline changes nothing', () => {
  fc.assert(
    fc.property(fc.constantFrom(...healthy.names), damages, (name, damage) => {
      const plain = judgeIt(damageExchange(healthy, name, damage));
      expect(judgement(applyBaseline(plain, baseline([]), today))).toEqual(judgement(plain));
    }),
    { numRuns: 15 },
  );
});

test('a baseline leaves nothing failed or changed in the run that wrote it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...healthy.names), damages, (name, damage) => {
      const plain = judgeIt(damageExchange(healthy, name, damage));
      const first = applyBaseline(plain, baseline([]), today);
      const { baseline: written } = updateBaseline(first, baseline([]), today);
      const again = applyBaseline(plain, written, today);
      expect(
        again.rules.filter((ruleResult) => ['failed', 'surprised'].includes(ruleResult.outcome)),
      ).toEqual([]);
      expect(again.verdict).not.toBe('nonconformant');
      expect(again.observations.filter((observation) => observation.changed)).toEqual([]);
      expect(again.findings.every((finding) => finding.known)).toBe(true);
      expect(updateBaseline(again, written, '2026-03-12').baseline).toEqual(written);
    }),
    { numRuns: 15 },
  );
});

const questions = fc.constantFrom('candle/phase', 'history/order-of-rows');
const answers = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 900 }),
  fc.constantFrom('HOUR UTC, DAY UTC', 'HOUR UTC', 'DAY 60 s after UTC', 'a; or b', 'a', 'b; or c'),
);

test('an answer never contradicts the pin that it was written to', () => {
  fc.assert(
    fc.property(questions, fc.option(answers, { nil: undefined }), answers, (question, before, answer) => {
      const pin = pinAfter(question, before, answer);
      expect(findContradicted(question, pin, answer)).toBeUndefined();
      expect(pin.length).toBeLessThanOrEqual(1600);
      expect(pin.isWellFormed()).toBe(true);
      expect(pinAfter(question, pin, answer)).toBe(pin);
    }),
  );
});

test('intervals that a smaller run did not see are no change and stay pinned', () => {
  const pin = 'HOUR UTC, WEEK Monday 00:00 UTC';
  expect(findContradicted('candle/phase', pin, 'HOUR UTC')).toBeUndefined();
  expect(pinAfter('candle/phase', pin, 'HOUR UTC')).toBe(pin);
  expect(findContradicted('candle/phase', pin, 'WEEK Sunday 00:00 UTC')).toBe(pin);
  expect(pinAfter('candle/phase', pin, 'WEEK Sunday 00:00 UTC')).toBe('HOUR UTC, WEEK Sunday 00:00 UTC');
});

test('a field that disappears from a list is a change', () => {
  expect(findContradicted('candle/extra-fields', 'tokens createdAt id', 'tokens id')).toBe(
    'tokens createdAt id',
  );
});

test('two readings that are open are narrowed by the next answer', () => {
  const edges = 'history/edges-of-the-range';
  expect(findContradicted(edges, 'a; or b', 'b; or c')).toBeUndefined();
  expect(pinAfter(edges, 'a; or b', 'b; or c')).toBe('b');
  expect(findContradicted(edges, 'a; or b', 'c')).toBe('a; or b');
});

test('an answer whose thousands are separated agrees with a pin in which they are not', () => {
  const count = 'tokens/count';
  expect(findContradicted(count, 'about 1270; or about 1397', 'about 1,397; or about 1,537')).toBeUndefined();
  expect(findContradicted(count, 'about 1270', 'about 1,397')).toBe('about 1270');
});
