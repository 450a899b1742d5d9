import { hour, stamp } from '@candleproof/document/spec/interval';
import { requireOperation } from '@candleproof/document/spec/operation';
import { rungSeconds } from '@candleproof/document/spec/roles';
import type { Candle } from '@candleproof/law/reading/candle';
import { mayLackRows } from '@candleproof/law/relations/conventions';
import type { Evidence } from '@candleproof/law/relations/evidence';
import { firstIndexFrom, missingStarts, startsWithin } from '@candleproof/law/relations/timeline';
import { completeRule } from '@candleproof/law/rules/facts';
import { holds } from '@candleproof/law/rules/history/torn-parents';
import type { DamageKind, Mark } from './damage.ts';
import { type AuditPart, type AuditRange, auditedIntervals } from './part.ts';
import type { Undivided } from './undivided.ts';
import { isHistory } from './undivided.ts';

type Past = {
  /** Name of the pool, as in timelines. */
  readonly name: string;
  readonly evidence: Evidence;
  readonly range: AuditRange;
  readonly now: number;
  readonly lines: Lines;
  /** An instant at which the pool was already observed. */
  readonly alive: number | undefined;
  /** Intervals that nobody observed are declared to have no row. */
  readonly isIdle: boolean;
};

type Lines = ReadonlyMap<AuditPart['interval'], readonly Candle[]>;
type Missing = ReadonlyMap<AuditPart['interval'], ReadonlySet<number>>;

/** A part and the candle starts that no answer contains; undefined if those starts cannot be known. */
type Absent = { readonly one: Undivided; readonly starts: readonly number[] | undefined };

/** Finds intervals without a row during the pool's life: missing if they were requested, else unread. */
export function findGaps(
  undivided: readonly Undivided[],
  evidence: Evidence,
  range: AuditRange,
  now: number,
): Mark[] {
  const pools = Map.groupBy(undivided, ({ part }) => part.pool);
  return [...pools].flatMap(([pool, undivided]) => {
    const name = `${requireOperation(evidence.spec, 'history').id} ${pool}`;
    const alive = evidence.conventions.alive.get(name);
    const isIdle = undivided.some(
      ({ answer }) => answer && isHistory(answer) && mayLackRows(answer, evidence),
    );
    const past: Past = { name, evidence, range, now, alive, isIdle, lines: collectLines(evidence, name) };
    const absent = undivided.map((one): Absent => ({ one, starts: listAbsent(one, past) }));
    const missing = collectMissing(absent);
    return absent.flatMap(({ one, starts }) => {
      if (one.state !== 'whole') return listUnread({ one, starts }, past);
      const lost =
        starts?.flatMap((start) => makeGap(one.part, start, past, missing)) ?? listRowless(one, past);
      return [...lost, ...listUnfinished(one, past)];
    });
  });
}

function collectLines({ timelines, spec }: Evidence, name: string): Lines {
  const poolTimelines = timelines().filter(({ pool, inverted }) => pool === name && !inverted);
  return new Map(
    auditedIntervals.map((interval) => {
      const line = poolTimelines.find(({ length }) => length === rungSeconds(spec.rungs, interval));
      return [interval, line?.candles ?? []];
    }),
  );
}

function collectMissing(absent: readonly Absent[]): Missing {
  return new Map(
    auditedIntervals.map((interval) => {
      const whole = absent.filter(({ one }) => one.part.interval === interval && one.state === 'whole');
      return [interval, new Set(whole.flatMap(({ starts }) => starts ?? []))];
    }),
  );
}

function listAbsent(
  { part, answer }: Undivided,
  { evidence, range, now, lines, alive }: Past,
): number[] | undefined {
  const length = rungSeconds(evidence.spec.rungs, part.interval);
  const phase = evidence.conventions.phase.get(length);
  if (phase === undefined || alive === undefined) return undefined;
  const clock = (answer && isHistory(answer) && answer.serverNow) || now;
  const wanted = startsWithin(part, { length, phase, alive, now: clock });
  if (!wanted) return [];
  const starts = missingStarts(lines.get(part.interval) ?? [], wanted);
  return starts.filter((start) => start < range.to && start + length > range.from);
}

/** Returns the mark of a missing row; none where it may be missing, and no other candle contradicts that. */
function makeGap({ pool, interval }: AuditPart, start: number, past: Past, missing: Missing): Mark[] {
  const kind = classifyGap(interval, start, past, missing);
  if (kind === undefined) return [];
  const detail =
    kind === 'outage'
      ? 'no row, and candles of other lengths know of nothing there either'
      : 'no row, though the pool had been observed before';
  const to = start + rungSeconds(past.evidence.spec.rungs, interval);
  return [{ pool, interval, from: start, to, kind, rule: completeRule, detail }];
}

/** Classifies a gap: lost if candles of other lengths cover it, never observed if they lack it too. */
function classifyGap(
  interval: AuditPart['interval'],
  start: number,
  past: Past,
  missing: Missing,
): DamageKind | undefined {
  const { name, evidence, lines, isIdle } = past;
  const { rungs } = evidence.spec;
  const partLength = rungSeconds(rungs, interval);
  const end = start + partLength;
  const candles = lines.get(interval) ?? [];
  let isLacking = false;
  for (const other of auditedIntervals
    .filter((auditedInterval) => auditedInterval !== interval)
    .toReversed()) {
    const size = rungSeconds(rungs, other);
    const reported = findOverlapping(lines.get(other) ?? [], size, start, end);
    if (reported && size < partLength) return 'gap';
    if (reported) {
      const left = sliceCandles(candles, reported.start, reported.start + size);
      const held = holds({ parent: reported, length: size, partLength, left }, name, evidence, isIdle);
      if (isIdle) return held === 'more' ? 'gap' : undefined;
      return held === 'more' || held === 'open' ? 'gap' : 'outage';
    }
    if (isIdle) continue;
    for (const lost of missing.get(other) ?? []) isLacking ||= lost < end && lost + size > start;
  }
  if (isIdle) return undefined;
  return isLacking ? 'outage' : 'gap';
}

/** Returns the first candle of length `size` that overlaps a span. */
function findOverlapping(
  candles: readonly Candle[],
  size: number,
  start: number,
  end: number,
): Candle | undefined {
  const candle = candles[firstIndexFrom(candles, start - size + 1)];
  return candle && candle.start < end ? candle : undefined;
}

function sliceCandles(candles: readonly Candle[], start: number, end: number): readonly Candle[] {
  return candles.slice(firstIndexFrom(candles, start), firstIndexFrom(candles, end));
}

/** Lists answers without rows: rows were lost if the pool was observed then; otherwise it is unknown. */
function listRowless({ part, answer }: Undivided, { range, now, alive, evidence }: Past): Mark[] {
  if (!answer || !isHistory(answer) || answer.candles.length > 0) return [];
  const { pool, interval } = part;
  const from = Math.max(part.from, range.from, alive ?? 0);
  const to = Math.min(part.to, range.to, now);
  const mark = { pool, interval, from, to };
  // Wherever intervals begin, one of them lies whole within two lengths.
  if (to - from < 2 * rungSeconds(evidence.spec.rungs, interval)) return [];
  if (alive === undefined)
    return [{ ...mark, kind: 'unread', detail: 'no row of any length: whether the pool lived is not known' }];
  const detail = 'no row at all, though another length has rows there';
  return [{ ...mark, kind: 'gap', rule: completeRule, detail }];
}

/** Lists the time after a Date header that is behind: it is unknown which of its rows are final. */
function listUnfinished({ part, answer }: Undivided, { range, now }: Past): Mark[] {
  if (!answer || !isHistory(answer) || answer.serverNow === undefined) return [];
  const { pool, interval } = part;
  const from = Math.max(part.from, range.from, answer.serverNow);
  const to = Math.min(part.to, range.to, now);
  if (!(to - from >= hour)) return [];
  const detail = `its Date header is behind: ${stamp(answer.serverNow)}`;
  return [{ pool, interval, from, to, kind: 'unread', detail }];
}

const reasons: Readonly<Record<Undivided['state'], string>> = {
  whole: '',
  cut: 'the answers are cut off, and lead no further',
  refused: 'refused or never answered',
  unreadable: 'the answer has no Date header: which of its rows are final is not known',
  strange: 'no answer to be read',
  unrequested: 'not requested: the budget was spent, or the sweep had to end',
};

/** Lists what was not reported during the known life of the pool. */
function listUnread({ one, starts }: Absent, { range, now, alive = 0, evidence }: Past): Mark[] {
  const { part, state, answer } = one;
  const { pool, interval } = part;
  // Unreadable rows break a rule, and its breach gives their range.
  if (state === 'unreadable' && answer?.serverNow !== undefined) return [];
  const status = state !== 'cut' && answer?.status !== undefined ? ` (${answer.status})` : '';
  const mark = { pool, interval, kind: 'unread' as const, detail: `${reasons[state]}${status}` };
  const length = rungSeconds(evidence.spec.rungs, interval);
  if (starts) return starts.map((from) => ({ ...mark, from, to: from + length }));
  const from = Math.max(part.from, range.from, alive);
  const to = Math.min(part.to, range.to, now);
  return from < to ? [{ ...mark, from, to }] : [];
}
