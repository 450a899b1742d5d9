import type { ApiDraft } from './draft.ts';
import type { DraftRow } from './draft-answer.ts';
import { hasIdleRow, hasMissing } from './row-evidence.ts';

const question =
  'x-gaps: no row without trades came; if an interval without trades has its row, write x-gaps: none, so that missing rows and old ones are found';

/** Begins with what accuses nobody: no row shows whether an interval without trades has one. */
export const openGaps: Pick<ApiDraft, 'gaps' | 'guesses' | 'questions'> = {
  gaps: 'idle',
  guesses: ['x-gaps idle: no row shows whether an interval without trades has one'],
  questions: [question],
};

/**
 * Returns a draft with what rows show about intervals without trades: a missing row decides, then a row without volume.
 * @param whose the rows, in words
 */
export function settleGaps(
  draft: ApiDraft,
  rows: readonly DraftRow[],
  seconds: number,
  whose: string,
): ApiDraft {
  const isOpen = draft.questions.includes(question);
  if (draft.gaps === 'idle' && !isOpen) return draft;
  // Markets close on some days, and days of a zone are an hour longer or shorter.
  if (seconds < 86_400 && hasMissing(rows, seconds))
    return decide(draft, 'idle', `rows of some intervals of ${whose} are missing`);
  return isOpen && hasIdleRow(rows)
    ? decide(draft, 'none', `rows without trades came among those of ${whose}`)
    : draft;
}

function decide(draft: ApiDraft, gaps: ApiDraft['gaps'], evidence: string): ApiDraft {
  return {
    ...draft,
    gaps,
    guesses: [
      ...draft.guesses.filter((guess) => !guess.startsWith('x-gaps ')),
      `x-gaps ${gaps}: ${evidence}`,
    ],
    questions: draft.questions.filter((each) => each !== question),
  };
}
