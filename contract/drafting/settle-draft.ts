import { writeTime } from '../document/times.ts';
import { readStarts } from './draft-answer.ts';
import type { DraftDocument } from './draft-document.ts';
import type { DraftParameter } from './draft-parameters.ts';

/** A further request that settles what one answer leaves open, and what it is for. */
export type DraftProbe = { readonly kind: 'edges' | 'most rows'; readonly url: URL };

/** An answer to a probe: its body, or undefined if it was refused. */
export type ProbeAnswer = DraftProbe & { readonly body: unknown };

/** Rows between the edges of a range that is requested to see them. */
const rowsBetween = 4;

/** Rows of a range that is longer than most APIs answer. */
const manyRows = 6000;

/** Lists the requests that settle the edges of a draft's ranges and the most rows of an answer. */
export function listProbes(draft: DraftDocument, url: URL, body: unknown, step: number): DraftProbe[] {
  const starts = readStarts(body, draft.layout).sort((one, other) => one - other);
  const find = (role: string) => draft.parameters.find((parameter) => parameter.role === role);
  const [from, to, limit] = [find('from'), find('to'), find('limit')];
  const [first, last] = [starts[0], starts[rowsBetween]];
  if (!from || !to || first === undefined || last === undefined || !(step > 0)) return [];
  const isInQuery = from.in === 'query' && to.in === 'query';
  const makeUrl = (begin: number, end: number): URL => {
    const changed = new URL(url);
    changed.searchParams.set(from.name, writeValue(from, begin));
    changed.searchParams.set(to.name, writeValue(to, end));
    return changed;
  };
  if (!isInQuery) return [];
  const newest = starts.at(-1) ?? last;
  return [
    { kind: 'edges', url: makeUrl(first, last) },
    ...(limit ? [] : [{ kind: 'most rows' as const, url: makeUrl(newest - manyRows * step, newest) }]),
  ];
}

function writeValue({ tags, value }: DraftParameter, seconds: number): string {
  const unit = (tags['x-unit'] ?? 's') as 's' | 'ms' | 'iso';
  const length = value.length;
  return writeTime(seconds, unit, undefined, (text) => text.length === length);
}

/** Returns a draft with what the answers to its probes settle, each with its evidence. */
export function settleDraft(
  draft: DraftDocument,
  body: unknown,
  answers: readonly ProbeAnswer[],
): DraftDocument {
  const starts = readStarts(body, draft.layout).sort((one, other) => one - other);
  const document = structuredClone(draft.document) as Described;
  const operation = Object.values(document.paths)[0]?.get;
  const guesses: string[] = [];
  for (const { kind, body: given } of operation ? answers : []) {
    const found = given === undefined ? undefined : readStarts(given, draft.layout);
    if (kind === 'most rows') {
      const most = found === undefined ? starts.length : cutAt(found.length);
      if (most === undefined || !operation) continue;
      operation['x-max-rows'] = most;
      guesses.push(
        `x-max-rows ${most}: ${found ? 'as many rows of a longer range came' : 'a longer range was refused'}`,
      );
    } else if (found && found.length > 0)
      for (const [role, start] of [
        ['from', starts[0]],
        ['to', starts[rowsBetween]],
      ] as const) {
        const parameter = operation?.parameters.find((each) => each['x-role'] === role);
        const edge = found.includes(start ?? Number.NaN) ? 'inclusive' : 'exclusive';
        if (!parameter) continue;
        parameter['x-edge'] = edge;
        guesses.push(
          `x-edge ${edge} at ${parameter.name}: the row that starts there ${edge === 'inclusive' ? 'came' : 'did not come'}`,
        );
      }
  }
  if (operation) operation['x-guesses'] = [...draft.guesses, ...guesses];
  return { ...draft, document, guesses: [...draft.guesses, ...guesses] };
}

type Tags = Record<string, unknown>;
type Described = { readonly paths: Record<string, { readonly get: Tags & { readonly parameters: Tags[] } }> };

/** Returns the number of rows if it looks like a limit rather than the beginning of a market. */
function cutAt(rows: number): number | undefined {
  const isRound = rows % 50 === 0 || Number.isInteger(Math.log2(rows)) || (rows - 1) % 100 === 0;
  return rows > 0 && rows < manyRows && isRound ? rows : undefined;
}
