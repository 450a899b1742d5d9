import type { ApiDraft } from '@candleproof/drafting/draft';
import type { NamedFile } from '@candleproof/files/named-file';
import { quoteForShell } from '@candleproof/files/shell-word';
import { makeVisible } from '@candleproof/reports/words/escape';
import { isStdout } from '../running/file-option.ts';
import { listKeyVariables } from './look-keys.ts';
import type { LookedAnswer, LookRequestFlags } from './look-requests.ts';

type DraftWordsFlags = LookRequestFlags & { readonly write?: NamedFile };

/** Words a draft: its guesses, its questions and the next command. */
export function describeDraft(
  draft: ApiDraft | undefined,
  { url, name }: LookedAnswer,
  flags: DraftWordsFlags,
): string[] {
  const { write } = flags;
  if (!url)
    return [
      `judge more of it: npx candleproof gate ${quoteForShell(name)}; draft its document: --url with the address of this answer`,
    ];
  if (!draft) return ['no document could be drafted: this answer is no JSON with rows of candles'];
  const file = write === undefined || isStdout(write) ? 'api.yaml' : write.file;
  const guesses = draft.guesses.map((guess) => `guessed  ${guess}`);
  const open = draft.missing.map((question) => `open ?   ${question}`);
  const steps =
    write === undefined || isStdout(write) ? [`write the document: --write ${file}`] : [`written: ${file}`];
  const next =
    draft.missing.length > 0
      ? `answer the questions in ${file}, then: npx candleproof spec ${quoteForShell(file)}`
      : `check the API by it: ${writeCheck(draft, url, file, flags)}`;
  return [...guesses, ...open, ...steps, next].map(makeVisible);
}

/** Writes the command that checks an API by a draft. */
function writeCheck({ pool = '' }: ApiDraft, { origin }: URL, file: string, flags: DraftWordsFlags): string {
  const variables = listKeyVariables(flags.keys).map((name) => `${name}=… `);
  const key = flags.apiKeyFile === undefined ? '' : ` --api-key-file ${quoteForShell(flags.apiKeyFile)}`;
  const trust = flags.caFile === undefined ? '' : ` --ca-file ${quoteForShell(flags.caFile)}`;
  return `${variables.join('')}npx candleproof check --spec ${quoteForShell(file)} --base-url ${origin} --pools ${quoteForShell(pool)}${key}${trust}`;
}
