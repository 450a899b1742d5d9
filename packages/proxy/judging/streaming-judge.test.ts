import type { Worker } from 'node:worker_threads';
import { expect, test } from '@playwright/test';
import { judgedService } from '../testing/judged-service.ts';
import { passedTokens } from '../testing/passed.ts';
import type { PassedExchange, TrafficObserver } from '../traffic-observer.ts';
import { maxWaiting } from './judging-limits.ts';
import { StreamingJudge } from './streaming-judge.ts';

const target = {
  name: 'traffic',
  baseUrl: 'https://target.invalid',
  pools: {},
  keyless: false,
  soleUser: false,
};

const broken = '[{"id":"0.0.1","decimals":"8"}]';

/** Passes an exchange to an observer as a passage does. */
function pass(observer: TrafficObserver, exchange: PassedExchange): void {
  const copy = observer.copy();
  if (typeof copy === 'object') copy.add(exchange.body);
  const body = typeof copy === 'object' ? copy.end() : copy;
  if (typeof body === 'string') observer.miss(body, exchange.span);
  else observer.take({ ...exchange, body });
}

test('a sound service is accused of nothing by ordinary traffic', async () => {
  const { send, judge, close } = await judgedService([]);
  for (const seed of [1, 2, 3]) await send({ seed, requests: 250, atOnce: seed });
  await judge.settled(20_000);
  const { findings, counts, tallies } = judge.seen;
  await close();
  expect(findings.all.map(({ finding }) => finding.fingerprint)).toEqual([]);
  expect(counts).toMatchObject({ seen: 750, waiting: 0, restarts: 0 });
  expect([...counts.unjudged.keys()].toSorted()).toEqual(['other path', 'own conditions']);
  expect(tallies.tally('candle/average-is-within-range').judged).toBeGreaterThan(300);
  expect(tallies.tally('quota/counts-every-request').judged).toBeGreaterThan(0);
  expect(tallies.tally('inversion/same-candles').judged).toBeGreaterThan(0);
});

test('a fault is found from ordinary traffic, once, with its first and last occurrence and up to three exchanges', async () => {
  const news: string[] = [];
  const { send, judge, service, close } = await judgedService(['F31'], {
    onFound: ({ finding }, before) => {
      if (before === 0) news.push(finding.rule);
    },
  });
  await send({ seed: 5, requests: 200 });
  await judge.settled(20_000);
  const { findings } = judge.seen;
  await close();
  expect(new Set(news)).toEqual(new Set(['candle/average-is-within-range']));
  expect(findings.all).toHaveLength(2);
  for (const { count, firstSeen, lastSeen, finding } of findings.all) {
    expect(count).toBeGreaterThan(3);
    expect(firstSeen < lastSeen).toBe(true);
    expect(finding.examples).toHaveLength(3);
    for (const { exchange } of finding.examples) expect(findings.exchanges.has(exchange)).toBe(true);
  }
  expect(JSON.stringify([...findings.exchanges])).not.toContain(service.apiKey);
});

test('counters that stand still are found where requests follow each other', async () => {
  const { send, judge, close } = await judgedService(['F104']);
  await send({ seed: 4, requests: 60, atOnce: 1, pauseMs: 2 });
  await judge.settled(20_000);
  const rules = judge.seen.findings.all.map(({ finding }) => finding.rule);
  await close();
  expect(new Set(rules)).toEqual(new Set(['quota/counts-every-request']));
});

test('what does not fit into the queue is counted and not judged', async () => {
  const judge = new StreamingJudge({ specFile: 'openapi.yaml', target });
  const all = maxWaiting + 500;
  // Nothing else runs meanwhile, so the judge cannot take any.
  for (let at = 0; at < all; at++) pass(judge, passedTokens(broken, at));
  await judge.settled(30_000);
  const { counts, findings } = judge.seen;
  await judge.close();
  expect(counts).toMatchObject({ seen: all, judged: maxWaiting, waiting: 0 });
  expect(counts.unjudged.get('overload')).toBe(500);
  const { count } = findings.all.find(({ finding }) => finding.pointer === '/*/decimals') ?? { count: 0 };
  expect(count).toBe(maxWaiting);
});

test('a judge that dies is started anew, and what it did not judge is counted', async () => {
  const judge = new StreamingJudge({ specFile: 'openapi.yaml', target, mostHeapMb: 4 });
  pass(judge, passedTokens(broken, 0));
  await expect.poll(() => judge.seen.counts.restarts, { timeout: 20_000 }).toBeGreaterThan(1);
  pass(judge, passedTokens(broken, 1));
  await expect.poll(() => judge.seen.counts.unjudged.get('judge ended'), { timeout: 20_000 }).toBe(2);
  expect(judge.seen.counts).toMatchObject({ seen: 2, judged: 0, waiting: 0 });
  await judge.close();
});

test('what passed unjudged before a finding is not taken for its beginning', async () => {
  const judge = new StreamingJudge({ specFile: 'openapi.yaml', target });
  const shown = passedTokens(broken, 60_000);
  judge.miss('too large', passedTokens('', 0).span);
  pass(judge, shown);
  await judge.settled(20_000);
  const [openFinding] = judge.seen.findings.all;
  await judge.close();
  expect(openFinding?.firstSeen).toBe(new Date(shown.span.startedAt).toISOString());
});

test('requests pass while the judge is killed and started anew, and each of them is counted', async () => {
  const threads: Worker[] = [];
  const keep = (thread: Worker): void => void threads.push(thread);
  process.on('worker', keep);
  const lost: number[] = [];
  const began = Date.now();
  const { send, judge, close } = await judgedService([], { onMinuteLost: (begin) => lost.push(begin) });
  const statuses = await send({ seed: 11, requests: 60, atOnce: 8 });
  let round = 0;
  const passOn = async (): Promise<void> => {
    round += 1;
    statuses.push(...(await send({ seed: 11 + round, requests: 16, atOnce: 4 })));
  };
  const killed = threads[0]?.terminate();
  // Another thread starts half a second later; many exchanges pass until then.
  while (threads.length < 2) await passOn();
  await killed;
  process.off('worker', keep);
  const { judged } = judge.seen.counts;
  await passOn();
  await judge.settled(20_000);
  const { counts } = judge.seen;
  await close();
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  const unjudged = [...counts.unjudged.values()].reduce((sum, count) => sum + count, 0);
  expect(counts).toMatchObject({ seen: statuses.length, waiting: 0, restarts: 1 });
  expect(counts.unjudged.get('judge ended')).toBeGreaterThan(0);
  expect(counts.judged + unjudged).toBe(statuses.length);
  // The minute in which it ended, and those that passed until the next thread started.
  const minutes = (Date.now() - (began - (began % 60_000))) / 60_000;
  expect([counts.minutesLost, lost[0]]).toEqual([lost.length, expect.any(Number)]);
  expect(lost.length).toBeLessThanOrEqual(Math.ceil(minutes));
  expect(lost.every((minute) => minute % 60_000 === 0 && minute > began - 60_000)).toBe(true);
  expect(counts.judged).toBeGreaterThan(judged);
});

test('a body that is too large for the judge is not kept', async () => {
  const judge = new StreamingJudge({ specFile: 'openapi.yaml', target });
  const copy = judge.copy();
  if (typeof copy === 'string') throw new Error(copy);
  for (let at = 0; at < 100; at++) copy.add(new Uint8Array(1 << 20));
  expect(copy.end()).toBe('too large');
  await judge.close();
});
