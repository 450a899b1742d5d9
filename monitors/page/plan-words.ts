import { formatPercent, thousands } from '@candleproof/law/reading/words';
import { alignColumns } from '@candleproof/reports/words/terminal-text';
import type { Probe } from '../plan/definition.ts';
import { type ObjectivePlan, shortOutage } from '../plan/objective-plan.ts';
import { type KeyPlan, type MonitorPlan, monthDays, type PlannedProbe } from '../plan/plan.ts';
import { probeId } from '../plan/slot-plan.ts';

/** Describes the requests of monitors in each key's month and what they can prove, as lines of text. */
export function monitorPlanInWords({ keys, probes, objectives }: MonitorPlan, location: string): string {
  return [
    `Monitors ${location} cost this in a month of ${monthDays} days, confirmations left out:`,
    ...keys.flatMap((key) => keyInWords(key, probes)),
    ...(objectives.length > 0 ? ['A month without a bad slot proves:'] : []),
    ...table(objectives.map(proofInWords)),
    ...(objectives.length > 0 ? ['An alert takes so many bad slots in a row, by pair of windows:'] : []),
    ...table(objectives.map(alertInWords)),
    ...outagesInWords(objectives),
    '',
  ].join('\n');
}

function keyInWords(plan: KeyPlan, probes: readonly PlannedProbe[]): string[] {
  const planProbes = probes.filter(({ probe }) => plan.targets.includes(probe.target));
  const share = Number.isFinite(plan.budget)
    ? `of the monitors' share of ${thousands(plan.budget)}`
    : 'which nothing counts';
  const sum = ['', '', String(plan.requests), `requests, ${share}`];
  return [
    plan.key === undefined
      ? `${plan.targets.join(', ')} (no key): ${limitInWords(plan)}`
      : `key ${plan.key}: ${limitInWords(plan)}`,
    ...table([...planProbes.map(probeInWords), sum], 2),
    ...describeRunning(plan),
    ...recheckInWords(plan),
  ];
}

function limitInWords({ key, limit, known }: KeyPlan): string {
  const source = {
    answer: `${thousands(limit)} requests a month, as its last answer said`,
    config: `${Number.isFinite(limit) ? thousands(limit) : 'any number of'} requests a month, as the config says`,
    document: Number.isFinite(limit)
      ? `its document counts no requests a month and allows ${thousands(limit)} by their rate`
      : 'its document counts no requests a month',
    none: `its allowance is not known until an answer tells it; planned for ${thousands(limit)} requests a month${key === undefined ? '; limit: none at the target if nothing counts them' : ''}`,
  };
  return source[known];
}

function probeInWords({ probe, period, slots, requests }: PlannedProbe): string[] {
  const average = slots > 0 ? requests / slots : 0;
  return [probeId(probe), rhythmInWords(probe, period), String(requests), `${slots} slots of ${average}`];
}

/** Formats the rhythm of a probe; `period` in ms. */
export function rhythmInWords({ rhythm }: Probe, period: number): string {
  if ('cron' in rhythm) return `${rhythm.cron} (UTC)`;
  return `every ${spanInWords(period)}${rhythm.every === 'budget' ? ' (budget)' : ''}`;
}

function describeRunning({ running, requests }: KeyPlan): string[] {
  if (!running) return [];
  const { remaining, reset, perDay, exhaustedAt } = running;
  const left = `  ${thousands(remaining)} left until ${stamp(reset)}`;
  if (perDay === undefined) return [left];
  const end =
    exhaustedAt === undefined
      ? 'the month lasts at that pace'
      : `only the reserve is left by ${stamp(exhaustedAt)}`;
  const planned = requests / monthDays;
  const pace =
    planned > perDay ? `${Math.round(planned)} a day as planned` : `${Math.round(perDay)} a day so far`;
  return [`${left}; ${pace}: ${end}`];
}

function recheckInWords({ recheck, key }: KeyPlan): string[] {
  if (!recheck) return key === undefined ? [] : ['  nothing rechecks the key while its probes are stopped'];
  const { probe, cost, requests, isPaid } = recheck;
  const lack = `  stopped probes learn nothing before the reset: too little is left for a recheck by ${probe} (${cost})`;
  if (!isPaid) return [lack];
  return [
    `  while the probes are stopped, ${probe} rechecks the key once a day: at most ${requests} requests of the reserve`,
  ];
}

function proofInWords({ target, indicator, objective, provable, slots, needed }: ObjectivePlan): string[] {
  const name = `${target} ${indicator}`;
  if (slots === 0) return [name, formatPercent(objective), 'nothing: no probe tells it'];
  const lack = slots < needed ? `; ${formatPercent(objective)} takes ${needed}` : '';
  return [name, formatPercent(objective), `${slots} slots prove ${formatPercent(provable)}${lack}`];
}

/** A pair whose windows hold too few slots never fires: the plan warns of it. */
function alertInWords({ target, indicator, triggers }: ObjectivePlan): string[] {
  const pairs = triggers.map(({ pair, failures }) => `${failures ?? 'never'} (${pair})`);
  const isSilent = triggers.every(({ failures }) => failures === undefined);
  const words = isSilent ? 'never: its slots are too rare, or its objective too low' : pairs.join(', ');
  return [`${target} ${indicator}`, words];
}

/** Describes how long an outage has to last to be alerted, and what a short one would take. */
function outagesInWords(objectives: readonly ObjectivePlan[]): string[] {
  const rows = objectives.filter(({ indicator, slots }) => indicator === 'availability' && slots > 0);
  if (rows.length === 0) return [];
  return [
    `An alert follows an outage of this length; for one after ${minutes(shortOutage)}, probe as shown:`,
    ...table(
      rows.map(({ target, outage, alone, cadenceForShort: cadence }) => [
        target,
        outage === undefined ? 'no alert fires' : minutes(outage),
        outage !== undefined && outage <= shortOutage
          ? 'as planned'
          : `probe every ${spanInWords(cadence)} (${thousands(Math.ceil((monthDays * 86_400_000) / cadence))} a month)`,
        aloneInWords(alone),
      ]),
    ),
  ];
}

/** Describes the outages of one probe alone, those of equal length together. */
function aloneInWords(alone: ObjectivePlan['alone']): string {
  if (alone.length < 2) return '';
  const words = Map.groupBy(alone, ({ outage }) => (outage === undefined ? 'no alert' : minutes(outage)));
  return [...words]
    .map(([length, all]) => `${all.map(({ probe }) => probe).join(', ')} alone: ${length}`)
    .join('; ');
}

function minutes(ms: number): string {
  return `${Math.ceil(ms / 60_000)} min`;
}

/** The two longest units: 22 min 47 s. */
export function spanInWords(ms: number): string {
  const units = { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1000 };
  const parts = Object.entries(units).flatMap(([unit, length], index, all) => {
    const above = all[index - 1]?.[1] ?? Infinity;
    const count = Math.floor((ms % above) / length);
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(' ');
}

/** Formats an age in ms: in seconds below two minutes. */
export function ageInWords(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : spanInWords(ms);
}

function stamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function table(rows: readonly (readonly string[])[], right?: number): string[] {
  return alignColumns(rows, right).map((line) => `  ${line}`.trimEnd());
}
