import type { ApiDraft } from './draft.ts';
import type { DraftRow } from './draft-answer.ts';
import { findLocalOffset, findShift } from './local-times.ts';
import { retagStart } from './settle-rows.ts';

/** Begins the question about texts without an offset. */
const openZone = 'x-zone of ';

/** Returns whether the zone of texts without an offset is open. */
export function hasOpenZone({ missing }: ApiDraft): boolean {
  return missing.some((question) => question.startsWith(openZone));
}

/** Returns a draft with the zone that the newest rows show, if they reach the answer's time. */
export function settleZone(draft: ApiDraft, rows: readonly DraftRow[], now: number | undefined): ApiDraft {
  if (now === undefined) return draft;
  const shown = findShift({ starts: rows.map(({ start }) => start), step: draft.step, now });
  if (!shown) return draft;
  const ahead = findLocalOffset(shown, now);
  const tags = { 'x-zone': shown.zone };
  return {
    ...draft,
    ahead,
    rows: draft.rows.map((row) => ({ ...row, start: row.start - ahead })),
    schema: ahead === 0 ? draft.schema : retagStart(draft.schema, tags),
    parameters: draft.parameters.map((parameter) =>
      parameter.tags['x-zone'] === undefined
        ? parameter
        : { ...parameter, tags: { ...parameter.tags, ...tags } },
    ),
    guesses: [...draft.guesses, `x-zone ${shown.zone}: ${shown.evidence}`],
    missing: draft.missing.filter((question) => !question.startsWith(openZone)),
  };
}
