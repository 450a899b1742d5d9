import type { Firing, Pair } from '../../planning/burn-rate.ts';
import { formatFailure, type Indicator, type ProbeFailure } from '../../results/probe-record.ts';
import type { EventRecord, IncidentRecord, Json } from '../../results/results-store.ts';
import type { Objective } from '../plan/definition.ts';

export const changes = ['fired', 'worsened', 'spread', 'reminder', 'cleared', 'withdrawn'] as const;
export type Change = (typeof changes)[number];

/** Notices that belong to no objective. */
export type NoticeKind =
  | 'coverage'
  | 'clock'
  | 'disk'
  | 'exhaustion'
  | 'restatement'
  | 'network-reset'
  | 'foreign-use'
  | 'limit-changed';

/** `page` if the error budget of a month would be spent within days, which needs a person at once. */
export type Severity = 'page' | 'ticket';

/** An open alert; plain JSON, kept over a restart. Times in Unix ms. */
export type OpenAlert = {
  readonly target: string;
  readonly indicator: Indicator;
  readonly location: string;
  readonly since: number;
  /** The highest so far. */
  readonly severity: Severity;
  readonly firing: readonly Firing[];
  /** When it was last reported, and how often it was reminded of. */
  readonly reported: number;
  readonly reminders: number;
  /** Rules that an alert of correctness has named. */
  readonly rules?: readonly string[];
  /** Messages of new damage in all, and since it was last reminded of. */
  readonly spreads?: number;
  readonly news?: number;
  /** Ms by which the clock was set since it began. */
  readonly moved?: number;
};

/** The message to a sink; instants in ISO 8601. Every field is made by us or a name from the configuration. */
export type AlertMessage = {
  /** The same for every copy, so that the receiver can drop a second one. */
  readonly id: string;
  readonly kind: Change | 'heartbeat' | 'test';
  readonly at: string;
  readonly location: string;
  readonly text: string;
  /** The address of the monitors' page. */
  readonly link?: string;
  readonly target?: string;
  /** Name of a key's account, of a notice about one. */
  readonly account?: string;
  /** The indicator whose budget burns; absent for a notice. */
  readonly indicator?: Indicator;
  readonly notice?: NoticeKind;
  readonly severity?: Severity;
  readonly since?: string;
  readonly objective?: number;
  /** The limit of latency or freshness, in ms. */
  readonly under?: number;
  /** The pairs of windows that fire, and what their long ones held when they began to. */
  readonly windows?: readonly { readonly pair: string; readonly bad: number; readonly slots: number }[];
  readonly incident?: string;
  /** The first bad request of the incident: an alert begins later, with the slots that fire it. */
  readonly began?: string;
  readonly failures?: readonly ProbeFailure[];
  /** Broken rules that the alert has not named before. */
  readonly rules?: readonly string[];
  /** For a heartbeat: the time until which each target was judged, and since when it is not. */
  readonly targets?: readonly {
    readonly target: string;
    readonly lastJudged?: string;
    readonly blindSince?: string;
  }[];
};

/** A pair of 6 times the pace or more uses a month's budget up in five days. */
const pagingFactor = 6;

/** Returns the severity of the firing pairs of windows. */
export function alertSeverity(firing: readonly Firing[], pairs: readonly Pair[]): Severity {
  const factor = (name: string): number => pairs.find((pair) => pair.name === name)?.factor ?? 0;
  return firing.some(({ pair }) => factor(pair) >= pagingFactor) ? 'page' : 'ticket';
}

/** Returns an id that is equal in every process that reports the same change of the same alert. */
function alertId(standing: OpenAlert, change: Change): string {
  const { target, indicator, location, since, reminders, spreads = 0 } = standing;
  const count = change === 'reminder' ? reminders : change === 'spread' ? spreads : 0;
  const parts = ['alert', target, indicator, location, since, change, count];
  return parts.map((part) => encodeURIComponent(part)).join('/');
}

type AlertFacts = {
  readonly objective?: Objective;
  readonly incident?: IncidentRecord;
  readonly damage?: readonly string[] | undefined;
};

/** An alert's change in words and facts; the objective is absent if it is not pursued any more. */
export function alertMessage(
  standing: OpenAlert,
  change: Change,
  now: number,
  { objective, incident, damage = [] }: AlertFacts,
): AlertMessage {
  const { target, indicator, location, since, severity, firing } = standing;
  return {
    id: alertId(standing, change),
    kind: change,
    at: new Date(now).toISOString(),
    location,
    text: formatAlert(standing, change, now, damage, incident),
    target,
    indicator,
    severity,
    since: new Date(since).toISOString(),
    ...(objective && { objective: objective.objective }),
    ...(objective?.under !== undefined && { under: objective.under }),
    windows: firing.map(({ pair, failures, samples }) => ({ pair, bad: failures, slots: samples })),
    ...(incident && {
      incident: incident.id,
      began: new Date(incidentStart(incident)).toISOString(),
      failures: incident.failures,
    }),
    ...(damage.length > 0 && { rules: damage }),
  };
}

function formatAlert(
  { target, indicator, location, since, severity, firing, moved = 0 }: OpenAlert,
  change: Change,
  now: number,
  damage: readonly string[],
  incident: IncidentRecord | undefined,
) {
  const where = `${indicator} of ${target} from ${location}`;
  const age = formatSpan(now - since - moved);
  const windows = firing
    .map((pair) => `${pair.failures} of ${pair.samples} slots in ${pair.pair}`)
    .join(', ');
  switch (change) {
    case 'fired':
      return `${severity}: ${where} burns its budget: bad ${windows}${formatCause(incident)}`;
    case 'worsened':
      return `${severity}: ${where} got worse after ${age}: bad ${windows}${formatCause(incident)}`;
    case 'spread':
      return `${severity}: ${where}, new damage after ${age}: it breaks ${damage.join(', ')} as well`;
    case 'reminder':
      return `${severity}: ${where} still burns its budget after ${age}: bad ${windows}${formatCause(incident)}`;
    case 'cleared':
      return `cleared: ${where} is well again after ${age}`;
    case 'withdrawn':
      return `withdrawn: ${where} is not watched any more; the alert had stood for ${age}`;
  }
}

/** `; timeout at tls, from 2026-11-20 23:50 UTC on`: the causes of an incident and its first bad request. */
function formatCause(incident: IncidentRecord | undefined): string {
  const causes = new Set(incident?.failures.slice(0, 3).map(formatFailure));
  if (!incident || causes.size === 0) return '';
  const began = new Date(incidentStart(incident)).toISOString().slice(0, 16).replace('T', ' ');
  return `; ${[...causes].join(', ')}, from ${began} UTC on`;
}

/** Returns the departure of the first request that was bad, Unix ms. */
function incidentStart({ begin, firstFailed = begin }: IncidentRecord): number {
  return firstFailed;
}

/** Returns the event that the store keeps of a message. */
export function messageEvent(
  { kind, target, text, at: _, ...detail }: AlertMessage,
  now: number,
): EventRecord {
  const words = detail.notice === undefined ? {} : { words: text };
  const where = target === undefined ? {} : { target };
  return { at: now, kind: `alert-${kind}`, ...where, detail: toJson({ ...detail, ...words }) };
}

/** In words, `ms` long. */
export function formatSpan(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}

/** Removes absent fields, so that the value equals what is read back from JSON. */
export function toJson(value: object): { readonly [name: string]: Json } {
  return JSON.parse(JSON.stringify(value));
}
