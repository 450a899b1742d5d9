import { day, hour, intervalPhase, minute } from '@candleproof/document/spec/interval';
import type { Requested } from '@candleproof/law/reading/requested';
import { lateSeconds } from '@candleproof/law/reading/tolerances';
import type { Times } from './times.ts';
import { type CalendarMark, isSummer, listMarks } from './times.ts';

type Range = { readonly from: number; readonly to: number };

/** Rows at which services begin another page, refuse or cut off; the last one is a week of five minutes. */
const widths = [1, 2, 12, 100, 250, 500, 1000, 2016];

const ages = [10, 30, 90, 365];

/** The kinds that a request is of, each in a word or two. */
export type Traits = {
  /** Interval, side and pool. */
  readonly series: readonly string[];
  /** Width and both ends of the range. */
  readonly form: readonly string[];
  readonly place: readonly string[];
};

/** Returns the kinds of request that services may treat apart, as far as this one is of them. */
export function listTraits(requested: Requested, times: Times): Traits {
  const { role, interval, pool, length = hour, from, to } = requested;
  if (role === 'tokens') return { series: [role], form: [], place: [] };
  const series = [`${role} ${interval}`, nameSide(requested), `pool ${pool}`];
  if (from === undefined || to === undefined) return { series, form: [], place: [] };
  const birth = times.births.get(pool ?? '') ?? Number.NEGATIVE_INFINITY;
  if (to < birth) return { series: [], form: [], place: [`${series[0]} before birth`] };
  const phase = length > day ? times.phase : 0;
  return {
    series,
    form: [
      `width ${classifyWidth({ from: Math.max(from, birth), to: Math.min(to, times.now) }, length)}`,
      `from ${nameEdge(from - phase, length)}`,
      `to ${nameEdge(to - phase, length)}`,
    ],
    place: [
      ...listTouchedMarks({ from, to }, birth, length),
      ...seasons({ from, to }),
      `age ${ages.findIndex((age) => from > times.now - age * day)}`,
      ...(to > times.now - lateSeconds ? ['reaches the present'] : []),
    ],
  };
}

function nameSide({ inverted }: Requested): string {
  return inverted === undefined ? 'inverted left out' : `inverted ${inverted}`;
}

function classifyWidth({ from, to }: Range, length: number): string {
  if (to <= from) return 'none';
  const rows = (to - from) / length;
  return String(widths.findLast((width) => width <= rows) ?? 0);
}

function nameEdge(instant: number, length: number): string {
  const late = intervalPhase(instant, length);
  if (late === 0) return 'on a boundary';
  if (late === 1) return 'a second after';
  if (late === length - 1) return 'a second before';
  if (late % (5 * minute) === 0) return 'at five minutes';
  return late % minute === 0 ? 'at a minute' : 'between minutes';
}

/** Marks that lie whole in the range, and those that its ends meet. A pool's birth is one. */
function listTouchedMarks(range: Range, birth: number, length: number): string[] {
  const born = Number.isFinite(birth) ? [{ kind: 'birth', from: birth, to: birth + 7 * day }] : [];
  const marks: { kind: CalendarMark['kind'] | 'birth'; from: number; to: number }[] = [
    ...listMarks({ from: range.from - length, to: range.to + length }),
    ...(born as { kind: 'birth'; from: number; to: number }[]),
  ];
  return marks.flatMap(({ kind, from, to }) => [
    ...(range.from < from && to < range.to ? [`across ${kind}`] : []),
    ...(range.from === from ? [`from ${kind}`] : []),
    ...(range.to === from ? [`to ${kind}`] : []),
  ]);
}

function seasons({ from, to }: Range): string[] {
  const [first, last] = [isSummer(from), isSummer(to)];
  return first === last ? [first ? 'in summer' : 'in winter'] : [];
}

export type Relations = { readonly alone: readonly string[]; readonly inPlace: readonly string[] };

/**
 * Returns what two requests of one pool show together: one interval over one range, plain and inverted or once more, or an
 * interval and its parts; alone, and with the pool or with what of the calendar lies in both.
 */
export function listRelations(one: Requested, other: Requested, times: Times): Relations {
  const { role, interval, pool, length = hour, from = 0, to = 0 } = one;
  const birth = times.births.get(pool ?? '') ?? Number.NEGATIVE_INFINITY;
  const isTurned = (one.inverted ?? false) !== (other.inverted ?? false);
  if (interval === other.interval) {
    const isSame = from === (other.from ?? 0) && to === (other.to ?? 0);
    const hasRows = role !== 'history' || to - Math.max(from, birth) > 2 * length;
    if (!isSame || !hasRows) return none;
    if (!isTurned)
      return { alone: [`${role} ${[nameSide(one), nameSide(other)].sort().join(' and ')}`], inPlace: [] };
    const sides = `${role} ${interval} on both sides`;
    return { alone: [sides], inPlace: [`${sides} of ${pool}`] };
  }
  const shared = { from: Math.max(from, other.from ?? 0), to: Math.min(to, other.to ?? 0) };
  const longer = Math.max(length, other.length ?? hour);
  if (role === 'latest' && !isTurned)
    return { alone: [`latest ${[interval, other.interval].sort().join(' and ')}`], inPlace: [] };
  if (role !== 'history' || isTurned || shared.to - shared.from < 2 * longer) return none;
  const intervals = [interval, other.interval].sort().join(' and ');
  const marks = listTouchedMarks(shared, birth, longer).map((mark) => `${intervals} ${mark}`);
  return { alone: [intervals], inPlace: [`${intervals} of ${pool}, ${nameSide(one)}`, ...marks] };
}

const none: Relations = { alone: [], inPlace: [] };
