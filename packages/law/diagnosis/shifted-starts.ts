import { day, intervalName } from '@candleproof/document/spec/interval';
import type { Candle } from '../reading/candle.ts';
import { agreeingShare } from '../reading/tolerances.ts';
import type { Evidence } from '../relations/evidence.ts';
import { sliceTiles } from '../relations/families.ts';
import { firstIndexFrom, type Timeline } from '../relations/timeline.ts';
import type { Breach } from '../rules/breach.ts';
import type { Candidate } from './explanation.ts';
import { minFittingShare } from './find-transformation.ts';
import type { Broken } from './following.ts';
import { describeOccasion, type PlacedCandle } from './occasions.ts';
import { addPlace } from './words.ts';

/** Longer candles and their parts, and by how much the parts have to move until they make the longer ones up. */
type Offset = {
  readonly whole: number;
  readonly part: number;
  readonly seconds: number;
  readonly occasion: string;
};

/** Fewer longer candles show no offset. */
const fewestWholes = 2;

/** Longer candles of a pool that are tried, the newest ones, and the most parts of one. */
const mostWholes = 200;
const mostParts = 300;

/** Rules of roll-ups that a shift breaks at once. */
const fewestRules = 3;

/** After rows of a wrong length, before open candles of two kinds and rows that are missing, which follow from a shift. */
export const shiftRank = 8.5;

/** Explains roll-ups that differ in all fields by intervals whose candles are stamped early or late. */
export function explainShifts(found: readonly Broken[], evidence: Evidence): Candidate[] {
  const rollups = new Set(found.flatMap(({ rule }) => (rule.startsWith('rollup/') ? [rule] : [])));
  const shift = rollups.size < fewestRules ? undefined : findShift(evidence);
  if (!shift) return [];
  const { length, seconds, occasion } = shift;
  const name = length === undefined ? undefined : intervalName(evidence.spec.intervals, length);
  const by = length === undefined ? 'their own length' : wordSpan(Math.abs(seconds));
  const findings = found.filter(({ breaches }) => breaches.every((breach) => isOfLength(breach, length)));
  const names = findings.map(({ fingerprint }) => fingerprint);
  return [
    {
      sentence: addPlace(
        `${name === undefined ? 'Candles' : `${name} candles`} are stamped ${by} too ${seconds > 0 ? 'late' : 'early'}`,
        occasion,
      ),
      ...(name !== undefined && { interval: name }),
      transformation: { kind: 'shifted', seconds },
      ...{ fields: [], where: occasion, findings: names, own: names, rank: shiftRank },
    },
  ];
}

/** `30 minutes`, `1 hour`, `2 days`. */
function wordSpan(seconds: number): string {
  const [unit, name] =
    seconds % day === 0 ? [day, 'day'] : seconds % 3600 === 0 ? [3600, 'hour'] : [60, 'minute'];
  return `${seconds / unit} ${name}${seconds === unit ? '' : 's'}`;
}

function isOfLength({ answer: { requested }, candles = [] }: Breach, length: number | undefined): boolean {
  if (requested?.length === undefined) return false;
  return (
    length === undefined ||
    requested.length === length ||
    candles.some(({ reading }) => reading.length === length)
  );
}

/** Finds the one interval that is stamped early or late, or all of them by their own length; undefined if none is. */
function findShift(
  evidence: Evidence,
): { readonly length?: number; readonly seconds: number; readonly occasion: string } | undefined {
  const lines = evidence.timelines().filter(({ inverted }) => !inverted);
  const lengths = [...new Set(lines.map(({ length }) => length))].sort((a, b) => a - b);
  const offsets = lengths.flatMap((whole) =>
    lengths.flatMap((part) => (isPart(part, whole) ? (findOffset(whole, part, lines) ?? []) : [])),
  );
  const [moved] = offsets.filter(({ seconds }) => seconds !== 0);
  if (!moved) return undefined;
  const { occasion } = moved;
  const step = moved.seconds / (moved.part - moved.whole);
  // One pair of intervals shows both a shift by their own length and a longer one of either.
  if (Math.abs(step) === 1 && offsets.every((one) => isBy(one, (each) => step * each)))
    return { seconds: step, occasion };
  for (const length of [moved.part, moved.whole]) {
    const seconds = moved.whole === length ? -moved.seconds : moved.seconds;
    if (offsets.every((one) => isBy(one, (each) => (each === length ? seconds : 0))))
      return { length, seconds, occasion };
  }
  return undefined;
}

function isPart(part: number, whole: number): boolean {
  return part < whole && whole % part === 0 && whole / part <= mostParts;
}

function isBy({ whole, part, seconds }: Offset, shift: (length: number) => number): boolean {
  return seconds === shift(part) - shift(whole);
}

type Tried = PlacedCandle & { readonly agrees: boolean };

/** Finds the offset at which most longer candles that differ from their parts are made up of others. */
function findOffset(whole: number, part: number, lines: readonly Timeline[]): Offset | undefined {
  const pairs = lines.flatMap((line) =>
    line.length === whole
      ? lines
          .filter(({ pool, length }) => pool === line.pool && length === part)
          .map((parts) => ({ line, parts }))
      : [],
  );
  const read = (seconds: number): Tried[] =>
    pairs.flatMap(({ line, parts }) =>
      line.candles.slice(-mostWholes).flatMap((candle) => {
        const agrees = isMadeUp(candle, seconds, line, parts);
        return agrees === undefined ? [] : [{ pool: line.pool, candle, agrees }];
      }),
    );
  const asTheyAre = read(0);
  const sound = asTheyAre.filter(({ agrees }) => agrees);
  const isSound = new Set(sound.map(({ candle }) => candle));
  if (sound.length >= minFittingShare * asTheyAre.length && sound.length > 0)
    return { whole, part, seconds: 0, occasion: '' };
  for (const seconds of listOffsets(whole, part)) {
    const tried = read(seconds).filter(({ candle }) => !isSound.has(candle));
    const wrong = tried.filter(({ agrees }) => agrees);
    if (wrong.length < fewestWholes || wrong.length < minFittingShare * tried.length) continue;
    const occasion = describeOccasion({ wrong, sound });
    if (occasion !== undefined) return { whole, part, seconds, occasion };
  }
  return undefined;
}

/** Lists the offsets that are tried: parts and half parts, up to a day's hours, and the difference of both lengths. */
function listOffsets(whole: number, part: number): number[] {
  const most = Math.min(whole / part, 24);
  const steps = Array.from({ length: 2 * most }, (_, at) => ((at + 1) * part) / 2).filter(Number.isInteger);
  return [...steps, whole - part].flatMap((step) => [step, -step]);
}

/** Returns whether a longer candle opens, closes and moves as the parts at an offset do; undefined if they are not all there. */
function isMadeUp(candle: Candle, seconds: number, line: Timeline, parts: Timeline): boolean | undefined {
  const start = candle.start + seconds;
  const at = firstIndexFrom(parts.candles, start);
  const tiles = sliceTiles(parts.candles, at, start, parts.length, line.length / parts.length);
  const [first, last] = [tiles[0], tiles.at(-1)];
  if (!first || !last) return undefined;
  if (!isNear(candle.open, first.open) || !isNear(candle.close, last.close)) return false;
  return isNear(candle.high, Math.max(...tiles.map((tile) => tile.high)));
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= agreeingShare * Math.abs(other);
}
