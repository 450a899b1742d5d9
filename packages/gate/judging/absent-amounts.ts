import type { TableRow } from '../reading/table.ts';

/** The value that stands for none, as at Interactive Brokers, and the rows that must all have it. */
const [none, fewest] = [-1, 12];

/** Takes amounts of -1 as missing, in columns that have no other value in the first rows. */
export class AbsentAmounts {
  readonly average: boolean;
  readonly volume: boolean;

  /** `rows` are the first rows of the table. */
  constructor(rows: readonly TableRow[]) {
    this.average = isAbsent(rows.map(({ avg }) => avg));
    this.volume = isAbsent(rows.map(({ volume }) => volume));
  }

  clear(row: TableRow): void {
    if (this.average && row.avg === none) row.avg = Number.NaN;
    if (!this.volume || row.volume !== none) return;
    row.volume = Number.NaN;
    row.volumeText = '';
  }
}

function isAbsent(values: readonly number[]): boolean {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length >= fewest && known.every((value) => value === none);
}
