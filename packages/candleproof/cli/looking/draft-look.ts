import type { ApiDraft } from '@candleproof/drafting/draft';
import { draftApi } from '@candleproof/drafting/draft-document';
import type { Gated } from '@candleproof/gate/gated';
import { readInterval } from '@candleproof/gate/judging/grid';
import type { Exchange } from '@candleproof/law/reading/exchange';
import {
  type LookedAnswer,
  type LookRequestFlags,
  readData,
  type SettledLook,
  settleOpen,
} from './look-requests.ts';
import { parseAnswer } from './parse-answer.ts';
import { proveDraft } from './prove-draft.ts';

/** Flags of `look` that a draft depends on. */
export type DraftLookFlags = LookRequestFlags & {
  /** The market in the URL. */
  readonly pool?: string;
};

/** Drafts the document of an answer, settles what is open if that is wanted, and proves it. */
export async function draftLooked(
  url: URL,
  answer: LookedAnswer,
  gated: Gated,
  flags: DraftLookFlags,
): Promise<SettledLook | undefined> {
  const drafted = draftFor(url, answer, gated, flags);
  if (!drafted) return undefined;
  const { draft, exchanges }: SettledLook = flags.settle
    ? await settleOpen(drafted, flags)
    : { draft: drafted, exchanges: [] };
  const first = answer.exchange ?? makeExchange(url, answer, readData(flags));
  const isJudged = flags.settle === true && gated.verdict === 'sound';
  const questions = proveDraft(draft, [first, ...exchanges], isJudged);
  // A part that is missing is named by its own question.
  const missing = draft.missing.length > 0 ? draft.missing : questions;
  return { draft: { ...draft, missing }, exchanges };
}

/** Returns a saved answer as the exchange that it was. */
function makeExchange({ href }: URL, { body }: LookedAnswer, posted: unknown): Exchange {
  const sent = posted === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(posted) };
  const headers = [['content-type', 'application/json']] as const;
  const text = Buffer.from(body).toString();
  return {
    request: { ...sent, url: href, headers: [], credential: 'unknown' },
    response: {
      ...{ status: 200, statusText: 'OK', httpVersion: '1.1', headers },
      body: { text, encoding: 'utf8' },
    },
    timings: { total: 0 },
    startedAt: new Date().toISOString(),
  };
}

function draftFor(
  url: URL,
  { name, body, now }: LookedAnswer,
  gated: Gated,
  flags: DraftLookFlags,
): ApiDraft | undefined {
  try {
    return draftApi(url, parseAnswer(body, name), {
      ...{ step: readStep(gated), pool: flags.pool, body: readData(flags) },
      ...(now !== undefined && { now }),
      ...flags.keys.drafted,
    });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readStep({ files: [file] }: Gated): number {
  return readInterval(file?.interval ?? '') ?? Number.NaN;
}
