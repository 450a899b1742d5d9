import { day } from '@candleproof/document/spec/interval';
import { oncePer } from '../reading/once.ts';
import type { Answer } from '../reading/reading.ts';
import { maxBy, minBy } from '../reading/statistics.ts';
import { capitalize, joinNames, thousands, wordBeginning } from '../reading/words.ts';
import type { Evidence } from '../relations/evidence.ts';
import { type ExpectedStarts, maxIntervals } from '../relations/timeline.ts';
import type { Breach } from '../rules/breach.ts';
import { nameInterval } from './words.ts';

/** An interval in the range of an answer that lacks rows. */
type Slot = { readonly answer: Answer; readonly start: number; readonly isMissing: boolean };

/** Fewer missing rows show no pattern. */
const fewestMissing = 2;

/** Rows of an answer that a limit leaves are a round number, or the same in some answers. */
const fewestKept = 20;
const fewestAlike = 3;

/**
 * Words what sets missing rows of histories apart from all rows that came: a limit of rows, the time of day or the weekday at
 * which they begin, the interval and the direction; undefined if nothing does.
 */
export function wordMissing(breaches: readonly Breach[], evidence: Evidence): string | undefined {
  const lacking = breaches.filter(({ picture }) => (picture?.missing?.length ?? 0) > 0);
  const answers = [...new Set(lacking.map(({ answer }) => answer))];
  const limit = wordLimit(answers, lacking);
  if (limit !== undefined) return limit;
  const grids = lacking.flatMap(readGrid);
  // An answer with a row of another age has no grid to walk.
  if (grids.some(({ first, last, length }) => last - first > maxIntervals * length)) return undefined;
  const slots = grids.flatMap(listSlots);
  const missing = slots.filter(({ isMissing }) => isMissing);
  if (missing.length < fewestMissing) return undefined;
  const when =
    wordShared(slots, ({ start, answer }) =>
      (answer.requested?.length ?? day) < day ? wordBeginning(start).time.replace('each ', '') : '',
    ) ??
    wordShared(slots, ({ start, answer }) =>
      (answer.requested?.length ?? 0) <= day ? wordBeginning(start).weekday.replace('each ', '') : '',
    );
  return when && `${namePart(answers, evidence)} ${when} are missing`;
}

/** Words the number of rows after which answers end, or before which they begin. */
function wordLimit(answers: readonly Answer[], lacking: readonly Breach[]): string | undefined {
  const counts = new Set(answers.map(({ candles }) => candles.length));
  const [kept = 0, ...others] = counts;
  const isLate = lacking.some(({ kind }) => kind === 'at the end');
  const isLimit =
    others.length === 0 && kept >= fewestKept && (answers.length >= fewestAlike || isRound(kept));
  if (!isLimit || isLate) return undefined;
  const areMissing = (isBeyond: (start: number, answer: Answer) => boolean): boolean =>
    lacking.every(({ answer, picture }) => picture?.missing?.every(({ start }) => isBeyond(start, answer)));
  const last = oncePer(({ candles }: Answer) => maxBy(candles, ({ start }) => start));
  if (areMissing((start, answer) => start > last(answer)))
    return `Histories end after ${thousands(kept)} rows`;
  const first = oncePer(({ candles }: Answer) => minBy(candles, ({ start }) => start));
  return areMissing((start, answer) => start < first(answer))
    ? `Histories hold the last ${thousands(kept)} rows of their range alone`
    : undefined;
}

function isRound(rows: number): boolean {
  return rows % 50 === 0 || Number.isInteger(Math.log2(rows));
}

/** Returns the first and the last interval of an answer that came or are missing. */
function readGrid({ answer, picture }: Breach): (ExpectedStarts & { readonly answer: Answer })[] {
  const length = answer.requested?.length;
  if (!length) return [];
  const all = [...answer.candles, ...(picture?.missing ?? [])];
  const [first, last] = [minBy(all, ({ start }) => start), maxBy(all, ({ start }) => start)];
  return [{ answer, first, last, length }];
}

/** Lists the intervals of a grid. */
function listSlots({ answer, first, last, length }: ReturnType<typeof readGrid>[number]): Slot[] {
  const present = new Set(answer.candles.map(({ start }) => start));
  const slots: Slot[] = [];
  for (let start = first; start <= last; start += length)
    slots.push({ answer, start, isMissing: !present.has(start) });
  return slots;
}

/** Returns the words that all missing slots have, and no other one. */
function wordShared(slots: readonly Slot[], word: (slot: Slot) => string): string | undefined {
  const missing = slots.filter(({ isMissing }) => isMissing);
  const words = missing[0] && word(missing[0]);
  if (!words || !missing.every((slot) => word(slot) === words)) return undefined;
  return slots.some((slot) => !slot.isMissing && word(slot) === words) ? undefined : words;
}

/** Names the intervals and the direction of candles: `Inverted candles`; `Candles` if rows of all histories are missing. */
function namePart(answers: readonly Answer[], { histories, spec }: Evidence): string {
  const name = ({ requested }: Answer): string =>
    requested?.length === undefined ? '' : nameInterval(spec, requested.length);
  const isInverted = ({ requested }: Answer): boolean => requested?.inverted === true;
  const all = new Set(histories.map(name));
  const lacking = [...new Set(answers.map(name))];
  const side =
    answers.every(isInverted) &&
    histories.some((answer) => lacking.includes(name(answer)) && !isInverted(answer));
  const names = lacking.length === all.size ? '' : `${joinNames(lacking)} `;
  return capitalize(`${side ? 'inverted ' : ''}${names}candles`);
}
