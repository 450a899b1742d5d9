import { day, hour } from '@candleproof/document/spec/interval';
import { applyRule } from '@candleproof/law/judge/apply-rule';
import type { Judged } from '@candleproof/law/judge/judge';
import { type Family, families } from '@candleproof/law/relations/families';
import { formatBreach } from './breaches.ts';
import type { Mark } from './damage.ts';
import { classifyBreach, isFilled } from './damage.ts';
import { isHistory } from './undivided.ts';

/** A parent that disagrees with its parts. */
type Break = Omit<Mark, 'rule' | 'kind'> & {
  readonly rule: string;
  /** The rule compares all parents of an answer at once. */
  readonly isOfWholeAnswer: boolean;
};

/** Families of candles and the rules of roll-ups applied to them. */
type Compared = Pick<Judged, 'appliedRules' | 'evidence'>;

/**
 * Finds candles that disagree with those of another length, and uses a third length to decide which is wrong. Days are
 * wrong if the week, or each hour's five minutes, agrees with the hours. Hours are wrong if the week agrees with the
 * days, or an hour also disagrees with its five minutes. Otherwise both are suspects. A row filled with a placeholder
 * is reported only once, because it disagrees with all others.
 */
export function findRollUpBreaks(judged: Compared, found: readonly Mark[]): Mark[] {
  return judgeBreaks(judged, found).flatMap(({ broken, blamed }) => {
    const { isOfWholeAnswer: _, ...found } = broken;
    const mark = { ...found, kind: 'rollup' as const };
    if (blamed !== 'either') return blamed === 'hours of it' ? [] : [{ ...mark, interval: blamed }];
    return suspects.map((interval) => ({ ...mark, interval, suspects }));
  });
}

/** Finds days for which it is undecided whether they or their hours are wrong. */
export function findUndecidedDays(
  judged: Compared,
  found: readonly Mark[],
): Pick<Mark, 'pool' | 'from' | 'to'>[] {
  const open = judgeBreaks(judged, found).flatMap(({ broken, blamed }) =>
    blamed === 'either' ? [broken] : [],
  );
  return [...new Map(open.map((broken) => [`${broken.pool} ${broken.from}`, broken])).values()];
}

const suspects = ['day', 'hour'] as const;

/** The interval whose rows are wrong, either of both, or single hours, which have separate breaks. */
type Blamed = Mark['interval'] | 'either' | 'hours of it';

type JudgedBreak = { readonly broken: Break; readonly blamed: Blamed };

function judgeBreaks(whole: Compared, found: readonly Mark[]): JudgedBreak[] {
  const breaks = findBreaks(whole);
  if (breaks.length === 0) return [];
  const known = new Set(breaks.map(breakKey));
  const weeks = compareWeeks(whole, compareWithoutDays(whole), known);
  const hours = compareHours(whole, known);
  const odd = found.filter(isFilled);
  return breaks.flatMap((broken): JudgedBreak[] => {
    const { pool, interval, isOfWholeAnswer } = broken;
    const rows = odd.filter((row) => row.pool === pool && row.from < broken.to && row.to > broken.from);
    if (interval === 'week') {
      const isExplained = weeks.isOfItsDays(broken) || rows.some((row) => row.interval !== 'hour');
      return isExplained ? [] : [{ broken, blamed: interval }];
    }
    if (interval === 'hour')
      return hours.isWrong(broken) && rows.length === 0 ? [{ broken, blamed: interval }] : [];
    const third = weeks.blamed(broken) ?? hours.blamed(broken);
    const isExplained = rows.some(
      (row) => row.interval === (third ?? row.interval) && row.interval !== 'week',
    );
    if (isExplained) return [];
    return [{ broken, blamed: third ?? (isOfWholeAnswer ? interval : 'either') }];
  });
}

/** Compares hours with their five-minute rows, if those were requested. */
function compareHours({ evidence }: Compared, known: ReadonlySet<string>) {
  const fine = new Set(
    evidence
      .families()
      .flatMap(({ parent, answer: { requested } }) =>
        requested.rung === 'hour' ? [`${requested.pool} ${parent.start}`] : [],
      ),
  );
  const isBroken = ({ pool, rule }: Break, from: number): boolean =>
    known.has(breakKey({ pool, interval: 'hour', from, rule }));
  return {
    /** It disagrees with its five minutes, and its day with the hours. */
    isWrong: (broken: Break): boolean =>
      Array.from({ length: 24 }, (_, at) => broken.from - at * hour).some((from) =>
        known.has(breakKey({ ...broken, interval: 'day', from })),
      ),
    blamed: (broken: Break): 'day' | 'hours of it' | undefined => {
      const starts = Array.from({ length: day / hour }, (_, at) => broken.from + at * hour);
      if (starts.some((start) => isBroken(broken, start))) return 'hours of it';
      return starts.every((start) => fine.has(`${broken.pool} ${start}`)) ? 'day' : undefined;
    },
  };
}

/** Applies the same rules to families without days, so that weeks are measured by their hours. */
function compareWithoutDays({ appliedRules, evidence }: Compared): Compared {
  const lines = evidence.timelines().filter(({ length }) => length !== day);
  const histories = lines.flatMap(({ answers }) => answers);
  const found = families(evidence.spec, histories, lines);
  const byHours = { ...evidence, histories, timelines: () => lines, families: () => found };
  const rules = appliedRules.map(({ rule }) => rule).filter((rule) => classifyBreach(rule) === 'rollup');
  return {
    evidence: byHours,
    appliedRules: rules.map((rule) => applyRule(rule, byHours, Number.POSITIVE_INFINITY)),
  };
}

function findBreaks({ appliedRules, evidence }: Compared): Break[] {
  return appliedRules.flatMap(({ rule, breaches }) => {
    if (classifyBreach(rule) !== 'rollup') return [];
    return breaches.flatMap((breach) => {
      const { answer } = breach;
      if (!isHistory(answer)) return [];
      const { pool, rung: interval, length } = answer.requested;
      if (interval === undefined) return [];
      const isOfWholeAnswer = rule.isOfWholeAnswers === true;
      const parents = isOfWholeAnswer
        ? evidence.families().flatMap((family) => (family.answer === answer ? [family.parent] : []))
        : (breach.candles?.slice(0, 1) ?? []);
      const place = { pool, interval, rule: rule.id, isOfWholeAnswer, detail: formatBreach(breach) };
      return parents.map(({ start }) => ({ ...place, from: start, to: start + length }));
    });
  });
}

function breakKey({
  pool,
  interval,
  from,
  rule,
}: Pick<Break, 'pool' | 'interval' | 'from' | 'rule'>): string {
  return `${pool} ${interval} ${from} ${rule}`;
}

/** Compares weeks with their days and with their hours, separately. */
function compareWeeks(whole: Compared, withoutDays: Compared, known: ReadonlySet<string>) {
  const byDays = weekStarts(whole.evidence.families());
  const byHours = weekStarts(withoutDays.evidence.families());
  const offHours = new Set(
    findBreaks(withoutDays).flatMap((broken) => (broken.interval === 'week' ? [breakKey(broken)] : [])),
  );
  return {
    /** One of its days disagrees with the hours too, and the week does not. */
    isOfItsDays: (week: Break): boolean => !offHours.has(breakKey(week)) && hasBrokenDay(week, known),
    blamed: ({ pool, from, rule }: Break): 'day' | 'hour' | undefined => {
      const starts = Array.from({ length: 7 }, (_, days) => from - days * day);
      const start = starts.find((start) => byDays.has(`${pool} ${start}`) && byHours.has(`${pool} ${start}`));
      if (start === undefined) return undefined;
      const week = breakKey({ pool, interval: 'week', from: start, rule });
      if (known.has(week) === offHours.has(week)) return undefined;
      return known.has(week) ? 'day' : 'hour';
    },
  };
}

function hasBrokenDay({ pool, rule, from, to }: Break, known: ReadonlySet<string>): boolean {
  for (let start = from; start < to; start += day)
    if (known.has(breakKey({ pool, interval: 'day', from: start, rule }))) return true;
  return false;
}

function weekStarts(families: readonly Family[]): Set<string> {
  return new Set(
    families.flatMap(({ parent, answer: { requested } }) =>
      requested.rung === 'week' ? [`${requested.pool} ${parent.start}`] : [],
    ),
  );
}
