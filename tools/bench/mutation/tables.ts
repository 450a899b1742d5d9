import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { MutantResult, MutantStatus } from '@stryker-mutator/api/core';

/** Formats a Markdown table with a line per file and one for all. */
export function formatTable(results: readonly MutantResult[]): string[] {
  const files = Map.groupBy(results, (result) => result.fileName);
  const lines = [...files].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    '| rule file | mutants | killed | timeout | survived | no coverage | score |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...lines.map(([file, mutants]) => formatLine(basename(file), mutants)),
    formatLine('**all**', results),
  ];
}

/** Excludes ignored mutants and those that fail to load from the score. */
function formatLine(name: string, results: readonly MutantResult[]): string {
  const count = (status: MutantStatus): number => results.filter((result) => result.status === status).length;
  const [killed, timeout, survived, unseen] = (['Killed', 'Timeout', 'Survived', 'NoCoverage'] as const).map(
    count,
  ) as [number, number, number, number];
  const all = killed + timeout + survived + unseen;
  const score = all > 0 ? ((100 * (killed + timeout)) / all).toFixed(1) : '–';
  return `| ${[name, all, killed, timeout, survived, unseen, score].join(' | ')} |`;
}

export type Survivor = {
  readonly place: string;
  readonly status: MutantStatus;
  readonly mutator: string;
  readonly source: string;
  readonly replacement: string;
};

/** Lists mutants that no test found, or that could not be run. */
export function listSurvivors(results: readonly MutantResult[]): Survivor[] {
  return results
    .filter(({ status }) => !['Killed', 'Timeout', 'Ignored'].includes(status))
    .map(({ fileName, location: { start, end }, status, mutatorName, replacement = '', statusReason }) => ({
      place: `${fileName}:${start.line}:${start.column}`,
      status,
      mutator: mutatorName,
      source: textBetween(readFileSync(fileName, 'utf8').split('\n'), start, end),
      replacement: statusReason ? `${replacement} (${statusReason})` : replacement,
    }));
}

/** Lines and columns count from 1. */
type Position = { readonly line: number; readonly column: number };

function textBetween(lines: readonly string[], start: Position, end: Position): string {
  const within = lines.slice(start.line - 1, end.line);
  const last = within.length - 1;
  return within
    .map((line, at) =>
      line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined).trim(),
    )
    .join(' ');
}
