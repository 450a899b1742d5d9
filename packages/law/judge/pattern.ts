import { day } from '@candleproof/document/spec/interval';
import type { OperationId, Spec } from '@candleproof/document/spec/spec';
import type { Candle } from '../reading/candle.ts';
import { isRecord } from '../reading/read-candles.ts';
import type { Answer } from '../reading/reading.ts';
import { asksTheSame } from '../relations/series.ts';
import type { Breach } from '../rules/breach.ts';
import { ruleFacts } from '../rules/facts.ts';
import type { Rule } from '../rules/rule.ts';
import type { AppliedRule } from './apply-rule.ts';
import { findRows } from './extent.ts';
import {
  listAnswerFacts,
  listMannerFacts,
  listRecordFacts,
  listRowFacts,
  type UnitFacts,
} from './unit-facts.ts';

/** Judged answers or rows, and those of them that a finding concerns. */
type Units<Unit> = { readonly all: readonly Unit[]; readonly broken: ReadonlySet<Unit> };

/** Words for what broken units share, and the probability that so many drawn at random would share it. */
type Shared = {
  readonly words: string;
  readonly chance: number;
  readonly has: (facts: UnitFacts) => boolean;
};

/** The last second that a Date can hold. */
const latestSecond = 8.64e12;

/** Facts that broken units would share by chance less often than this; there are some ten to choose from. */
const rareChance = 0.02;

/** Fewest different times that have a pattern. */
const fewestTimes = 3;

/** The least part of the rows that lies beyond a period. */
const leastOutside = 0.1;

/** Answers or rows beyond which no pattern is sought: their facts would fill the memory. */
const mostUnits = 50_000;

/**
 * Words what the answers and rows of a finding have in common, and sound ones that its rule judged have not, such as
 * `only inverted` or `each at 12:00 UTC`; undefined if chance explains it.
 */
export function describeShared(
  { rule, judged }: Pick<AppliedRule, 'rule' | 'judged'>,
  breaches: readonly Breach[],
  { spec, operation }: { readonly spec: Spec; readonly operation?: OperationId },
): string | undefined {
  const all = [...judged].filter(
    ({ requested }) => operation === undefined || requested?.operation === operation,
  );
  const broken = new Set(breaches.map(({ answer }) => answer));
  const isolated = findIsolated(rule, { all, broken }, spec);
  const ofAnswers = isolated
    ? [isolated]
    : (findCycle({ all, broken }) ?? findShared({ all, broken }, (answer) => listAnswerFacts(answer, spec)));
  const rows = gatherRows(rule, breaches);
  const named = new Set(breaches.map(({ pointer }) => pointer.slice(pointer.lastIndexOf('/') + 1)));
  const ofRows = findShared(rows, (candle) => listRowFacts(candle, named));
  const words = [...ofAnswers, ...(ofRows.length > 0 ? ofRows : findPeriod(rows))];
  const ofRecords =
    rows.all.length > 0
      ? []
      : findShared(gatherRecords(rule, breaches), (record) => listRecordFacts(record, named));
  return words.length + ofRecords.length === 0 ? undefined : [...words, ...ofRecords].join(', ');
}

/**
 * Gathers the rows of broken answers; none if the rule may have judged only some of them, or its breaches represent rows
 * whose places are not known. A finding of missing rows words their pattern itself.
 */
function gatherRows(rule: Rule, breaches: readonly Breach[]): Units<Candle> {
  const none = { all: [], broken: new Set<Candle>() };
  if (!ruleFacts(rule)?.readsOneAnswer || breaches.some(({ times = 1 }) => times > 1)) return none;
  const places = findRows(breaches);
  const isDated = ({ start }: Candle): boolean => Math.abs(start) < latestSecond;
  const rows = [...places.keys()].flatMap(({ candles }) => candles.filter(isDated));
  const broken = [...places].flatMap(([{ candles }, named]) =>
    candles.filter((candle) => named.has(candle.row) && isDated(candle)),
  );
  if (new Set(broken.map(({ start }) => start)).size < fewestTimes) return none;
  return { all: rows, broken: new Set(broken) };
}

/** Gathers the records that are no candles, such as tokens, of broken answers; none if too few of them are broken. */
function gatherRecords(rule: Rule, breaches: readonly Breach[]): Units<Candle['record']> {
  const places = ruleFacts(rule)?.readsOneAnswer ? [...findRows(breaches)] : [];
  const none = { all: [], broken: new Set<Candle['record']>() };
  if (places.reduce((total, [{ records }]) => total + records.length, 0) > mostUnits) return none;
  const all = places.flatMap(([{ records, candles }]) =>
    candles.length > 0 ? [] : records.filter(isRecord),
  );
  const broken = places.flatMap(([{ records }, named]) =>
    records.filter((_, row) => named.has(row)).filter(isRecord),
  );
  return broken.length < fewestTimes ? none : { all, broken: new Set(broken) };
}

/**
 * Words what alone separates answers that broke a rule from a sound one to the same question that came between them, if
 * every broken answer has it; undefined if more than two facts stay. A comparison does not show which answer is wrong.
 */
function findIsolated(rule: Rule, { all, broken }: Units<Answer>, spec: Spec): string | undefined {
  if (!ruleFacts(rule)?.readsOneAnswer) return undefined;
  const unusual = [...broken].map((answer) => listMannerFacts(answer, spec));
  const separating = all.flatMap((sound) => {
    const matches =
      broken.has(sound) || !sound.success ? [] : [...broken].filter((one) => asksTheSame(one, sound));
    const [wrong] = matches.filter(({ index }) => index < sound.index);
    if (!wrong || !matches.some(({ index }) => index > sound.index)) return [];
    const facts = listMannerFacts(sound, spec);
    const left = Object.entries(listMannerFacts(wrong, spec)).filter(
      ([name, words]) => words !== facts[name] && unusual.every((other) => other[name] === words),
    );
    return left.length > 0 && left.length <= 2 ? [left.map(([, words]) => words)] : [];
  });
  return separating.sort((a, b) => a.length - b.length)[0]?.join(' and ');
}

/** Words that each nth request breaks a rule, of all that were sent, and no other one. */
function findCycle({ all, broken }: Units<Answer>): string[] | undefined {
  const places = [...broken].map(({ index }) => index).sort((a, b) => a - b);
  const [first = 0] = places;
  const cycle = places.reduce((divisor, place) => greatestDivisor(divisor, place - first), 0);
  const due = all.filter(({ index }) => (index - first) % cycle === 0).length;
  if (places.length < fewestTimes || cycle < 2 || due > broken.size || due === all.length) return undefined;
  return [`each ${cycle === 2 ? 'second' : cycle === 3 ? 'third' : `${cycle}th`} request`];
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** Words at most two facts that all broken units share, the least likely first. */
function findShared<Unit>({ all, broken }: Units<Unit>, listFacts: (unit: Unit) => UnitFacts): string[] {
  if (all.length > mostUnits) return [];
  const units = all.map((unit) => ({ facts: listFacts(unit), isBroken: broken.has(unit) }));
  const first = findLeastLikely(units);
  if (!first) return [];
  const second = findLeastLikely(units.filter(({ facts }) => first.has(facts)));
  return [first.words, ...(second ? [second.words] : [])];
}

function findLeastLikely(units: readonly { facts: UnitFacts; isBroken: boolean }[]): Shared | undefined {
  const broken = units.filter(({ isBroken }) => isBroken);
  const [one] = broken;
  if (!one) return undefined;
  let best: Shared | undefined;
  for (const [name, words] of Object.entries(one.facts)) {
    const has = (facts: UnitFacts): boolean => facts[name] === words;
    if (words === '' || !broken.every(({ facts }) => has(facts))) continue;
    const holders = units.filter(({ facts }) => has(facts)).length;
    // The first one has the fact in any case.
    const chance = drawChance(broken.length - 1, holders - 1, units.length - 1);
    if (chance < (best?.chance ?? rareChance)) best = { words, chance, has };
  }
  return best;
}

/** Returns the probability that `drawn` of `all` units, drawn at random, are all among `holders` of them. */
function drawChance(drawn: number, holders: number, all: number): number {
  let chance = 1;
  for (let at = 0; at < drawn; at++) chance *= (holders - at) / (all - at);
  return chance;
}

/** Words the time that all broken rows lie after, or before, if most rows there are broken. */
function findPeriod({ all, broken }: Units<Candle>): string[] {
  if (broken.size === 0) return [];
  const starts = [...broken].map(({ start }) => start);
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const isTelling = (holders: number): boolean =>
    2 * broken.size > holders &&
    all.length - holders > leastOutside * all.length &&
    drawChance(broken.size, holders, all.length) < rareChance;
  if (isTelling(all.filter(({ start }) => start >= first).length)) return [`none before ${nameTime(first)}`];
  return isTelling(all.filter(({ start }) => start <= last).length) ? [`none after ${nameTime(last)}`] : [];
}

function nameTime(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString();
  return seconds % day === 0 ? text.slice(0, 10) : `${text.slice(0, 16).replace('T', ' ')} UTC`;
}
