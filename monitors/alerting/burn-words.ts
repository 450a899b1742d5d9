import { formatFailure, type Indicator } from '../results/probe-record.ts';
import type { IncidentRecord, Json } from '../results/results-store.ts';
import { advise } from './advice.ts';
import type { FiringWindow } from './cause.ts';
import { formatMinute } from './coverage-conditions.ts';

/** A time without a good slot of the probes that were bad in it. */
export type AlertedOutage = {
  /** Unix ms at which the first failed request was sent. */
  readonly since: number;
  /** Number of bad slots. */
  readonly slots: number;
  /** Number of these that were bad at a second try, too. */
  readonly confirmed: number;
  /** Pools whose requests failed, by id, such as `12`. */
  readonly pools: readonly string[];
  /** True once another probe of the target was good while it lasted. */
  readonly isPartial?: boolean;
};

/** Number of probes that the first line names; `where` lists all. */
const mostNamed = 2;

/** Number of failures whose causes the first line names, so that the start of the outage is not pushed out of a notification. */
const mostCauses = 3;

type OutageFacts = {
  readonly indicator: Indicator;
  /** The pairs of windows that fire, each named by its long one, such as `1h`. */
  readonly windows: readonly FiringWindow[];
  /** Broken rules of wrong answers. */
  readonly rules: readonly string[];
  readonly isOver: boolean;
  readonly outage?: AlertedOutage;
  readonly incident?: IncidentRecord;
};

/** The end of an outage in a message, such as `availability of mainnet: up again after 12 min`. */
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
export function formatOutage({ indicator, windows, rules, isOver, outage, incident }: OutageFacts): string {
  const { failures = [], broken: badProbes, evidence } = incident ?? {};
  const causes = [...new Set(failures.slice(0, mostCauses).map(formatFailure))].join(', ');
  const since = outage ? ` since ${formatMinute(outage.since)}` : '';
  const places = [...(badProbes ?? []), ...(outage?.pools ?? []).map((pool) => `pool ${pool}`)];
  const counted = windows
    .filter(({ slots }) => slots > 0)
    .map(({ pair, bad, slots }) => `${bad} of ${slots} slots in ${pair}`);
  const isPartial = indicator === 'availability' && !isOver && outage?.isPartial;
  const alone = isPartial && badProbes ? ` at ${badProbes.slice(0, mostNamed).join(' and ')} alone` : '';
  const exchange = formatExchange(evidence);
  const found = readFound(evidence, failures[0]?.class);
  const cause = indicator === 'correctness' ? readCause(evidence) : undefined;
  // The failures in the first line name a single rule already; a cause that explains the findings names none.
  const rulesNamed = cause === undefined ? 1 : 0;
  return [
    `${cause ?? (causes || badWords[indicator])}${alone}${since}, ${isOver ? 'and over now' : 'and it lasts'}`,
    ...(found.pattern === undefined ? [] : [`pattern: ${found.pattern}`]),
    ...(rules.length > rulesNamed ? [`rules: ${rules.join(', ')}`] : []),
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

/** Formats the request of an incident's evidence, whose key is redacted already, and its answer. */
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
