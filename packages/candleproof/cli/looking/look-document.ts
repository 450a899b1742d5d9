import { readSpec } from '@candleproof/check/target/accepted-spec';
import { documentFiles } from '@candleproof/check/target/target';
import { readPlainDocument } from '@candleproof/document/spec/plain-document';
import { SpecError } from '@candleproof/document/spec/spec';
import { type DraftOverlay, draftOverlay } from '@candleproof/drafting/draft-overlay';
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
export type LookDocumentFlags = PrintFlags & { readonly spec: string; readonly write?: NamedFile };

/**
 * Drafts the roles of a document as an overlay, prints what is guessed and what is open, and writes it where that is
 * wanted. One answer of the API decides what the document leaves open. Returns the exit code.
 */
export function lookAtDocument(flags: LookDocumentFlags, answer?: LookedAnswer): number {
  const { file } = documentFiles(flags.spec);
  const given = answer && {
    ...(answer.url && { url: answer.url }),
    body: readBody(answer),
  };
  const draft = draftOverlay(readPlainDocument(file), given);
  if (draft.operations.length === 0)
    throw new UsageError(
      answer?.url
        ? `look: no GET of ${file} without x-role has the path of ${answer.url.pathname} and parameters of candles`
        : `look: no GET of ${file} without x-role looks like candles; look at an answer: npx candleproof look URL --spec ${file}`,
    );
  const mistakes = flags.write === undefined ? [] : write(file, flags.write, draft);
  printText([...describe(draft, file, flags, mistakes), ''].map(makeVisible).join('\n'), wordsBeside(flags));
  printJson(flags, { ...draft, mistakes });
  return mistakes.length > 0 ? 3 : 0;
}

function readBody({ name, body }: LookedAnswer): unknown {
  try {
    return parseAnswer(body, name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`look: the answer ${name} is no JSON; --spec describes answers in JSON`);
  }
}

/** Writes an overlay, and returns what makes the document unusable with it, one line each. */
function write(document: string, named: NamedFile, { overlay }: DraftOverlay): readonly string[] {
  writeText(named, stringify(overlay, { lineWidth: 110 }));
  if (isStdout(named)) return [];
  try {
    readSpec({ file: document, overlays: [named.file] });
    return [];
  } catch (error) {
    if (error instanceof SpecError) return error.mistakes;
    throw error;
  }
}

function describe(
  { operations, guesses, questions }: DraftOverlay,
  document: string,
  { write: named }: LookDocumentFlags,
  mistakes: readonly string[],
): string[] {
  const file = isStdout(named) ? undefined : named?.file;
  const overlay = file ?? 'roles.yaml';
  const use = `npx candleproof spec ${quoteForShell(document)} --overlay ${quoteForShell(overlay)}`;
  return [
    ...operations.map((operation) => `candles  ${operation}`),
    ...guesses.map((guess) => `guessed  ${guess}`),
    ...questions.map((question) => `open     ${question}`),
    file === undefined ? `write the roles: --write ${overlay}` : `written: ${file}`,
    ...mistakes.map((mistake) => `unusable so far: ${mistake}`),
    mistakes.length > 0 ? `correct ${overlay}, then: ${use}` : `look at what is understood: ${use}`,
  ];
}
