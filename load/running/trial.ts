import { randomBytes } from 'node:crypto';
import { newestClosedWeek, serverTime } from '@candleproof/check/plan/moment';
import type { Target } from '@candleproof/check/target/target';
import { version } from '@candleproof/files/package-files';
import { quoteForShell } from '@candleproof/files/shell-word';
import { UsageError } from '@candleproof/files/usage-error';
import { usualShares } from '@candleproof/law/planning/allowance';
import type { Exchange } from '@candleproof/law/reading/exchange';
import type { WholeQuota } from '@candleproof/law/reading/quota';
import { thousands } from '@candleproof/law/reading/words';
import { catalogueVersion } from '@candleproof/law/rules/catalogue-version';
import { computeBill, highestRate, type Load, peakRate } from '../bill.ts';
import type { LoadEngine, LoadPlan, LoadTrial, MixedRequest, Thresholds } from '../load-run.ts';
import { adjustLoad, type Changes, type ScenarioId, scenarios } from '../scenarios.ts';
import { minJudged } from '../verdict.ts';
import type { Segment } from './generator.ts';
import { makeMix } from './mix.ts';

/** A tenth of many answers, and enough of fewer ones to say something of them. */
const usualShare = 0.1;

/** Concurrent requests: every virtual user of k6 is an engine of at least three megabytes, ours a connection. */
const mostUsers = { k6: 300, embedded: 1000 };

/** Requests a second that the embedded engine was measured for, see tools/bench/RESULTS.md. */
const mostEmbedded = 2000;

/** Milliseconds above which an answer is slow, unless an objective says otherwise. */
const usualSlowMs = 1000;

/** The choices made for a load; those that are omitted are as in the scenario. */
export type LoadChoices = Changes & {
  /** The sender of the load. */
  readonly engine?: LoadEngine;
  /** Share of the answers to judge, from 0 to 1. */
  readonly judge?: number;
  /** Ends the load if only this number of the month's requests remains. */
  readonly floor?: number;
  /** Longest wait for an answer, in ms. */
  readonly timeout: number;
  /** Sends one segment of the load, such as 1/4; the whole bill is booked. */
  readonly segment?: Segment;
  /** The id of the grant if another segment booked the bill. */
  readonly granted?: string;
  /** The file for the plan of a load that is sent elsewhere. */
  readonly plan?: string;
  readonly allowMainnet?: boolean;
  /** The bill may go beyond what the key's month leaves, which may be billed; no floor ends the load. */
  readonly allowOverage?: boolean;
  /** Faults that are switched on in the embedded service. */
  readonly fault?: readonly string[];
  /** The objectives of the target, if a config declares them. */
  readonly thresholds?: Thresholds;
};

/** Returns the trial of a scenario: the load, its bill and its objectives. Throws a UsageError for a load that cannot be. */
export function makeTrial(
  scenario: ScenarioId,
  target: Target,
  choices: LoadChoices,
): Omit<LoadTrial, 'mix'> {
  const load = adjustLoad(scenarios[scenario], choices);
  if (peakRate(load) * 60 > highestRate)
    throw new UsageError(
      `load: more than ${thousands(highestRate / 60)} requests a second: give a lower --rate or --scale`,
    );
  const bill = computeBill(load);
  if (bill === 0) throw new UsageError('load: this sends no request at all: give a higher --rate or --scale');
  const { thresholds = {} } = choices;
  const engine = chooseEngine(load, choices);
  const isShared = choices.segment !== undefined || choices.plan !== undefined;
  const grant = choices.granted ?? (isShared ? randomBytes(6).toString('hex') : undefined);
  return {
    scenario,
    engine,
    load,
    bill,
    budget: bill + 1,
    grant,
    target: { name: target.facts.name, baseUrl: target.facts.baseUrl },
    judgeShare: choices.judge ?? Math.max(usualShare, Math.min(1, minJudged / bill)),
    slowMs: thresholds.latency?.underMs ?? usualSlowMs,
    thresholds,
    command: loadCommand(scenario, target, choices),
    versions: { candleproof: version, catalogue: catalogueVersion, specSha256: target.spec.sha256 },
  };
}

/** Returns the engine for a load: k6 for what is larger than one process of ours or sent elsewhere. */
function chooseEngine(load: Load, { engine, segment, plan }: LoadChoices): LoadEngine {
  const isLarge = peakRate(load) / (segment?.of ?? 1) > mostEmbedded;
  if (engine === 'embedded' && (isLarge || plan !== undefined))
    throw new UsageError(
      isLarge
        ? `--engine: the embedded engine sends at most ${thousands(mostEmbedded)} requests a second: give a lower --rate or --scale, or --engine k6`
        : '--engine: a plan is for k6 elsewhere: leave out --engine or --plan',
    );
  return engine ?? (isLarge || segment || plan !== undefined ? 'k6' : 'embedded');
}

/** Returns the plan for a generator; `look` is the trial's answer, which reported the time and the month. */
export function makeLoadPlan(
  trial: Omit<LoadTrial, 'mix'>,
  target: Target,
  choices: LoadChoices,
  { look, month }: { look: Exchange; month: WholeQuota | undefined },
): LoadPlan {
  const { spec } = target;
  const recording = { target: target.facts, seed: 0, exchanges: [look] };
  const moment = { now: serverTime(recording), weekStart: () => newestClosedWeek(spec, recording), seed: 0 };
  const reserve = (target.terms?.shares ?? usualShares).reserve;
  const usual = choices.allowOverage ? undefined : month && Math.floor((month.limit * reserve) / 100);
  const floor = choices.floor ?? usual;
  const mix = makeMix(spec, target.facts, moment);
  return {
    trial: { ...trial, mix: measureShares(mix), ...(month && floor !== undefined && { floor }) },
    // Others' requests come between any two that are judged: counters are compared with nothing.
    target: { ...target.facts, soleUser: false },
    cap: trial.bill,
    quota: spec.quota,
    keyHeader: spec.keyHeader ?? 'x-api-key',
    keyPrefix: spec.keyPlaces?.[0]?.prefix ?? '',
    mix,
    timeoutMs: choices.timeout,
    vus: Math.max(
      1,
      Math.min(
        mostUsers[trial.engine],
        trial.bill,
        Math.ceil((peakRate(trial.load) * choices.timeout) / 1000),
      ),
    ),
    userAgent: `Candleproof/${version} (load, ${trial.engine})`,
  };
}

/** Returns the mix as shares of all requests. */
function measureShares(mix: readonly MixedRequest[]): LoadTrial['mix'] {
  return [...Map.groupBy(mix, (request) => `${request.operation} ${request.kind}`).values()].flatMap((all) =>
    all.slice(0, 1).map(({ operation, kind }) => ({ operation, kind, share: all.length / mix.length })),
  );
}

function loadCommand(scenario: ScenarioId, { words }: Target, choices: LoadChoices): string {
  const { engine, rate, duration, scale, judge, floor, segment, granted, plan, fault } = choices;
  const given: [flag: string, value: string | number | undefined][] = [
    ['--engine', engine],
    ['--rate', rate],
    ['--duration', duration],
    ['--scale', scale],
    ['--judge', judge],
    ['--floor', floor],
    ['--segment', segment && `${segment.index}/${segment.of}`],
    ['--granted', granted],
    ['--plan', plan],
    ['--fault', fault?.join(' ')],
  ];
  return [
    `npx candleproof load ${scenario} ${words}`,
    ...given.flatMap(([flag, value]) =>
      value === undefined ? [] : [`${flag} ${String(value).split(' ').map(quoteForShell).join(' ')}`],
    ),
    ...(choices.allowMainnet ? ['--allow-mainnet'] : []),
    ...(choices.allowOverage ? ['--allow-overage'] : []),
  ].join(' ');
}
