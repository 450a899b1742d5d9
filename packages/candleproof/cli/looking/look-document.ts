import { documentFiles } from '@candleproof/check/target/target';
import { compileSpec } from '@candleproof/document/spec/load-spec';
import { readPlainDocument } from '@candleproof/document/spec/plain-document';
import { SpecError } from '@candleproof/document/spec/spec';
import { type DraftOverlay, draftOverlay, type OverlayChoices } from '@candleproof/drafting/draft-overlay';
import type { NamedFile } from '@candleproof/files/named-file';
import { quoteForShell } from '@candleproof/files/shell-word';
import { UsageError } from '@candleproof/files/usage-error';
import { makeVisible } from '@candleproof/reports/words/escape';
import { stringify } from 'yaml';
import { isStdout } from '../running/file-option.ts';
import { type PrintFlags, printJson, printText, writeText } from '../words/output.ts';
import type { LookedAnswer } from './look-requests.ts';
import { parseAnswer } from './parse-answer.ts';

/** Returns the flags for words beside a document that is written: it may take stdout. */
export function wordsBeside({ json, write }: PrintFlags & { readonly write?: NamedFile }): PrintFlags {
  return { json: json === true || isStdout(write) };
}

/** Flags of a look at a document. */
export type LookDocumentFlags = PrintFlags & {
  readonly spec: string;
  readonly write?: NamedFile;
  /** The path of the one operation that is drafted, such as `/klines` or `GET /klines`. */
  readonly operation?: string;
};

/** A drafted overlay, the operations that no draft makes usable, and what is wrong where none is usable. */
type ProvedOverlay = {
  readonly draft: DraftOverlay;
  readonly leftOut: readonly string[];
  readonly mistakes: readonly string[];
};

/**
 * Drafts the roles of a document as an overlay, prints what is guessed and what is open, and writes it where that is
 * wanted. One answer of the API decides what the document leaves open. An operation that cannot be compiled is left out.
 * Returns the exit code.
 */
export function lookAtDocument(flags: LookDocumentFlags, answer?: LookedAnswer): number {
  const { file } = documentFiles(flags.spec);
  const given = answer && {
    ...(answer.url && { url: answer.url }),
    body: readBody(answer),
  };
  const root = readPlainDocument(file);
  const path = flags.operation?.replace(/^GET /i, '');
  const choices = { ...(given && { answer: given }), ...(path !== undefined && { paths: [path] }) };
  const drafted = draftOverlay(root, choices);
  if (drafted.paths.length === 0) throw new UsageError(describeNone(file, path, answer));
  const { draft, leftOut, mistakes } = proveOverlay(file, root, drafted, choices);
  if (flags.write !== undefined) writeText(flags.write, stringify(draft.overlay, { lineWidth: 110 }));
  const lines = describe(draft, file, flags, leftOut, mistakes);
  printText([...lines, ''].map(makeVisible).join('\n'), wordsBeside(flags));
  printJson(flags, { ...draft, leftOut, mistakes });
  return mistakes.length > 0 ? 3 : 0;
}

function describeNone(file: string, path: string | undefined, answer: LookedAnswer | undefined): string {
  if (path !== undefined)
    return `look: --operation: GET ${path} of ${file} is not there, has a role, or has no interval and no market; name another`;
  return answer?.url
    ? `look: no GET of ${file} without x-role has the path of ${answer.url.pathname} and parameters of candles`
    : `look: no GET of ${file} without x-role looks like candles; look at an answer: npx candleproof look URL --spec ${file}`;
}

/** Compiles a document with its overlay; if that fails, with each operation alone, so that one does not spoil the others. */
function proveOverlay(
  file: string,
  root: unknown,
  draft: DraftOverlay,
  choices: OverlayChoices,
): ProvedOverlay {
  const mistakes = listMistakes(file, draft);
  if (mistakes.length === 0 || draft.paths.length < 2) return { draft, leftOut: draft.leftOut, mistakes };
  const alone = draft.paths.map((path) => ({
    path,
    mistakes: listMistakes(file, draftOverlay(root, { ...choices, paths: [path] })),
  }));
  const sound = alone.filter((each) => each.mistakes.length === 0).map(({ path }) => path);
  if (sound.length === 0) return { draft, leftOut: draft.leftOut, mistakes };
  const spoiled = alone.flatMap((each) => each.mistakes.map((mistake) => `GET ${each.path}: ${mistake}`));
  const leftOut = [...draft.leftOut, ...spoiled];
  const kept = draftOverlay(root, { ...choices, paths: sound });
  return { draft: kept, leftOut, mistakes: listMistakes(file, kept) };
}

/** Names the overlay in messages about it. */
const draftName = 'the drafted overlay';

/** Returns what makes a document unusable with an overlay, one line each. */
function listMistakes(file: string, { overlay }: DraftOverlay): readonly string[] {
  try {
    compileSpec(file, [draftName], { [draftName]: JSON.stringify(overlay) });
    return [];
  } catch (error) {
    if (error instanceof SpecError) return error.mistakes;
    throw error;
  }
}

function readBody({ name, body }: LookedAnswer): unknown {
  try {
    return parseAnswer(body, name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`look: the answer ${name} is no JSON; --spec describes answers in JSON`);
  }
}

function describe(
  { paths, guesses, questions }: DraftOverlay,
  document: string,
  { write: named }: LookDocumentFlags,
  leftOut: readonly string[],
  mistakes: readonly string[],
): string[] {
  const file = isStdout(named) ? undefined : named?.file;
  const overlay = file ?? 'roles.yaml';
  const use = `npx candleproof spec ${quoteForShell(document)} --overlay ${quoteForShell(overlay)}`;
  return [
    ...paths.map((path) => `candles  GET ${path}`),
    ...leftOut.map((line) => `left out ${line}`),
    ...guesses.map((guess) => `guessed  ${guess}`),
    ...questions.map((question) => `open     ${question}`),
    file === undefined ? `write the roles: --write ${overlay}` : `written: ${file}`,
    ...mistakes.map((mistake) => `unusable so far: ${mistake}`),
    mistakes.length > 0 ? `correct ${overlay}, then: ${use}` : `look at what is understood: ${use}`,
  ];
}
