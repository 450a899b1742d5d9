import { compileSpec } from '@candleproof/document/spec/load-spec';
import { type Spec, SpecError } from '@candleproof/document/spec/spec';
import type { ApiDraft } from '@candleproof/drafting/draft';
import { writeDraft } from '@candleproof/drafting/write-draft';
import { judge } from '@candleproof/law/judge/judge';
import type { Exchange, TargetFacts } from '@candleproof/law/reading/exchange';
import { readExchange } from '@candleproof/law/reading/reading';
import { stringify } from 'yaml';

/** Columns of a drafted file. */
const lineWidth = 110;

/** Writes a draft as YAML, with a line `# ?` at its top for each question that a check needs answered. */
export function renderDraft(draft: ApiDraft): string {
  const questions = draft.missing.map((question) => `# ? ${question.replace(/\s+/g, ' ')}\n`);
  return `${questions.join('')}${stringify(writeDraft(draft), { lineWidth })}`;
}

/** Findings that a question names. */
const mostNamed = 3;

/**
 * Proves a draft: compiles it, reads the first answer again by it alone, and judges by it all answers that came.
 * @returns the questions that are left, none for a draft by which a check may run
 */
export function proveDraft(draft: ApiDraft, exchanges: readonly Exchange[], isJudged: boolean): string[] {
  let spec: Spec;
  try {
    spec = compileSpec('draft', [], { draft: stringify(writeDraft(draft)) });
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    // The lines are those of a text without questions.
    const mistakes = error.mistakes.map((mistake) =>
      mistake.replace(/^draft:\d+: /, 'no check can use it yet: '),
    );
    return [...listIdle(draft), ...mistakes];
  }
  const facts: TargetFacts = {
    ...{ name: 'draft', baseUrl: draft.url.origin, soleUser: false, keyless: draft.key === undefined },
    pools: { pools: draft.pool === undefined ? [] : [draft.pool] },
  };
  const [first] = exchanges;
  if (!first || draft.pool === undefined) return [];
  const unread = readAgain(spec, facts, first, draft.rows.length);
  if (unread !== undefined) return [unread];
  if (!isJudged) return [];
  const { findings } = judge(spec, { target: facts, seed: 0, exchanges }, { replay: () => '' });
  return findings
    .filter(({ level }) => level === 'must')
    .slice(0, mostNamed)
    .map(
      ({ rule, expected, actual, operation }) =>
        `its own answers break ${rule} by it: ${expected} expected, ${actual} came in ${operation}; either the API is at fault or a guess is`,
    );
}

/** Words the parameters that the rows of the answer contradict. */
function listIdle({ parameters }: ApiDraft): string[] {
  return parameters
    .filter(({ isIdle }) => isIdle)
    .map(
      ({ name, guess }) =>
        `x-role of ${name}: ${guess}; look at a URL whose range and limit hold the rows that come`,
    );
}

/** Reads the first answer by a document, and words what of it cannot be read. */
function readAgain(spec: Spec, facts: TargetFacts, exchange: Exchange, wanted: number): string | undefined {
  const answer = readExchange(spec, facts, exchange, 0);
  const { records, misshapen, requested, refusal, broken, unreadable } = answer;
  const [departure] = misshapen;
  if (requested === undefined) return 'its path is not that of the URL; correct the path';
  if (refusal) return `it takes the answer for a refusal: ${refusal.text}; correct x-role: status`;
  if (broken !== undefined) return `the answer cannot be read: ${broken}`;
  if (departure)
    return `the answer departs from it at ${departure.pointer || '/'}: ${departure.expected} expected, ${departure.actual} came; correct the schema`;
  if (records.length > 0 && unreadable === 0) return undefined;
  return `it reads ${records.length - unreadable} of ${wanted} rows; correct the roles or x-unit of their values`;
}
