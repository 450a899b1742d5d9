import type { TriedDocument } from '@candleproof/check/target/try-document';
import { minute } from '@candleproof/document/spec/interval';
import { thousands } from '@candleproof/law/reading/words';
import type {
  Understanding,
  UnderstoodOperation,
  UnderstoodPart,
} from '@candleproof/law/rules/understanding';
import { makeVisible } from '@candleproof/reports/words/escape';
import { listSome, plural } from '@candleproof/reports/words/format';

/** Rules that are named for each missing annotation; --json lists all. */
const mostNamed = 3;

const maxListed = 5;

/** Words how the judge understands a document. */
export function renderDocument(file: string, understood: Understanding, warnings: readonly string[]): string {
  const { title, server, key, operations, intervals, leftOut, groups, missing } = understood;
  const lengths = intervals.map(({ name, seconds }) => `${name} (${seconds} s)`).join(', ');
  const lines = [
    `${file}  ${title}`,
    ...row('server', server ?? 'none that can be reached: give --base-url'),
    ...row('key', key),
    ...row('intervals', lengths),
    ...operations.flatMap(operationLines),
    '',
    ...(leftOut.length > 0 ? row('left out', `${listSome(leftOut, maxListed)}: no x-role`) : []),
    ...row('judged', countWords(groups)),
    ...groups.flatMap(({ group, judged, of }) => row(`  ${group}`, `${judged} of ${of}`)),
    ...(missing.length > 0 ? ['annotations that more rules wait for'] : []),
    ...missing.map(
      ({ annotations, rules }) =>
        `  ${annotations.join('; ')}: ${plural(rules.length, 'rule')}, ${listSome(rules, mostNamed)}`,
    ),
    ...(warnings.length > 0 ? ['warnings, which refuse nothing'] : []),
    ...warnings.map((warning) => `  ${warning}`),
    '',
  ];
  return lines.map(makeVisible).join('\n');
}

/** Words what one answer of a server showed. */
export function renderTriedDocument(tried: TriedDocument): string {
  const { method, url, status, trouble, refusal, rows, starts, prices, age, misshapen, first } = tried;
  const found = rows === 0 ? 'no rows found' : 'rows found';
  const read = (count: number): string => `${thousands(count)} of ${thousands(rows)}`;
  const newest = age === undefined ? '' : `; the newest began ${thousands(Math.round(age / minute))} min ago`;
  const lines = [
    `${method} ${url}`,
    trouble ??
      `status ${status}: ${found}${rows === 0 ? '' : `, starts read: ${read(starts)}, prices read: ${read(prices)}${newest}`}`,
    ...(refusal === undefined ? [] : [refusal.replace(/\s+/g, ' ')]),
    ...(first === undefined ? [] : [`${plural(misshapen, 'departure')} from the schema, ${first}`]),
    '',
  ];
  return lines.map(makeVisible).join('\n');
}

function operationLines(operation: UnderstoodOperation): string[] {
  const { request, role, space, gaps, maxRows, rowsAt, refusals, parameters, fields, guesses, questions } =
    operation;
  const idle = gaps === 'idle' ? 'an interval without trade may be missing' : 'every interval has its row';
  const facts = [
    ...(role === 'tokens' || space === 'pools' ? [] : [`pools of ${space}`]),
    ...(role === 'history' ? [idle] : []),
    ...(maxRows === undefined ? [] : [`at most ${thousands(maxRows)} rows`]),
  ];
  return [
    '',
    `${request}  ${[role, ...facts].join(', ')}`,
    ...partLines(parameters),
    ...row('  rows', rowsAt.length === 0 ? 'the answer itself' : `/${rowsAt.join('/')}`),
    ...row('  refused by', refusals.join(', ')),
    ...partLines(fields),
    ...guesses.flatMap((guess) => row('  guessed', guess)),
    ...questions.flatMap((question) => row('  open', question)),
  ];
}

function partLines(parts: readonly UnderstoodPart[]): string[] {
  const width = Math.max(0, ...parts.map(({ name }) => name.length));
  return parts.map(({ name, role = '-', form }) =>
    `    ${name.padEnd(width)}  ${role.padEnd(14)}  ${form ?? ''}`.trimEnd(),
  );
}

function row(name: string, text: string): string[] {
  return text === '' ? [] : [`${name.padEnd(18)}${text}`];
}

function countWords(groups: Understanding['groups']): string {
  const sum = (count: 'judged' | 'of'): number => groups.reduce((total, group) => total + group[count], 0);
  return `${sum('judged')} of ${sum('of')} rules and questions`;
}
