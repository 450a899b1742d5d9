import { randomBytes } from 'node:crypto';
import { newestClosedWeek, serverTime } from '../../conformance/plan/moment.ts';
import { packSpec } from '../../contract/document/pack-spec.ts';
import type { Spec } from '../../contract/document/spec.ts';
import { edition } from '../../contract/law/catalogue.ts';
import type { Exchange } from '../../contract/reading/exchange.ts';
import type { WholeQuota } from '../../contract/reading/quota.ts';
import { thousands } from '../../contract/reading/thousands.ts';
import { version } from '../../files/package-files.ts';
import { quoteForShell } from '../../files/shell-word.ts';
import { UsageError } from '../../files/usage-error.ts';
import { billOf, highestRate, peakOf } from '../../load/bill.ts';
import type { LoadPlan, MixedRequest } from '../../load/load-plan.ts';
import type { LoadTrial, Thresholds } from '../../load/load-run.ts';
import { changed, type ScenarioId, scenarios } from '../../load/scenarios.ts';
import { fewestJudged } from '../../load/verdict.ts';
import { usualShares } from '../../planning/allowance.ts';
import { openConfig } from '../config/config.ts';
import { durationOf } from '../config/duration.ts';
import type { RemoteTarget } from '../target/target-flags.ts';
import type { LoadFlags } from './flags.ts';
import { mixOf } from './mix.ts';

/** A tenth of many answers, and enough of fewer ones to say something of them. */
const usualShare = 0.1;

/** Each is an engine of its own, of three megabytes and more. */
const mostUsers = 300;

/** Slower than this is slow where no objective says otherwise. */
const usualSlowMs = 1000;

/** What is run, without what it takes to run it. */
export function trialOf(
  scenario: ScenarioId,
  target: RemoteTarget,
  flags: LoadFlags,
  spec: Spec,
): Omit<LoadTrial, 'mix'> {
  const load = changed(scenarios[scenario], flags);
  if (peakOf(load) * 60 > highestRate)
    throw new UsageError(
      `load: more than ${thousands(highestRate / 60)} requests a second: give a lower --rate or --scale`,
    );
  const bill = billOf(load);
  if (bill === 0) throw new UsageError('load: this sends no request at all: give a higher --rate or --scale');
  const thresholds = thresholdsOf(target, flags);
  const isShared = flags.segment !== undefined || flags.plan !== undefined;
  const grant = flags.granted ?? (isShared ? randomBytes(6).toString('hex') : undefined);
  return {
    scenario,
    load,
    bill,
    budget: bill + 1,
    ...(grant !== undefined && { grant }),
    target: { name: target.facts.name, baseUrl: target.facts.baseUrl },
    judgeShare: flags.judge ?? Math.max(usualShare, Math.min(1, fewestJudged / bill)),
    slowMs: thresholds.latency?.underMs ?? usualSlowMs,
    thresholds,
    command: commandOf(scenario, target, flags),
    versions: { candleproof: version, catalogue: edition, specSha256: spec.sha256 },
  };
}

/** Everything for the script; `look` is the answer that reported the time and the month. */
export function planOf(
  trial: Omit<LoadTrial, 'mix'>,
  target: RemoteTarget,
  flags: LoadFlags,
  { spec, look, month }: { spec: Spec; look: Exchange; month: WholeQuota | undefined },
): LoadPlan {
  const recording = { target: target.facts, seed: 0, exchanges: [look] };
  const moment = { now: serverTime(recording), weekStart: () => newestClosedWeek(spec, recording), seed: 0 };
  const reserve = (target.configured?.key?.shares ?? usualShares).reserve;
  const floor = flags.floor ?? (month && Math.floor((month.limit * reserve) / 100));
  const mix = mixOf(spec, target.facts, moment);
  return {
    trial: { ...trial, mix: sharesOf(mix), ...(month && floor !== undefined && { floor }) },
    // Others' requests stand between any two that are judged: counters are compared with nothing.
    target: { ...target.facts, soleUser: false },
    cap: trial.bill,
    quota: spec.quota,
    keyHeader: spec.keyHeader ?? 'x-api-key',
    mix,
    timeoutMs: flags.timeout,
    vus: Math.max(1, Math.min(mostUsers, trial.bill, Math.ceil((peakOf(trial.load) * flags.timeout) / 1000))),
    userAgent: `Candleproof/${version} (load, k6)`,
    spec: JSON.stringify(packSpec(spec)),
  };
}

/** The mix as shares of all requests. */
function sharesOf(mix: readonly MixedRequest[]): LoadTrial['mix'] {
  return [...Map.groupBy(mix, (each) => `${each.operation} ${each.kind}`).values()].flatMap((all) =>
    all.slice(0, 1).map(({ operation, kind }) => ({ operation, kind, share: all.length / mix.length })),
  );
}

/** Only what a config declares: the monitors' usual objectives are not made for a load. */
function thresholdsOf({ configured }: RemoteTarget, { config }: LoadFlags): Thresholds {
  const { availability, latency } = (configured && openConfig(config)?.monitoring.slos) ?? {};
  return {
    ...(availability && { availability: availability.objective / 100 }),
    ...(latency?.under !== undefined && {
      latency: { objective: latency.objective / 100, underMs: durationOf(latency.under) },
    }),
  };
}

function commandOf(scenario: ScenarioId, { words }: RemoteTarget, flags: LoadFlags): string {
  const { rate, duration, scale, judge, floor, segment, granted, plan, allowMainnet, fault } = flags;
  const given: [flag: string, value: string | number | undefined][] = [
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
      value === undefined ? [] : [`${flag} ${shellWords(String(value))}`],
    ),
    ...(allowMainnet ? ['--allow-mainnet'] : []),
  ].join(' ');
}

function shellWords(text: string): string {
  return text.split(' ').map(quoteForShell).join(' ');
}
