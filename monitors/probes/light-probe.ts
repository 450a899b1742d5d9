import { isUnconnected } from '@candleproof/check/run/sending';
import type { Client } from '@candleproof/client/send/client';
import { acceptKnown } from '@candleproof/law/judge/baseline';
import { type Examined, examine } from '@candleproof/law/judge/judge';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { dateRule, staysRule } from '@candleproof/law/rules/facts';
import type { LightProbe } from '../plan/definition.ts';
import { formatFailure, type Indicator, indicators, type ProbeOutcome } from '../results/probe-record.ts';
import type { ConfirmedFinding } from './confirmed-finding.ts';
import { oldestAge } from './freshness.ts';
import { notedMusts } from './judged-musts.ts';
import { blamedTime, exceedsObjective, slowest } from './lateness.ts';
import { type Attempt, listExchanges, sendRequests } from './light-requests.ts';
import { type Conclusion, classify, conclude, explainUndecided, limitReason } from './outcome.ts';
import { comparePast, withPast } from './past.ts';
import type { ProbeRun } from './probe-run.ts';
import { noPast, type PastComparison } from './restatements.ts';
import {
  earliestCertificate,
  type FoundBreach,
  formatEvidence,
  makeSamples,
  quotaRecords,
} from './samples.ts';
import type { Doubts } from './self-check.ts';
import { withoutDate } from './server-clock.ts';
import { currentDate, replayCommand, type Watch } from './watch.ts';
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

/** Runs one slot of a light probe: requests, judges, and confirms a failure. */
export async function runLightProbe(requested: LightSlot, watch: Watch): Promise<ProbeRun> {
  const { probe, target, slot, client, doubts } = requested;
  const { spec, clock, serverClocks } = watch;
  const firsts = await sendRequests(probe, client, {
    spec,
    target: target.facts,
    ...(target.key && { apiKey: target.key.text }),
    now: serverClocks.serverSeconds(probe.target, clock.now()),
    seed: Math.floor(slot / 1000),
  });
  for (const { first } of firsts) serverClocks.note(probe.target, first);
  const raw = await weigh(firsts, requested, watch);
  const failing = raw.outcome === 'failed' ? failingTry(firsts, raw) : undefined;
  const isOpen = failing && !requested.confirmed.isEnough(raw);
  const tries = isOpen ? await confirmFailure(failing, firsts, requested, watch) : firsts;
  const isConfirmed = tries !== firsts;
  const final = isConfirmed ? await weigh(tries, requested, watch) : raw;
  requested.confirmed.note(final, isConfirmed);
  const isBlamed = final.outcome === 'failed' || final.outcome === 'degraded';
  // Slowness of our host does not excuse the content of an answer.
  const mayBeOurs = isBlamed && final.failure?.phase !== 'contract';
  const blame = {
    isUnconnected: isConnectionLost(final, tries),
    time: blamedTime(final, tries.map(finalExchange), watch),
  };
  const doubt = mayBeOurs ? await doubts(blame) : undefined;
  const ours = doubt && final.failure ? `${doubt} (${formatFailure(final.failure)})` : doubt;
  const { pins, events, isReset, states } = final.past;
  const exchanges = tries.flatMap(listExchanges);
  const isLimited = final.outcome === 'limited';
  const limit = isLimited ? await limitReason(exchanges, target.key?.name, watch) : undefined;
  return {
    ...slotFields(final, ours, limit),
    ...(failing && isConfirmed && bothAttempts(raw, failing, tries)),
    samples: makeSamples(tries),
    quotas: exchanges.flatMap((exchange) => quotaRecords(watch.spec.quota, exchange, target.key?.name)),
    ...{ pins, events, isReset, states: { ...states, ...(await notedMusts(final.judged, probe, watch)) } },
    ...earliestCertificate(final.answered),
    ...(isBlamed &&
      failing && { evidence: formatEvidence(failing.first, listFound(failing.first, raw), raw.past.cause) }),
  };
}

type WeighedAnswers = Conclusion & {
  readonly judged: Examined;
  /** The judged exchanges, by the numbers that findings have. */
  readonly answered: readonly Exchange[];
  readonly past: PastComparison;
  readonly slow?: boolean;
  readonly stale?: boolean;
  readonly age?: number;
  /** An explanation if a rule's id is not enough. */
  readonly reason?: string;
  /** The reason why the answers could not be judged. */
  readonly undecided?: string;
};

/** Returns the conclusion of all attempts. A wrong answer counts, though a second one was right. */
async function weigh(
  tries: readonly Attempt[],
  { probe, target }: LightSlot,
  watch: Watch,
): Promise<WeighedAnswers> {
  const lasts = tries.map(finalExchange);
  const answered = tries.flatMap(listExchanges).filter((exchange) => classify(exchange) === 'answered');
  const clock = watch.serverClocks.targetProblem(probe.target, watch.clock.now());
  const isTimeless = clock !== undefined && clock.whose !== 'unknown';
  const judged = judgeAll(isTimeless ? answered.map(withoutDate) : answered, target, watch);
  const age = oldestAge(judged.evidence);
  const slow = exceedsObjective('latency', slowest(lasts), watch);
  const stale = exceedsObjective('freshness', age, watch);
  const missed = listMissed({ latency: slow, freshness: stale });
  const said = conclude(lasts, judged.findings, clock?.whose === 'theirs' ? [...missed, dateRule] : missed);
  // An answer whose time is in doubt is no witness of the past.
  const past = clock === undefined ? await comparePast(judged, probe, target, watch) : noPast;
  const reason = past.doubt ?? (isTimeless ? clock.words : undefined);
  const undecided = explainUndecided(judged.evidence);
  return {
    ...withPast(said, past),
    ...{ judged, answered, past },
    slow,
    stale,
    age,
    reason,
    undecided,
  };
}

/** Returns the new findings of an exchange, or what it contradicts of earlier slots. */
function listFound(exchange: Exchange, { answered, judged, past }: WeighedAnswers): readonly FoundBreach[] {
  const index = answered.indexOf(exchange);
  const found = judged.findings.filter((finding) => finding.exchange === index && !finding.known);
  if (found.length > 0 || past.doubt === undefined) return found;
  const unlike = { pointer: '', expected: 'as earlier slots saw it', actual: 'another', examples: [] };
  return [{ ...unlike, rule: past.rule ?? staysRule, pattern: past.doubt }];
}

/** Returns the newest attempt, or the first one if only that was answered. */
function finalExchange({ first, second }: Attempt): Exchange {
  return second && (classify(second) === 'answered' || classify(first) !== 'answered') ? second : first;
}

function listMissed(beyond: Readonly<Partial<Record<Indicator, boolean | undefined>>>): Indicator[] {
  return indicators.filter((indicator) => beyond[indicator] === true);
}

function judgeAll(exchanges: readonly Exchange[], target: WatchedTarget, watch: Watch): Examined {
  const { spec, law } = watch;
  const { facts, baseline } = target;
  const recording = { target: facts, seed: 0, exchanges };
  const examined = examine(spec, recording, { catalogue: law, replay: replayCommand(target) });
  return baseline ? { ...examined, findings: acceptKnown(examined, baseline, currentDate(watch)) } : examined;
}

function failingTry(
  tries: readonly Attempt[],
  { failure, judged, answered }: WeighedAnswers,
): Attempt | undefined {
  if (failure?.phase !== 'contract') return tries.find(({ first }) => typeof classify(first) === 'object');
  const finding = judged.findings.find(({ rule, known }) => rule === failure.class && known === undefined);
  const exchange = answered[finding?.exchange ?? -1];
  return tries.find(({ first }) => first === exchange) ?? tries[0];
}

/** The same request over a new connection, a moment later. */
async function confirmFailure(
  failing: Attempt,
  tries: readonly Attempt[],
  { probe, target, confirming }: LightSlot,
  { clock, serverClocks }: Watch,
): Promise<readonly Attempt[]> {
  const client = await confirming();
  if (!client) return tries;
  await clock.sleep(target.pauseMs);
  const second = await client.send({ ...failing.request, freshConnection: true });
  serverClocks.note(probe.target, second);
  return tries.map((attempt) => (attempt === failing ? { ...attempt, second } : attempt));
}

function isConnectionLost({ failure }: Conclusion, tries: readonly Attempt[]): boolean {
  return failure !== undefined && tries.some(({ first, second }) => isUnconnected(second ?? first));
}

/** Joins the result of the first attempt with the reason why the second had no answer. */
function bothAttempts(raw: WeighedAnswers, failing: Attempt, tries: readonly Attempt[]) {
  const second = tries.find(({ first }) => first === failing.first)?.second;
  const met = second && classify(second);
  return {
    rawOutcome: raw.outcome,
    rawFailure: raw.failure,
    ...(classify(failing.first) === 'answered' && typeof met === 'object' && { secondFailure: met }),
  };
}

/** @param ours why the failure was on this side @param limit why our key was given nothing */
function slotFields(final: WeighedAnswers, ours: string | undefined, limit: string | undefined) {
  const { failure, rules, degradedBy, slow, stale, age } = final;
  const isOpen = (final.outcome === 'ok' || final.outcome === 'degraded') && final.undecided !== undefined;
  const outcome: ProbeOutcome = ours === undefined && !isOpen ? final.outcome : 'unknown';
  const reason = ours ?? limit ?? (isOpen ? final.undecided : final.reason);
  return {
    outcome,
    ...(failure && outcome === 'failed' && { failure }),
    rules,
    ...(degradedBy && outcome === 'degraded' && { degradedBy }),
    slow,
    stale,
    age,
    reason,
  };
}
