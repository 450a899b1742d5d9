import { expect, test } from '@playwright/test';
import type { Judged } from '../judge/judge.ts';
import { judgeIt } from '../worlds/breach-case.ts';
import { type Distort, damageExchange, fields, foreign, header, withExchanges } from '../worlds/damage.ts';
import { type NamedRecording, record } from '../worlds/recorded.ts';
import { usualWorld } from '../worlds/world.ts';
import type { RecorderFacts } from './exchange.ts';

const healthy = record({ ...usualWorld, bursts: false, tags: true });

function everywhere(damage: Distort, recorded: NamedRecording = healthy): NamedRecording {
  return withExchanges(recorded, (exchanges) => exchanges.map(damage));
}

const bodiless: Distort = ({ response, ...rest }) => {
  if (!response) return rest;
  const { body: _, ...others } = response;
  return { ...rest, response: others, recorder: { place: 'log.entries[0]' } };
};

const headless: Distort = (exchange) => ({
  ...exchange,
  ...(exchange.response && { response: { ...exchange.response, headers: [] } }),
  recorder: { place: 'log.entries[0]', headersLeftOut: true },
});

function noted(facts: Omit<RecorderFacts, 'place'>): Distort {
  return (exchange) => ({ ...exchange, recorder: { place: 'log.entries[0]', ...facts } });
}

function listIds({ rules }: Judged, outcome: string): string[] {
  return rules.filter((rule) => rule.outcome === outcome).map(({ id }) => id);
}

test('a recording without bodies is judged by status and headers', () => {
  const judged = judgeIt(everywhere(bodiless));
  expect(judged.findings).toEqual([]);
  expect([judged.verdict, judged.reason]).toEqual([
    'inconclusive',
    'this recording holds no bodies; record it with embedded content',
  ]);
  expect(listIds(judged, 'passed')).toEqual(
    expect.arrayContaining([
      'transport/proper-requests-are-answered',
      'transport/media-type-is-json',
      'quota/counts-every-request',
      'authentication/key-is-required',
    ]),
  );
  const ofBodies =
    /^(candle|tokens|history|latest|rollup|inversion)\/|strict-json|hold-no-data|tells-the-key/;
  const passed = judged.rules.filter((rule) => rule.level !== 'observe' && rule.outcome === 'passed');
  expect(passed.filter(({ id }) => ofBodies.test(id))).toEqual([]);
});

test('a breach in the headers counts without a body', () => {
  const judged = judgeIt(damageExchange(everywhere(bodiless), 'tokens', header('content-type', 'text/html')));
  expect(judged.reason).toBe('1 must failed: transport/media-type-is-json');
});

test('a body that the recording lacks hides nothing in the others', () => {
  const most = damageExchange(
    damageExchange(healthy, 'tokens', bodiless),
    'latest HOUR of 2',
    fields(0, { poolId: 9 }),
  );
  const judged = judgeIt(most);
  expect(judged.findings.map((finding) => finding.rule)).toEqual(['candle/pool-is-as-asked']);
  const without = judgeIt(
    damageExchange(damageExchange(healthy, 'tokens', bodiless), 'tag of nobody', bodiless),
  );
  expect(without.reason).toBe('nothing could be judged of listTokens (its bodies are not in the recording)');
});

/** Rules that judge headers alone, and the questions that headers answer. */
const ofHeaders = [
  /^quota\//,
  /^transport\/(media-type|length|date|error-body|keyed-answers|plain-http-leads|caching|age|deprecation|cross-origin|rate-limit|clock)/,
  /^errors\/(catalogue|retry-after)/,
];

test('headers that nobody recorded are not missing', () => {
  const judged = judgeIt(everywhere(headless));
  expect([judged.verdict, judged.findings]).toEqual(['conformant', []]);
  const spoken = listIds(judged, 'passed').filter((id) => ofHeaders.some((ofHeader) => ofHeader.test(id)));
  expect(spoken).toEqual([]);
});

test('headers that were left out do not invalidate the Date', () => {
  const judged = judgeIt(everywhere(noted({ headersLeftOut: true })));
  expect(judged.verdict).toBe('conformant');
  expect(listIds(judged, 'passed')).toContain('rollup/high-is-the-highest');
  expect(listIds(judged, 'passed').filter((id) => /^quota\//.test(id))).toEqual([]);
});

test('without a Date no candle is newest, closed or in the future', () => {
  const old = record({ ...usualWorld, now: Date.parse('2023-10-18T08:41:20Z') / 1000 });
  const judged = judgeIt(foreign(everywhere(header('date', undefined), old)));
  expect(judged.verdict).toBe('conformant');
  const needClock = [
    'latest/is-the-newest',
    'latest/is-observed',
    'candle/is-not-from-the-future',
    'candle/closed-lasts-its-interval',
    'candle/open-ends-are-alike',
    'history/complete',
    'history/spelling-changes-nothing',
    'quota/reset-is-within-a-month',
    'quota/reset-is-constant',
  ];
  const outcomes = judged.rules.filter(({ id }) => needClock.includes(id));
  expect(outcomes.map((outcome) => outcome.outcome)).toEqual(needClock.map(() => 'unexercised'));
});

test('an answer from a cache counts for no quota and is never latest', () => {
  const cached = noted({ fromCache: true });
  // The browser showed the first answer again, with its headers, after the market had moved on.
  const first = healthy.recording.exchanges[healthy.names.indexOf('latest WEEK')];
  if (!first?.response) throw new Error('there is no such answer');
  const again = { ...first, startedAt: new Date((usualWorld.now + 900) * 1000).toISOString() };
  const live = withExchanges(healthy, (exchanges) => [...exchanges, again]);
  const judged = judgeIt(withExchanges(healthy, (exchanges) => [...exchanges, cached(again)]));
  expect(judgeIt(live).findings.map((finding) => finding.rule)).toContain('quota/counts-every-request');
  expect(judged.findings).toEqual([]);
  const unchanged = { ...again, response: { ...first.response, status: 304, headers: [] } };
  const revalidated = withExchanges(healthy, (exchanges) => [...exchanges, cached(unchanged)]);
  expect(judgeIt(revalidated).findings).toEqual([]);
});

test('requests of unknown times are not ordered', () => {
  const swapped = withExchanges(healthy, (exchanges) =>
    exchanges
      .toReversed()
      .map((exchange, at) => ({ ...exchange, startedAt: exchanges[at]?.startedAt ?? '' })),
  );
  const judged = judgeIt(everywhere(noted({ timesUnknown: true }), swapped));
  expect(judgeIt(swapped).findings.map((finding) => finding.rule)).toContain('quota/counts-every-request');
  expect(judged.findings.filter((finding) => /^quota\//.test(finding.rule))).toEqual([]);
});
