import { day } from '@candleproof/document/spec/interval';
import { median, Tally } from '@candleproof/law/reading/statistics';
import { thousands } from '@candleproof/law/reading/words';
import { firstIndexFrom } from '@candleproof/law/relations/timeline';
import type { GateCandle } from '../gated.ts';
import { formatInterval } from './grid.ts';
import { familyRules, findFamilyBreaches, type PlacedRow } from './law.ts';
import type { RowMark } from './ranges.ts';
import type { Lengths } from './roll-up.ts';
import { toGateCandle } from './surroundings.ts';

/** Days that show which parts make one, and fewest that are judged. */
const [learntDays, fewestDays] = [40, 5];

/** Equal opens or closes of parts that are tried as the first or the last of a day. */
const mostTried = 12;

/**
 * Shares of days that may disagree in a value: so few are wrong; so many are doubted; where more do, the days are not made
 * of their parts, as closes of auctions and volumes of all venues are not.
 */
const [wrongShare, doubtedShare] = [0.03, 0.1];

/** Share by which the ratios of the four prices of a day to its parts may differ, and the least factor that is one. */
const [sameFactor, leastFactor] = [2e-3, 0.02];

/** Share of the disagreeing days that one factor must explain. */
const explained = 0.9;

const mostHeld = 10_000;

type Family = { readonly parent: PlacedRow; readonly parts: readonly PlacedRow[] };
type Disagreeing = {
  readonly parent: PlacedRow;
  readonly rules: readonly string[];
  readonly details: readonly string[];
  readonly parts: number;
  /** The factor of all four prices; NaN if they have none. */
  readonly factor: number;
};

/** Compares days with the parts of their sessions, in a market that is closed for a part of the day. */
export class SessionRollUp {
  /** Days with all the parts of a usual session. */
  families = 0;
  leftOut = 0;
  readonly broken = new Map<string, number>();
  readonly marks: RowMark[] = [];
  example: readonly GateCandle[] | undefined;
  /** The reason why some or all values are not compared. */
  notJudged: string | undefined;
  readonly #lengths: Lengths;
  #learning: Family[] | undefined = [];
  /** Number of parts of a usual day, and of those before and after the ones that make it. */
  #usual = { parts: 0, before: 0, after: 0 };
  #disagreeing: Disagreeing[] = [];

  constructor(lengths: Lengths) {
    this.#lengths = lengths;
  }

  /** Returns whether sessions can make the longer candles. */
  static fits({ longer, shorter }: Lengths): boolean {
    return longer === day && shorter < day;
  }

  /** Takes a day and the rows in order of time among which its parts are. */
  compare(parent: PlacedRow, rows: readonly PlacedRow[]): void {
    const from = firstIndexFrom(rows, parent.start);
    const parts = rows.slice(from, firstIndexFrom(rows, parent.start + day));
    if (parts.length < 2) return;
    if (this.#learning === undefined) this.#judge({ parent, parts });
    else if (this.#learning.push({ parent, parts }) >= learntDays) this.#learn();
  }

  /** Judges what only all days decide. */
  end(): void {
    if (this.#learning) this.#learn();
    if (this.families < fewestDays) {
      this.notJudged = 'no candle has all of its parts';
      return;
    }
    this.#markFactor();
    const counts = familyRules.map((rule) => {
      const count = this.#disagreeing.filter(({ rules }) => rules.includes(rule)).length;
      return [rule, count / this.families, count] as const;
    });
    const most = Math.max(doubtedShare, 1 / this.families);
    const open = counts.filter(([, share]) => share > most).map(([rule]) => rule);
    const doubted = counts
      .filter(([, share, count]) => count > 1 && share > wrongShare)
      .map(([rule]) => rule);
    for (const each of this.#disagreeing) this.#mark(each, open, doubted);
    if (open.length > 0) this.notJudged = describeOpen(open, this.families);
  }

  /** Finds which parts make the days, by those whose opens and closes are the days' own. */
  #learn(): void {
    const all = this.#learning ?? [];
    this.#learning = undefined;
    const sizes = new Tally<number>();
    for (const { parts } of all) sizes.add(parts.length);
    const count = sizes.commonest() ?? 0;
    const whole = all.filter(({ parts }) => parts.length === count);
    const tried = new Map([['0 0', { before: 0, after: 0 }]]);
    for (const family of whole)
      for (const cut of listCuts(family)) tried.set(`${cut.before} ${cut.after}`, cut);
    const agreeing = ({ before, after }: { before: number; after: number }): number =>
      whole.filter((family) => this.#findBreaches(cutParts(family, before, after)).length === 0).length;
    const best = [...tried.values()]
      .slice(0, mostTried * mostTried)
      .map((cut) => ({ ...cut, agreeing: agreeing(cut) }))
      .reduce((most, cut) => (cut.agreeing > most.agreeing ? cut : most));
    this.#usual = { parts: count, before: best.before, after: best.after };
    for (const family of all) this.#judge(family);
  }

  #judge(family: Family): void {
    const { parts, before, after } = this.#usual;
    if (family.parts.length !== parts) return;
    const cut = cutParts(family, before, after);
    const steps = cut.parts.slice(1).filter((part, at) => part.start === cut.parts[at]?.end);
    // A session may have one break, as at noon.
    if (steps.length < cut.parts.length - 2) return;
    this.families++;
    const found = this.#findBreaches(cut);
    if (found.length === 0) return;
    const { parent } = family;
    const { longer, shorter } = this.#lengths;
    this.example ??= [toGateCandle(parent, longer), ...cut.parts.map((part) => toGateCandle(part, shorter))];
    if (this.#disagreeing.length === mostHeld) this.leftOut++;
    else
      this.#disagreeing.push({
        ...{ parent, parts: cut.parts.length, factor: findFactor(cut) },
        rules: found.map(({ rule }) => rule),
        details: found.map(({ detail }) => detail),
      });
  }

  #findBreaches({ parent, parts }: Family) {
    return findFamilyBreaches(parent, parts, this.#lengths.shorter);
  }

  /** Marks the days that are all by one factor apart from their parts as one range, and forgets them. */
  #markFactor(): void {
    const apart = this.#disagreeing.filter(({ rules }) =>
      familyRules.slice(0, 4).every((rule) => rules.includes(rule)),
    );
    const scaled = apart.filter(({ factor }) => Math.abs(Math.log(factor)) >= leastFactor);
    if (scaled.length < fewestDays || scaled.length < explained * apart.length) return;
    const factor = median(scaled.map((each) => each.factor));
    const starts = scaled.map(({ parent }) => parent.start);
    const times = Number((factor > 1 ? factor : 1 / factor).toPrecision(4));
    const words = factor > 1 ? `${times} times` : `1/${times} of`;
    this.#add({
      ...{ from: Math.min(...starts), to: Math.max(...starts) + day, rows: scaled.length },
      ...{ line: Math.min(...scaled.map(({ parent }) => parent.line)), certainty: 'breach' },
      rules: familyRules.slice(0, 4),
      detail: `the prices of ${thousands(scaled.length)} days are ${words} those of their sessions`,
    });
    this.#disagreeing = this.#disagreeing.filter((each) => !scaled.includes(each));
  }

  #mark(each: Disagreeing, open: readonly string[], doubted: readonly string[]): void {
    const { parent, parts, rules, details } = each;
    const left = rules.flatMap((rule, at) => (open.includes(rule) ? [] : [{ rule, detail: details[at] }]));
    const [first] = left;
    if (first === undefined) return;
    const isWrong = left.some(({ rule }) => !doubted.includes(rule));
    this.#add({
      ...{ from: parent.start, to: parent.start + day, line: parent.line, rows: 1 },
      ...(isWrong
        ? { certainty: 'breach' as const, rules: left.map(({ rule }) => rule) }
        : {
            certainty: 'suspicion' as const,
            rules: [],
            doubt: sessionDoubt.id,
            severity: 'likely' as const,
          }),
      detail: `${first.detail}; ${parts} parts of its session`,
    });
  }

  #add(mark: Omit<RowMark, 'kind' | 'suspects'>): void {
    const { longer, shorter } = this.#lengths;
    for (const rule of mark.rules) this.broken.set(rule, (this.broken.get(rule) ?? 0) + (mark.rows ?? 1));
    this.marks.push({ ...mark, kind: 'rollup', suspects: [longer, shorter].map(formatInterval) });
  }
}

/** The doubt about days that differ from their sessions more often than mistakes are. */
export const sessionDoubt = {
  ...{ id: 'rollup/session', kind: 'rollup' as const },
  statement: 'A day has the values of its session where nine days in ten have.',
};

/** Lists the parts before and after those that have the open and the close of a day. */
function listCuts({ parent, parts }: Family): { before: number; after: number }[] {
  const opens = parts.flatMap((part, at) => (part.open === parent.open ? [at] : [])).slice(0, mostTried);
  const closes = parts.flatMap((part, at) => (part.close === parent.close ? [at] : [])).slice(-mostTried);
  return opens.flatMap((before) =>
    closes.flatMap((last) => (last > before ? [{ before, after: parts.length - 1 - last }] : [])),
  );
}

function cutParts({ parent, parts }: Family, before: number, after: number): Family {
  return { parent, parts: parts.slice(before, parts.length - after) };
}

/** Returns the ratio of a day's prices to those of its parts; NaN if the four differ. */
function findFactor({ parent, parts }: Family): number {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return Number.NaN;
  const ratios = [
    parent.open / first.open,
    parent.close / last.close,
    parent.high / Math.max(...parts.map(({ high }) => high)),
    parent.low / Math.min(...parts.map(({ low }) => low)),
  ];
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return most / least - 1 <= sameFactor ? median(ratios) : Number.NaN;
}

function describeOpen(rules: readonly string[], days: number): string {
  if (familyRules.slice(0, 4).every((rule) => rules.includes(rule)))
    return 'the days have other prices than their sessions: they are of another market';
  const fields = rules.map((rule) => /^rollup\/(\w+)/.exec(rule)?.[1] ?? rule);
  return `${fields.join(', ')} of ${thousands(days)} days: more than one in ten is not that of its session, as with auctions`;
}
