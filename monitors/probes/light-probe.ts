import { isUnconnected } from '../../conformance/run/failures.ts';
import { acceptKnown } from '../../contract/judge/baseline.ts';
import { type Examined, examine } from '../../contract/judge/judge.ts';
import { dateRule } from '../../contract/law/transport/transport.ts';
import type { Exchange } from '../../contract/reading/exchange.ts';
import type { Client } from '../../http/send/client.ts';
import { type Indicator, indicators, type ProbeOutcome } from '../../results/probe-record.ts';
import type { LightProbe } from '../plan/definition.ts';
import type { ConfirmedFinding } from './confirmed-finding.ts';
import { ageOfNewest } from './freshness.ts';
import { notedMusts } from './judged-musts.ts';
import { exchangesOf, lookOnce, type Try } from './light-requests.ts';
import { type Conclusion, conclude, limitReason, standing, whyUndecided } from './outcome.ts';
import { pastIn, withPast } from './past.ts';
import type { Look } from './probe-run.ts';
import { nothingPast, type PastLook } from './restatements.ts';
import { certificateIn, evidenceOf, quotaRecordOf, samplesOf } from './samples.ts';
import type { Doubts } from './self-check.ts';
import { withoutDate } from './server-clock.ts';
import { replayAt, todayOf, type Watch } from './watch.ts';
import type { WatchedTarget } from './watched-target.ts';

export type LightSlot = {
  readonly probe: LightProbe;
  readonly target: WatchedTarget;
  /** Planned instant, Unix ms. */
  readonly slot: number;
  readonly client: Pick<Client, 'send'>;
  readonly doubts: Doubts;
  /** Returns a client for one more request after a failure; undefined if the quota has none for it. */
  readonly confirming: () => Promise<Pick<Client, 'send'> | undefined>;
  /** The findings that earlier slots have confirmed. */
  readonly confirmed: ConfirmedFinding;
};

/** One slot of a light probe: ask, judge, and look at a failure a second time. */
export async function lookLightly(requested: LightSlot, watch: Watch): Promise<Look> {
  const { probe, target, slot, client, doubts } = requested;
  const { spec, clock, serverClocks } = watch;
  const firsts = await lookOnce(probe, client, {
    spec,
    target: target.facts,
    ...(target.key && { apiKey: target.key.text }),
    now: serverClocks.secondsOf(probe.target, clock.now()),
    seed: Math.floor(slot / 1000),
  });
  for (const { first } of firsts) serverClocks.note(probe.target, first);
  const raw = await weigh(firsts, requested, watch);
  const failing = raw.outcome === 'failed' ? failingTry(firsts, raw) : undefined;
  const isOpen = failing && !requested.confirmed.isEnough(raw);
  const tries = isOpen ? await lookAgain(failing, firsts, requested, watch) : firsts;
  const isConfirmed = tries !== firsts;
  const final = isConfirmed ? await weigh(tries, requested, watch) : raw;
  requested.confirmed.note(final, isConfirmed);
  const isBlamed = final.outcome === 'failed' || final.outcome === 'degraded';
  // However slow we were: it was not we who wrote what the answer says.
  const isOurs = isBlamed && final.failure?.phase !== 'contract';
  const ours = isOurs ? await doubts(isConnectionLost(final, tries)) : undefined;
  const { pins, events, isReset, states } = final.past;
  const exchanges = tries.flatMap(exchangesOf);
  const isLimited = final.outcome === 'limited';
  const limit = isLimited ? await limitReason(exchanges, target.key?.name, watch) : undefined;
  return {
    ...rowOf(final, ours, limit),
    ...(failing && isConfirmed && bothLooks(raw, failing, tries)),
    samples: samplesOf(tries),
    quotas: exchanges.flatMap((each) => quotaRecordOf(watch.spec.quota, each, target.key?.name)),
    ...{ pins, events, isReset, states: { ...states, ...(await notedMusts(final.judged, probe, watch)) } },
    ...certificateIn(final.answered),
    ...(isBlamed && failing && { evidence: evidenceOf(failing.first) }),
  };
}

type Weighed = Conclusion & {
  readonly judged: Examined;
  /** The judged exchanges, by the numbers that findings have. */
  readonly answered: readonly Exchange[];
  readonly past: PastLook;
  readonly slow?: boolean;
  readonly stale?: boolean;
  readonly age?: number;
  /** In words, where a rule's id says too little. */
  readonly reason?: string;
  /** Why what was answered could not be judged. */
  readonly undecided?: string;
};

/** Returns the conclusion of all attempts. A wrong answer counts, though a second one was right. */
async function weigh(tries: readonly Try[], { probe, target }: LightSlot, watch: Watch): Promise<Weighed> {
  const lasts = tries.map(standingExchange);
  const answered = tries.flatMap(exchangesOf).filter((each) => standing(each) === 'answered');
  const clock = watch.serverClocks.problemOf(probe.target, watch.clock.now());
  const isTimeless = clock !== undefined && clock.whose !== 'unknown';
  const judged = judgeAll(isTimeless ? answered.map(withoutDate) : answered, target, watch);
  const age = ageOfNewest(judged.evidence);
  const slow = beyond('latency', slowest(lasts), watch);
  const stale = beyond('freshness', age, watch);
  const missed = missedOf({ latency: slow, freshness: stale });
  const said = conclude(lasts, judged.findings, clock?.whose === 'theirs' ? [...missed, dateRule] : missed);
  // An answer whose time is in doubt is no witness of the past.
  const past = clock === undefined ? await pastIn(judged, probe, target, watch) : nothingPast;
  const reason = past.doubt ?? (isTimeless ? clock.words : undefined);
  const undecided = whyUndecided(judged.evidence);
  return {
    ...withPast(said, past),
    ...{ judged, answered, past },
    ...(slow !== undefined && { slow }),
    ...(stale !== undefined && { stale }),
    ...(age !== undefined && { age }),
    ...(reason !== undefined && { reason }),
    ...(undecided !== undefined && { undecided }),
  };
}

/** The newest one, but what was answered once is not unanswered because a second look was not. */
function standingExchange({ first, second }: Try): Exchange {
  return second && (standing(second) === 'answered' || standing(first) !== 'answered') ? second : first;
}

function missedOf(beyond: Readonly<Partial<Record<Indicator, boolean | undefined>>>): Indicator[] {
  return indicators.filter((indicator) => beyond[indicator] === true);
}

function judgeAll(exchanges: readonly Exchange[], target: WatchedTarget, watch: Watch): Examined {
  const { spec, law } = watch;
  const { facts, baseline } = target;
  const recording = { target: facts, seed: 0, exchanges };
  const examined = examine(spec, recording, { catalogue: law, replay: replayAt(target) });
  return baseline ? { ...examined, findings: acceptKnown(examined, baseline, todayOf(watch)) } : examined;
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

function failingTry(tries: readonly Try[], { failure, judged, answered }: Weighed): Try | undefined {
  if (failure?.phase !== 'contract') return tries.find(({ first }) => typeof standing(first) === 'object');
  const finding = judged.findings.find(({ rule, known }) => rule === failure.class && known === undefined);
  const exchange = answered[finding?.exchange ?? -1];
  return tries.find(({ first }) => first === exchange) ?? tries[0];
}

/** The same request over a new connection, a moment later. */
async function lookAgain(
  failing: Try,
  tries: readonly Try[],
  { probe, target, confirming }: LightSlot,
  { clock, serverClocks }: Watch,
): Promise<readonly Try[]> {
  const client = await confirming();
  if (!client) return tries;
  await clock.sleep(target.pauseMs);
  const second = await client.send({ ...failing.request, freshConnection: true });
  serverClocks.note(probe.target, second);
  return tries.map((each) => (each === failing ? { ...each, second } : each));
}

function isConnectionLost({ failure }: Conclusion, tries: readonly Try[]): boolean {
  return failure !== undefined && tries.some(({ first, second }) => isUnconnected(second ?? first));
}

/** Joins what the first attempt showed and what kept the second one from an answer. */
function bothLooks(raw: Weighed, failing: Try, tries: readonly Try[]) {
  const second = tries.find(({ first }) => first === failing.first)?.second;
  const met = second && standing(second);
  return {
    rawOutcome: raw.outcome,
    ...(raw.failure && { rawFailure: raw.failure }),
    ...(standing(failing.first) === 'answered' && typeof met === 'object' && { secondFailure: met }),
  };
}

/** @param ours why it was our own trouble @param limit why our key was given nothing */
function rowOf(final: Weighed, ours: string | undefined, limit: string | undefined) {
  const { failure, rules, degradedBy, slow, stale, age } = final;
  const isOpen = (final.outcome === 'ok' || final.outcome === 'degraded') && final.undecided !== undefined;
  const outcome: ProbeOutcome = ours === undefined && !isOpen ? final.outcome : 'unknown';
  const reason = ours ?? limit ?? (isOpen ? final.undecided : final.reason);
  return {
    outcome,
    ...(failure && outcome === 'failed' && { failure }),
    rules,
    ...(degradedBy && outcome === 'degraded' && { degradedBy }),
    ...(slow !== undefined && { slow }),
    ...(stale !== undefined && { stale }),
    ...(age !== undefined && { age }),
    ...(reason !== undefined && { reason }),
  };
}
