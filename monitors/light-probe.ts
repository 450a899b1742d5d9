import { isUnconnected } from '../conformance/failures.ts';
import { applyBaseline } from '../contract/baseline.ts';
import type { Exchange } from '../contract/exchange.ts';
import { type Judged, judge } from '../contract/judge.ts';
import type { Client } from '../http/client.ts';
import { type Indicator, indicators, type ProbeOutcome } from '../results/probe-record.ts';
import type { LightProbe } from './definition.ts';
import { ageOfNewest } from './freshness.ts';
import { exchangesOf, lookOnce, type Try } from './light-look.ts';
import type { Look } from './look.ts';
import { type Conclusion, conclude, standing } from './outcome.ts';
import { compareWithPins } from './restatements.ts';
import { evidenceOf, quotaRecordOf, sampleOf } from './samples.ts';
import { replayAt, todayOf, type Watch } from './watch.ts';
import type { WatchedTarget } from './watched-target.ts';

export type LightSlot = {
  readonly probe: LightProbe;
  readonly target: WatchedTarget;
  /** Planned instant, Unix ms. */
  readonly slot: number;
  readonly client: Pick<Client, 'send'>;
  /** What may send one request more to look at a failure again; undefined where the quota has none for it. */
  readonly confirming: () => Pick<Client, 'send'> | undefined;
};

/** One slot of a light probe: ask, judge, and look at a failure a second time. */
export async function lookLightly(asked: LightSlot, watch: Watch): Promise<Look> {
  const { probe, target, slot, client } = asked;
  const { spec, clock, serverClocks, prober } = watch;
  const doubts = prober.begin();
  const firsts = await lookOnce(probe, client, {
    spec,
    target: target.facts,
    ...(target.key && { apiKey: target.key.text }),
    now: serverClocks.secondsOf(probe.target, clock.now()),
    seed: Math.floor(slot / 1000),
  });
  for (const { first } of firsts) serverClocks.note(probe.target, first);
  const raw = weigh(firsts, asked, watch);
  const failing = raw.outcome === 'failed' ? failingTry(firsts, raw) : undefined;
  const tries = failing ? await lookAgain(failing, firsts, asked, watch) : firsts;
  const isConfirmed = tries !== firsts;
  const final = isConfirmed ? weigh(tries, asked, watch) : raw;
  const isBlamed = final.outcome === 'failed' || final.outcome === 'degraded';
  // However slow we were: it was not we who wrote what the answer says.
  const isOurs = isBlamed && final.failure?.phase !== 'contract';
  const ours = isOurs ? await doubts(isConnectionLost(final, tries)) : undefined;
  const seen = await seenIn(final, probe.target, watch);
  return {
    ...rowOf(final, ours),
    ...(failing && isConfirmed && bothLooks(raw, failing, tries)),
    samples: samplesOf(tries, slot),
    quotas: tries.flatMap(exchangesOf).flatMap((each) => quotaRecordOf(each, target.key?.name)),
    ...seen,
    ...(isBlamed && failing && { evidence: evidenceOf(failing.first) }),
  };
}

type Weighed = Conclusion & {
  readonly judged: Judged;
  readonly slow?: boolean;
  readonly stale?: boolean;
  readonly age?: number;
};

/** What came of each try in the end. A wrong answer stands, though a second one was right. */
function weigh(tries: readonly Try[], { target }: LightSlot, watch: Watch): Weighed {
  const lasts = tries.map(standingExchange);
  const answered = tries.flatMap(exchangesOf).filter((each) => standing(each) === 'answered');
  const judged = judgeAll(answered, target, watch);
  const age = ageOfNewest(judged.evidence);
  const slow = beyond('latency', slowest(lasts), watch);
  const stale = beyond('freshness', age, watch);
  const findings = judged.findings.filter(
    ({ rule }) => rule !== 'transport/date-is-the-time' || !watch.serverClocks.isOursWrong(),
  );
  return {
    ...conclude(lasts, findings, missedOf({ latency: slow, freshness: stale })),
    judged,
    ...(slow !== undefined && { slow }),
    ...(stale !== undefined && { stale }),
    ...(age !== undefined && { age }),
  };
}

/** The newest one, but what was answered once is not unanswered because a second look was not. */
function standingExchange({ first, second }: Try): Exchange {
  return second && (standing(second) === 'answered' || standing(first) !== 'answered') ? second : first;
}

function missedOf(beyond: Readonly<Partial<Record<Indicator, boolean | undefined>>>): Indicator[] {
  return indicators.filter((indicator) => beyond[indicator] === true);
}

function judgeAll(exchanges: readonly Exchange[], target: WatchedTarget, watch: Watch): Judged {
  const { spec, law } = watch;
  const { facts, baseline } = target;
  const recording = { target: facts, seed: 0, exchanges };
  const judged = judge(spec, recording, { catalogue: law, replay: replayAt(target) });
  return baseline ? applyBaseline(judged, baseline, todayOf(watch)) : judged;
}

function slowest(exchanges: readonly Exchange[]): number | undefined {
  const times = exchanges.filter((each) => standing(each) === 'answered').map(({ timings }) => timings.total);
  return times.length === 0 ? undefined : Math.max(...times);
}

function beyond(
  indicator: 'latency' | 'freshness',
  ms: number | undefined,
  { definition }: Watch,
): boolean | undefined {
  const under = definition.objectives.find((each) => each.indicator === indicator)?.under;
  return ms === undefined || under === undefined ? undefined : ms > under;
}

function failingTry(tries: readonly Try[], { failure, judged }: Weighed): Try | undefined {
  if (failure?.phase !== 'contract') return tries.find(({ first }) => typeof standing(first) === 'object');
  const finding = judged.findings.find(({ rule, known }) => rule === failure.class && known === undefined);
  const exchange = judged.evidence.answers[finding?.exchange ?? -1]?.exchange;
  return tries.find(({ first }) => first === exchange) ?? tries[0];
}

/** The same request over a new connection, a moment later. */
async function lookAgain(
  failing: Try,
  tries: readonly Try[],
  { probe, target, confirming }: LightSlot,
  { clock, serverClocks }: Watch,
): Promise<readonly Try[]> {
  const client = confirming();
  if (!client) return tries;
  await clock.sleep(target.pauseMs);
  const second = await client.send({ ...failing.request, freshConnection: true });
  serverClocks.note(probe.target, second);
  return tries.map((each) => (each === failing ? { ...each, second } : each));
}

function isConnectionLost({ failure }: Conclusion, tries: readonly Try[]): boolean {
  return failure !== undefined && tries.some(({ first, second }) => isUnconnected(second ?? first));
}

/** What the first look alone had shown, and what kept the second one from an answer. */
function bothLooks(raw: Weighed, failing: Try, tries: readonly Try[]) {
  const second = tries.find(({ first }) => first === failing.first)?.second;
  const met = second && standing(second);
  return {
    rawOutcome: raw.outcome,
    ...(raw.failure && { rawFailure: raw.failure }),
    ...(standing(failing.first) === 'answered' && typeof met === 'object' && { secondFailure: met }),
  };
}

function rowOf(final: Weighed, ours: string | undefined) {
  const { failure, rules, degradedBy, slow, stale, age } = final;
  const outcome: ProbeOutcome = ours === undefined ? final.outcome : 'unknown';
  return {
    outcome,
    ...(failure && outcome === 'failed' && { failure }),
    rules,
    ...(degradedBy && outcome === 'degraded' && { degradedBy }),
    ...(slow !== undefined && { slow }),
    ...(stale !== undefined && { stale }),
    ...(age !== undefined && { age }),
    ...(ours !== undefined && { reason: ours }),
  };
}

function samplesOf(tries: readonly Try[], slot: number) {
  return tries.flatMap((each) =>
    exchangesOf(each).map((exchange) =>
      sampleOf(exchange, slot, { pool: each.pool, confirming: exchange !== each.first }),
    ),
  );
}

/** What the answers say of the past, and the certificate that came with them. A wrong answer is no witness. */
async function seenIn({ judged: { evidence }, failure }: Weighed, target: string, { store, clock }: Watch) {
  const ends = evidence.answers.flatMap(({ exchange }) => exchange.connection?.tls?.certificateEnd ?? []);
  const certificateEnd = ends.length > 0 ? Math.min(...ends.map((each) => Date.parse(each))) : undefined;
  const witnesses = failure?.phase === 'contract' ? [] : evidence.histories;
  const restated = await compareWithPins(witnesses, target, store, clock.now());
  return { ...restated, ...(certificateEnd !== undefined && { certificateEnd }) };
}
