import type { OperationRole } from '@candleproof/document/spec/roles';
import type { AppliedRule } from '../judge/apply-rule.ts';
import { findField } from '../judge/extent.ts';
import { describeShared } from '../judge/pattern.ts';
import type { Requested } from '../reading/requested.ts';
import { joinNames } from '../reading/words.ts';
import type { Evidence } from '../relations/evidence.ts';
import { type Breach, findRow, rowPointer } from '../rules/breach.ts';
import type { Defect } from '../rules/rule.ts';
import { wordMissing } from './missing-slots.ts';
import { addPlace, begin, nameInterval } from './words.ts';

/** A defect that the breaches of one rule show by themselves. */
export type ShownDefect = {
  readonly defect: Defect;
  readonly sentence: string;
  /** Names of the fields or headers in which it lies. */
  readonly fields: readonly string[];
  /** Words for what sets the wrong answers and rows apart; empty if nothing does, or all are wrong. */
  readonly where: string;
  readonly breaches: readonly Breach[];
  /** A breach stands for all rows of its answer. */
  readonly isOfWholeAnswers: boolean;
};

/** Returns what the breaches of a rule show to be wrong, and where; undefined if they leave it open. */
export function findDefect(appliedRule: AppliedRule, evidence: Evidence): ShownDefect | undefined {
  const { rule, breaches } = appliedRule;
  const defect = rule.shows && refineDefect(rule.shows, breaches);
  const [first] = breaches;
  if (!defect || !first) return undefined;
  const fields = [...new Set(breaches.flatMap(findName))];
  const shared = describeShared(appliedRule, breaches, evidence);
  const where = shared ?? nameCell(rule.broken, breaches, evidence);
  const make = (what: string, place: string): ShownDefect => ({
    ...{ defect, fields, where, breaches },
    isOfWholeAnswers: rule.isOfWholeAnswers === true,
    sentence: addPlace(what, place),
  });
  const missing = defect === 'missing' ? wordMissing(breaches, evidence) : undefined;
  if (missing !== undefined) return make(missing, '');
  const counted = defect === 'miscounted' ? wordCount(breaches) : undefined;
  if (counted !== undefined) return make(counted, where);
  const what = wordFields(defect, fields, breaches) ?? first.sentence?.replace(/\.$/, '') ?? rule.broken;
  const cases = listCases(breaches);
  const shown = wordShown(defect, breaches);
  return make(`${what}${cases === '' ? '' : ` (${cases})`}${shown === '' ? '' : `: ${shown}`}`, where);
}

/** A field or header that must be there may be absent, there twice, or of another form. */
function refineDefect(defect: Defect, breaches: readonly Breach[]): Defect {
  if (defect !== 'missing' || !breaches.every((breach) => findName(breach).length > 0)) return defect;
  if (breaches.every(({ actual }) => actual === 'nothing' || actual === 'no such header')) return 'missing';
  if (!breaches.every(({ pointer }) => pointer.startsWith('header:')))
    return breaches.every(({ pointer }) => pointer.endsWith(startField(breaches))) ? 'misplaced' : 'changing';
  return breaches.every(({ actual }) => / and /.test(actual)) ? 'repeated' : 'wrong form';
}

function startField([first]: readonly Breach[]): string {
  return first?.answer.candles[0]?.reading.fields.start ?? 'start';
}

const isStep = /^one request more than the answer before$/;

/** `Requests are counted twice`; undefined if requests are counted differently. */
function wordCount(breaches: readonly Breach[]): string | undefined {
  const [steps, ...others] = new Set(
    breaches.map(({ actual, expected }) =>
      isStep.test(expected) ? /^(\d+) more/.exec(actual)?.[1] : undefined,
    ),
  );
  if (steps === undefined || others.length > 0) return undefined;
  if (steps === '0') return 'Requests are not counted';
  return `Requests are counted ${steps === '2' ? 'twice' : `${steps} times`}`;
}

/** Words what came instead of an answer that can be read, if it is the same in all. */
function wordShown(defect: Defect, breaches: readonly Breach[]): string {
  if (defect !== 'unanswered' && defect !== 'unreadable') return '';
  const [shown = '', ...others] = new Set(
    breaches.map(({ actual }) => actual.split(/[;:,]| at position| in JSON| \(/)[0] ?? ''),
  );
  return others.length === 0 ? shown : '';
}

/** Lists the name of the field or header that a breach points at. */
function findName({ answer, pointer }: Breach): string[] {
  if (pointer.startsWith('header:')) return [pointer.slice('header:'.length)];
  const row = findRow({ answer, pointer });
  if (row === undefined) return [];
  const ofRow = `${(answer.fieldPointer?.(row, '') ?? rowPointer(answer, row)).replace(/\/$/, '')}/`;
  // Columns have the row at the end.
  const before = pointer.startsWith(ofRow) ? ofRow.length : pointer.lastIndexOf('/') + 1;
  const name = pointer.slice(before);
  // A letter says less than its role.
  const role = name.length < 2 || isPlace(name) ? findField({ answer, pointer }) : undefined;
  if (role !== undefined) return [role];
  return isPlace(name) ? [] : [name.replaceAll('/', '.')];
}

/** Names of fields that a sentence lists. */
const mostNames = 3;

/** Returns whether a field has a place in its row and no name. */
export function isPlace(name: string): boolean {
  return /^\d*$/.test(name);
}

/** Words a defect of fields by their names, such as `Volume of candles is a number instead of text`. */
function wordFields(
  defect: Defect,
  fields: readonly string[],
  breaches: readonly Breach[],
): string | undefined {
  if (fields.length === 0) return undefined;
  const be = fields.length > 1 ? 'are' : 'is';
  const names = fields.length > mostNames ? [fields[0] ?? '', `${fields.length - 1} more`] : fields;
  const [named, records] = [joinNames(names), nameRecords(breaches)];
  const values = [...new Set(breaches.map(({ actual }) => actual))];
  const isNegative =
    ['wrong form', 'wrong type'].includes(defect) && values.every((value) => /^"?-\d/.test(value));
  if (isNegative) return begin(`${named} of ${records} ${be} negative`);
  switch (defect) {
    case 'missing':
      return begin(`${named} ${be} missing from ${records}`);
    case 'repeated':
      return records === 'responses' ? begin(`${named} ${be} sent twice`) : undefined;
    case 'wrong type': {
      const kinds = breaches.map(
        ({ actual, expected }) => `${nameKind(actual)} instead of ${nameType(expected)}`,
      );
      return begin(`${named} of ${records} ${be} ${joinNames([...new Set(kinds)])}`);
    }
    case 'wrong form': {
      const [only, ...others] = values;
      const [expected = ''] = breaches[0]?.expected.split(/ such as|,/) ?? [];
      return begin(
        `${named} of ${records} ${be} ${others.length === 0 ? `${only} instead of` : 'not'} ${expected}`,
      );
    }
    default:
      return undefined;
  }
}

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** Names what a schema expects: `text` for `type string`. */
function nameType(expected: string): string {
  return types[expected.replace('type ', '')] ?? expected;
}

/** Names the kind of a JSON value that is quoted in a breach. */
function nameKind(quoted: string): string {
  if (quoted.startsWith('"')) return 'text';
  if (/^-?\d/.test(quoted)) return 'a number';
  return quoted.startsWith('[') || quoted.startsWith('{') ? 'a structure' : quoted;
}

const nouns: Readonly<Record<OperationRole, string>> = {
  tokens: 'tokens',
  history: 'candles',
  latest: 'latest candles',
};

function isOfRow(pointer: string): boolean {
  return pointer.startsWith('/');
}

/**
 * Names the operation, interval and direction of all answers that break a rule, as far as others were requested too: the place where
 * a defect was met, which need not be the only one.
 */
function nameCell(words: string, breaches: readonly Breach[], { answers, spec }: Evidence): string {
  const broken = [...new Set(breaches.flatMap(({ answer: { requested } }) => requested ?? []))];
  const others = answers.flatMap(({ requested }) => requested ?? []);
  const shared = <Value>(read: (requested: Requested) => Value): Value | undefined => {
    const [value, ...more] = new Set(broken.map(read));
    const isOnlyOne = more.length === 0 && others.some((requested) => read(requested) !== value);
    return isOnlyOne ? value : undefined;
  };
  if (broken.length === 0) return '';
  const role = shared((requested) => requested.role);
  if (role === 'tokens')
    return breaches.some(({ pointer }) => isOfRow(pointer)) || /token/i.test(words)
      ? ''
      : 'met in the token list';
  const length = shared((requested) => requested.length);
  const side = shared((requested) => requested.inverted ?? false);
  const parts = [
    side === true ? 'inverted' : '',
    role === 'latest' ? 'latest' : '',
    length === undefined ? '' : nameInterval(spec, length),
  ];
  const pool = shared((requested) => requested.pool);
  const named = parts.filter((word) => word !== '').join(' ');
  if (named === '' && pool === undefined) return '';
  return `met in ${named === '' ? '' : `${named} `}candles${pool === undefined ? '' : ` of pool ${pool}`}`;
}

/** Names the records of the answers that break a rule: candles of histories and latest ones are candles. */
function nameRecords(breaches: readonly Breach[]): string {
  if (breaches.some(({ pointer }) => pointer.startsWith('header:'))) return 'responses';
  const roles = new Set(breaches.flatMap(({ answer: { requested } }) => requested?.role ?? []));
  const kinds = roles.has('history') ? [...roles].filter((role) => role !== 'latest') : [...roles];
  return joinNames(kinds.map((role) => nouns[role]));
}

/** Lists the cases of requests that breaches name in parentheses, such as `lower-case`. */
function listCases(breaches: readonly Breach[]): string {
  const cases = breaches.flatMap(({ expected }) => / \(([a-z][a-z- ]*)\)$/.exec(expected)?.[1] ?? []);
  return [...new Set(cases)].sort().slice(0, 3).join(', ');
}
