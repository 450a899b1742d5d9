import { type CsvCell, csvLine } from '@candleproof/files/csv-line';
import type { Example, Finding, Run } from '@candleproof/law/judge/verdict';
import { makeVisible } from '../words/escape.ts';

/** Renders the findings of a run for a spreadsheet: a row for each reported place, with the number of its finding. */
export function renderCsv({ findings }: Run): string {
  const rows = findings.flatMap((finding, index) =>
    finding.examples.map((example) =>
      columns.map(([, cell]) => cell({ finding, example, number: index + 1 })),
    ),
  );
  return [columns.map(([name]) => name), ...rows].map(csvLine).join('');
}

type Row = { readonly finding: Finding; readonly example: Example; readonly number: number };

/** Names of columns are those of run.json. */
const columns: readonly (readonly [name: string, cell: (row: Row) => CsvCell])[] = [
  ['finding', ({ number }) => number],
  ['rule', ({ finding }) => makeVisible(finding.rule)],
  ['level', ({ finding }) => finding.level],
  ['operation', ({ finding }) => makeVisible(finding.operation)],
  ['count', ({ finding }) => finding.count],
  ['known', ({ finding }) => finding.known !== undefined],
  ['intermittent', ({ finding }) => finding.intermittent],
  ['exchange', ({ example }) => example.exchange],
  ['pointer', ({ example }) => makeVisible(example.pointer)],
  ['address', ({ example }) => makeVisible(example.address ?? '')],
  ['expected', ({ example }) => makeVisible(example.expected)],
  ['actual', ({ example }) => makeVisible(example.actual)],
  ['url', ({ example }) => makeVisible(example.request?.url ?? '')],
  ['fingerprint', ({ finding }) => makeVisible(finding.fingerprint)],
  ['replay', ({ finding }) => makeVisible(finding.replay)],
];
