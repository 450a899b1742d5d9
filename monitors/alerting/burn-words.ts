import { formatFailure, type Indicator } from '../results/probe-record.ts';
import type { IncidentRecord, Json } from '../results/results-store.ts';
import { advise } from './advice.ts';
import type { FiringWindow } from './cause.ts';
import { formatMinute } from './coverage-conditions.ts';

/** A time without a good slot of the bad probes; `since` in Unix ms, the pools that failed as text. */
export type AlertedOutage = {
  readonly since: number;
  readonly slots: number;
  readonly confirmed: number;
  readonly pools: readonly string[];
  /** True once another probe of the target was good while it lasted. */
  readonly isPartial?: boolean;
};

/** Probes that the first line names. */
const mostNamed = 2;

type OutageFacts = {
  readonly indicator: Indicator;
  readonly windows: readonly FiringWindow[];
  readonly rules: readonly string[];
  readonly isOver: boolean;
  /** True if other probes of the target are good. */
  readonly isPartial?: boolean;
  readonly outage?: AlertedOutage;
  readonly incident?: IncidentRecord;
};

export const upAgain: Readonly<Record<Indicator, string>> = {
  availability: 'up again',
  latency: 'fast again',
  freshness: 'fresh again',
  correctness: 'correct again',
};

const badWords: Readonly<Record<Indicator, string>> = {
  availability: 'down',
  latency: 'slow answers',
  freshness: 'old candles',
  correctness: 'wrong answers',
};

/**
 * Describes an outage to somebody who was woken by it, a line each: cause, start and whether it lasts; what the wrong
 * answers share; place; budget; the first bad exchange; how certain it is; what to do.
 */
export function formatOutage({
  indicator,
  windows,
  rules,
  isOver,
  isPartial,
  outage,
  incident,
}: OutageFacts): string {
  const failures = incident?.failures ?? [];
  const causes = [...new Set(failures.slice(0, 3).map(formatFailure))].join(', ');
  const since = outage ? ` since ${formatMinute(outage.since)}` : '';
  const places = [...(incident?.broken ?? []), ...(outage?.pools ?? []).map((pool) => `pool ${pool}`)];
  const counted = windows
    .filter(({ slots }) => slots > 0)
    .map(({ pair, bad, slots }) => `${bad} of ${slots} slots in ${pair}`);
  const alone =
    isPartial && incident?.broken ? ` at ${incident.broken.slice(0, mostNamed).join(' and ')} alone` : '';
  const exchange = formatExchange(incident?.evidence);
  const found = readFound(incident?.evidence, failures[0]?.class);
  const cause = indicator === 'correctness' ? readCause(incident?.evidence) : undefined;
  return [
    `${cause ?? (causes || badWords[indicator])}${alone}${since}, ${isOver ? 'and over now' : 'and it lasts'}`,
    ...(found.pattern === undefined ? [] : [`pattern: ${found.pattern}`]),
    ...(rules.length > (cause === undefined ? 1 : 0) ? [`rules: ${rules.join(', ')}`] : []),
    ...(places.length > 0 ? [`where: ${places.join(', ')}`] : []),
    ...(counted.length > 0 ? [`budget: bad ${counted.join(', ')}`] : []),
    ...(exchange === undefined ? [] : [`first bad exchange: ${exchange}`]),
    ...(found.address === undefined ? [] : [`candle: ${found.address}`]),
    ...(outage ? [formatCertainty(outage)] : []),
    `do: ${advise(indicator, failures[0])}`,
  ].join('\n');
}

function formatCertainty({ slots, confirmed }: AlertedOutage): string {
  const seen = `certainty: ${slots} bad slot${slots === 1 ? '' : 's'} without a good one of the same probe`;
  return `${seen}, ${confirmed} of them tried a second time`;
}

/** From the evidence of an incident, whose key is redacted already. */
function formatExchange(evidence: Json | undefined): string | undefined {
  if (evidence === null || typeof evidence !== 'object' || !('url' in evidence)) return undefined;
  const { method = 'GET', url, status, totalMs } = evidence;
  const answer = typeof status === 'number' ? `status ${status}` : 'no answer';
  return `${method} ${url}, ${answer}${typeof totalMs === 'number' ? `, after ${Math.round(totalMs)} ms` : ''}`;
}

/** Reads what explains the findings of a conformance run, as its report says it. */
function readCause(evidence: Json | undefined): string | undefined {
  if (evidence === null || typeof evidence !== 'object' || !('cause' in evidence)) return undefined;
  return typeof evidence.cause === 'string' ? evidence.cause : undefined;
}

/** Reads from the evidence of an incident what wrong answers of a rule share, and the address of the first wrong candle. */
function readFound(
  evidence: Json | undefined,
  rule: string | undefined,
): { readonly pattern?: string; readonly address?: string } {
  if (evidence === null || typeof evidence !== 'object' || !('found' in evidence)) return {};
  const found = Array.isArray(evidence.found) ? (evidence.found as readonly Json[]) : [];
  const [one] = found.filter(
    (entry) => entry !== null && typeof entry === 'object' && 'rule' in entry && entry.rule === rule,
  );
  const { pattern, address } = (one ?? {}) as { readonly pattern?: Json; readonly address?: Json };
  return {
    ...(typeof pattern === 'string' && { pattern }),
    ...(typeof address === 'string' && { address }),
  };
}
