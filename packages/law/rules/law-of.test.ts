import type { OperationRole, Role } from '@candleproof/document/spec/roles';
import { expect, test } from '@playwright/test';
import type { Recording } from '../reading/exchange.ts';
import { type Evidence, gatherEvidence } from '../relations/evidence.ts';
import { spec as ourSpec, sampleBreaches, stage, tradingSpec } from '../worlds/breach-case.ts';
import { type Catalogue, catalogue, choose } from './catalogue.ts';
import { applicableLaw, canMeet, rulesReaching } from './law-of.ts';
import type { Rule } from './rule.ts';

const spec = tradingSpec();
const quota = ['quota'];
const times = [
  'candle/starts-before-it-ends',
  'candle/lasts-at-most-its-interval',
  'candle/closed-lasts-its-interval',
  'candle/open-ends-are-alike',
];
const openEnds = ['candle/open-end-is-its-last-observation', 'candle/open-rows-are-of-one-time'];

/** The rules, or groups of them, that an API without one of these is not held to. */
const lost: Readonly<Record<Role, readonly string[]>> = {
  tokens: [
    'tokens',
    'transport/other-methods-are-refused',
    'transport/unknown-tag-gets-the-data',
    'transport/no-data-over-plain-http',
    'transport/plain-http-leads-to-https',
    'authentication/key-only-in-its-header',
    'authentication/header-name-in-any-case',
    'authentication/no-way-around-the-key',
  ],
  'token-id': ['tokens/id-is-three-integers', 'tokens/ids-are-unique', 'tokens/list-stays'],
  'token-icon': ['tokens/icon-is-relative'],
  'token-symbol': ['tokens/symbol-is-visible'],
  'token-decimals': ['tokens/decimals-are-a-count', 'tokens/decimals-are-sane'],
  'token-price': ['tokens/price-is-integer-text', 'tokens/usd-price-fits-the-price'],
  'token-price-usd': ['tokens/usd-price-is-not-negative', 'tokens/usd-price-fits-the-price'],
  history: [
    'errors/no-rows-without-an-interval',
    'errors/reversed-range-has-no-candles',
    'candle/liquidity-has-the-rate-of-its-time',
    'candle/pools-share-a-usd-rate',
    'history/answer-is-a-list',
    'history/one-candle-per-interval',
    'history/contiguous',
    'history/complete',
    'history/intervals-begin-together',
    'history/candles-meet-the-range',
    'history/one-order',
    'history/no-row-is-copied',
    'history/prices-are-of-their-interval',
    'history/open-candle-is-newest',
    'history/closed-candles-stay',
    'history/wider-range-holds-more',
    'history/split-loses-nothing',
    'history/open-candle-only-grows',
    'history/spelling-changes-nothing',
    'history/edges-are-alike',
    'history/nothing-before-birth-or-after-now',
    'history/adjoining-ranges-lose-nothing',
    'history/newest-row-is-fresh',
    'rollup',
    'inversion/same-candles',
    'inversion/average-is-of-inverses',
    'inversion/open-candle-is-inverse',
    'quota/counts-in-parallel',
    'quota/parallel-counts-differ',
    'quota/keys-are-counted-apart',
  ],
  latest: ['latest', 'transport/date-is-the-time'],
  fresh: ['history/newest-row-is-fresh'],
  gapless: ['rollup/open-is-made-of-its-parts'],
  pool: ['candle/pool-is-as-asked'],
  start: [...times, 'candle/times-are-whole-minutes'],
  end: [...times, ...openEnds],
  open: [],
  high: [],
  low: [],
  close: [],
  average: [
    'candle/average-is-within-range',
    'rollup/average-is-within-its-parts',
    'rollup/average-is-the-mean',
    'rollup/open-average-keeps-its-past',
    'rollup/open-is-made-of-its-parts',
    'inversion/averages-are-within-bounds',
    'inversion/average-is-of-inverses',
  ],
  vwap: ['candle/vwap-is-within-range', 'rollup/vwap-is-weighted'],
  'quote-volume': ['rollup/quote-volume-is-summed'],
  trades: ['rollup/trades-are-summed'],
  closed: ['candle/is-marked-closed-when-over'],
  volume: [
    'candle/amounts-are-decimal-text',
    'candle/usd-agrees-with-tinybars',
    'candle/amounts-keep-their-unit',
    'candle/liquidity-has-the-rate-of-its-time',
    'candle/usd-amounts-are-not-nothing',
    'candle/usd-volumes-keep-their-magnitude',
    'candle/pools-share-a-usd-rate',
    'candle/amounts-are-not-negative',
    'rollup/vwap-is-weighted',
    'history/no-row-is-copied',
    'history/pools-differ',
    'history/pools-share-no-column',
    'rollup/volume-is-summed',
    'inversion/tinybars-stay',
  ],
  liquidity: [
    'candle/open-end-is-its-last-observation',
    'candle/amounts-keep-their-unit',
    'candle/liquidity-has-the-rate-of-its-time',
    'candle/usd-amounts-are-not-nothing',
    'candle/pools-share-a-usd-rate',
    'latest/intervals-agree',
    'rollup/liquidity-is-of-the-end',
    'rollup/open-is-made-of-its-parts',
  ],
  'volume-usd': [
    'candle/usd-agrees-with-tinybars',
    'candle/amounts-keep-their-unit',
    'candle/liquidity-has-the-rate-of-its-time',
    'candle/usd-amounts-are-not-nothing',
    'candle/usd-volumes-keep-their-magnitude',
    'candle/pools-share-a-usd-rate',
    'latest/usd-volume-only-grows',
    'latest/usd-volumes-nest',
    'rollup/usd-volume-is-summed',
    'inversion/usd-stays',
  ],
  'liquidity-usd': [
    'candle/amounts-keep-their-unit',
    'candle/liquidity-has-the-rate-of-its-time',
    'candle/usd-amounts-are-not-nothing',
    'candle/pools-share-a-usd-rate',
  ],
  from: ['errors/reversed-range-has-no-candles'],
  inverted: ['inversion'],
  'quota-limit': quota,
  'quota-remaining': quota,
  'quota-additional': quota,
  'quota-reset': quota,
  key: ['authentication', 'transport/keyed-answers-are-private', 'transport/no-data-over-plain-http'],
};

function ids({ rules }: Catalogue): string[] {
  return rules.map((rule) => rule.id);
}

for (const [role, names] of Object.entries(lost)) {
  test(`an API without ${role} is held to all other rules`, () => {
    const roles = spec.roles.filter((kept) => kept !== role);
    const left = new Set(ids(applicableLaw({ ...spec, roles }, catalogue)));
    const { chosen, unknown } = choose(names);
    expect(unknown).toEqual([]);
    expect(ids(catalogue).filter((id) => !left.has(id))).toEqual(ids(chosen));
  });
}

test('no rule or question names a role that its needs name already', () => {
  const needless = [...catalogue.rules, ...catalogue.questions].flatMap(({ id, uses = [], needs }) => {
    const isHeld = (role: Role): boolean =>
      needs.some((need) => canMeet({ ...spec, roles: spec.roles.filter((one) => one !== role) }, need));
    return uses.filter((role) => !isHeld(role)).map((role) => `${id} ${role}`);
  });
  expect(needless).toEqual([]);
});

/** The rules that rest on our document alone. */
const ours = [
  'transport/no-data-over-plain-http',
  'candle/open-ends-are-alike',
  'candle/open-end-is-its-last-observation',
  'quota/headers-on-every-answer',
  'quota/counts-every-request',
  'quota/never-runs-backwards',
  'quota/remaining-is-within-limit',
  'quota/additional-only-beyond-limit',
  'quota/reset-is-in-milliseconds',
  'quota/counts-in-parallel',
  'quota/resets-at-its-time',
  'quota/keys-are-counted-apart',
];

test('what rests on a sentence of our own document is a should for another API', () => {
  const must = ({ rules }: Catalogue): string[] =>
    rules.flatMap(({ id, level }) => (level === 'must' ? [id] : []));
  const others = new Set(must(applicableLaw({ ...spec, isOurs: false }, catalogue)));
  expect(must(catalogue).filter((id) => !others.has(id))).toEqual(ours);
});

const parts: readonly (readonly OperationRole[])[] = [
  [],
  ['tokens'],
  ['latest'],
  ['history'],
  ['tokens', 'latest'],
  ['tokens', 'history'],
];

test('a rule that is not called has nothing to judge in the answers', async () => {
  const samples = await sampleBreaches();
  const cases = samples.filter((_, index) => process.env.CANDLEPROOF_THOROUGH || index % 3 === 0);
  const recordings = cases.map((testCase) => stage(testCase).recording);
  const seen = recordings.flatMap((recording) =>
    parts.flatMap((roles) => {
      const evidence = only(recording, roles);
      const reaching = rulesReaching(catalogue, evidence);
      const others = catalogue.rules.filter((rule) => !reaching.has(rule));
      return others.filter((other) => seesAnything(other, evidence)).map(({ id }) => `${id} in ${roles}`);
    }),
  );
  expect([...new Set(seen)]).toEqual([]);
});

test('a third of the rules is not called for a latest candle alone, nor half of them for a token list', async () => {
  const [first] = await sampleBreaches();
  const { recording } = stage(first as NonNullable<typeof first>);
  const reached = (roles: readonly OperationRole[]) =>
    rulesReaching(catalogue, only(recording, roles)).size / catalogue.rules.length;
  expect(reached(['latest'])).toBeLessThan(2 / 3);
  expect(reached(['tokens'])).toBeLessThan(1 / 2);
  expect(reached(['tokens', 'latest', 'history'])).toBe(1);
});

/** Keeps the exchanges of these operations alone, and all others without one. */
function only(recording: Recording, roles: readonly OperationRole[]): Evidence {
  const { answers } = gatherEvidence(ourSpec, recording);
  const others = new Set(
    answers.flatMap(({ requested, index }) => (requested && !roles.includes(requested.role) ? index : [])),
  );
  return gatherEvidence(ourSpec, {
    ...recording,
    exchanges: recording.exchanges.filter((_, index) => !others.has(index)),
  });
}

function seesAnything({ check }: Rule, evidence: Evidence): boolean {
  return [...check(evidence)].some((outcome) => !('dead' in outcome));
}
