import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ProbeSeries } from '../probe-record.ts';
import type { SeriesExtent, Span } from '../results-store.ts';

/** The numbers that series have in the other tables. */
export class SeriesRows {
  readonly #all: StatementSync;
  readonly #extent: StatementSync;
  readonly #extents: StatementSync;

  constructor(database: DatabaseSync) {
    this.#all = database.prepare(
      'SELECT series, target, probe, operation, location, source FROM series ORDER BY series',
    );
    this.#extents = database.prepare(
      'SELECT target, probe, operation, location, source, first, last FROM series ORDER BY series',
    );
    this.#extent = database.prepare('SELECT min(first) AS first, max(last) AS last FROM series');
  }

  /** By number, those that agree with `of`. */
  numbered(of: Partial<ProbeSeries> = {}): ReadonlyMap<number, ProbeSeries> {
    const wanted = Object.entries(of);
    const rows = this.#all.all().map(({ series, ...rest }) => [Number(series), rest as ProbeSeries] as const);
    return new Map(
      rows.filter(([, series]) =>
        wanted.every(([name, value]) => value === undefined || series[name as keyof ProbeSeries] === value),
      ),
    );
  }

  extent(): Span | undefined {
    const { first, last } = this.#extent.get() ?? {};
    return typeof first === 'number' && typeof last === 'number' ? { from: first, to: last } : undefined;
  }

  extents(): SeriesExtent[] {
    return this.#extents.all().map(({ first, last, ...series }) => ({
      series: series as ProbeSeries,
      from: Number(first),
      to: Number(last),
    }));
  }
}

/** Gives new series their numbers, and notes how far each reaches. */
export class SeriesWriter {
  readonly #reach: StatementSync;

  constructor(database: DatabaseSync) {
    this.#reach = database.prepare(`
      INSERT INTO series (target, probe, operation, location, source, first, last) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last)
      RETURNING series`);
  }

  /** The series' number after it learned that slots from `first` to `last` are planned in it. */
  reach(series: ProbeSeries, first: number, last: number): number {
    const { target, probe, operation, location, source } = series;
    return Number(this.#reach.get(target, probe, operation, location, source, first, last)?.series);
  }
}
