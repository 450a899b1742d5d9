import { type Cell, numberCell, wideTable } from '@candleproof/reports/run/table';
import { timeText, unknown } from '@candleproof/reports/words/format';
import { type Markup, markup } from '@candleproof/reports/words/markup';
import type { Percentiles } from '../estimates.ts';
import type { OperationFigures } from '../judged-days.ts';
import { operationTitle } from '../wording.ts';
import { countCell, percentileCells } from './pieces.ts';

/** Renders timings of each operation, separately over new and kept connections, with n and interval. */
export function latencyPart(operations: readonly OperationFigures[], name: string): Markup {
  return markup`<h4>Latency</h4>
<p class="lead">From the first byte sent to the last received, a new connection's set-up included. Below each percentile its 95 % interval. Confirming requests are left out. “Since the planned instant” also holds the answers of the same slot that were waited for before it; what the monitor itself was late is left out.</p>
${wideTable({
  caption: `Latency, ${name}`,
  heads: ['Operation', 'Connection', 'n', 'p50', 'p95', 'p99'],
  numbersFrom: 2,
  rows: operations.flatMap(latencyRows),
})}
<details><summary>Where the time goes: cold and warm phases</summary>${phasesTable(operations, name)}</details>`;
}

function latencyRows({ operation, cold, warm, sincePlanned }: OperationFigures): Cell[][] {
  const kinds: [string, Percentiles | undefined][] = [
    ['new (cold)', cold],
    ['kept (warm)', warm],
    ['since the planned instant', sincePlanned],
  ];
  const shown = kinds.filter(([, sample]) => sample !== undefined);
  const rows = shown.length > 0 ? shown : kinds.slice(0, 1);
  return namedOnce(
    operation,
    rows.map(([kind, sample]) => [{ value: kind }, ...percentileCells(sample, timeText)]),
  );
}

/** Puts the operation before its first row, over all of them. */
function namedOnce(operation: OperationFigures['operation'], rows: readonly Cell[][]): Cell[][] {
  const name: Cell = { value: operationTitle(operation), is: 'name', rows: rows.length };
  return rows.map((cells, index) => (index === 0 ? [name, ...cells] : cells));
}

/** Renders phases; a phase that did not happen has no row: a kept connection needs no name lookup. */
function phasesTable(operations: readonly OperationFigures[], name: string): Markup {
  return wideTable({
    caption: `Phases of a request, ${name}`,
    heads: ['Operation', 'Phase', 'n cold', 'p50 cold', 'p95 cold', 'n warm', 'p50 warm', 'p95 warm'],
    numbersFrom: 2,
    rows: operations.flatMap(({ operation, phases }) =>
      namedOnce(
        operation,
        phases.map(({ phase, cold, warm }) => [
          { value: phase },
          ...[cold, warm].flatMap((sample) => [
            countCell(sample?.n),
            ...[0.5, 0.95].map((p) => shortCell(sample, p)),
          ]),
        ]),
      ),
    ),
  });
}

function shortCell(sample: Percentiles | undefined, p: number): Cell {
  const found = sample?.at.find((percentile) => percentile.p === p);
  return numberCell(found ? timeText(found.value) : unknown);
}
