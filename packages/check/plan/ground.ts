import { operationById } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { CoveredGround } from '@candleproof/law/judge/verdict';
import { isKeyed, isMeantToFail, type PlannedRequest } from './planned-request.ts';

/** A cell of the ground: `history`, `inverted ` and `HOUR`. */
type Cell = { readonly operation: string; readonly side: string; readonly interval: string };

/** Directions of candles in the order of their naming. */
const sides = ['', 'inverted '];

/**
 * Measures how much of a whole plan was requested: the cells operation × interval × direction, and the names of all parts
 * that were left out, the token list, requests without a key, wrong keys and faulty requests among them. A cell that both operations
 * lack is named once: `inverted HOUR`, `latest inverted HOUR, DAY`.
 */
export function measureGround(
  spec: Spec,
  whole: readonly PlannedRequest[],
  isSent: (request: PlannedRequest) => boolean,
): CoveredGround {
  const sent = whole.filter(isSent);
  const known = new Set(sent.flatMap((request) => namePart(spec, request)));
  const all = listCells(spec, whole);
  const lacking = all.filter((cell) => !known.has(nameCell(cell)));
  const parts = new Set(
    whole.filter((request) => !readCell(spec, request)).flatMap((request) => namePart(spec, request)),
  );
  return {
    cells: all.length - lacking.length,
    of: all.length,
    grid: all.map((cell) => ({
      operation: cell.operation,
      interval: cell.interval,
      inverted: cell.side !== '',
      requested: known.has(nameCell(cell)),
    })),
    notRequested: [...nameCells(lacking, all), ...[...parts].filter((part) => !known.has(part))],
  };
}

function namePart(spec: Spec, request: PlannedRequest): string[] {
  const { need } = request;
  const cell = readCell(spec, request);
  if (cell) return [nameCell(cell)];
  if (need.errorCase && isKeyed(request)) return ['faulty requests'];
  if (need.trial) return ['wrong keys'];
  if (need.unkeyed) return ['requests without a key'];
  return need.role === 'tokens' && isKeyed(request) ? ['the token list'] : [];
}

function readCell(spec: Spec, request: PlannedRequest): Cell | undefined {
  const { need, operation } = request;
  if (need.role === 'tokens' || isMeantToFail(request)) return undefined;
  const { role } = operationById(spec, operation);
  const interval = need.interval && spec.rungs[need.interval]?.name;
  return { operation: role, side: need.inverted ? 'inverted ' : '', interval: interval ?? 'candles' };
}

function nameCell({ operation, side, interval }: Cell): string {
  return `${operation} ${side}${interval}`;
}

/** Lists each cell once. */
function listCells(spec: Spec, requests: readonly PlannedRequest[]): Cell[] {
  const cells = requests.flatMap((request) => readCell(spec, request) ?? []);
  return [...new Map(cells.map((cell) => [nameCell(cell), cell])).values()];
}

/** Names cells by direction and operation; those that every operation of the ground lacks are named without it. */
function nameCells(missing: readonly Cell[], all: readonly Cell[]): string[] {
  return sides.flatMap((side) => {
    const ofSide = missing.filter((cell) => cell.side === side);
    const lacks = (interval: string): string[] =>
      ofSide.filter((cell) => cell.interval === interval).map(({ operation }) => operation);
    const isEverywhere = ({ interval }: Cell): boolean =>
      all.filter((cell) => cell.side === side && cell.interval === interval).length ===
      lacks(interval).length;
    const groups = Map.groupBy(ofSide, (cell) => (isEverywhere(cell) ? '' : `${cell.operation} `));
    return [...groups].map(
      ([operation, cells]) =>
        `${operation}${side}${[...new Set(cells.map(({ interval }) => interval))].join(', ')}`,
    );
  });
}
