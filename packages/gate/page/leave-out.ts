import type { PoolId } from '@candleproof/document/spec/spec';
import { plural } from '@candleproof/reports/words/format';
import { isMissing } from '../audit/causes.ts';
import type { Damage } from '../audit/damage.ts';

/** Ranges that a query holds itself; more are read from the file. */
const mostHeld = 200;

type Span = Pick<Damage, 'pool' | 'interval' | 'from'> & { readonly to: number };

/**
 * Writes a query that leaves damaged, doubted and unread rows out of a table with the columns pool, interval and start (Unix
 * seconds). It is plain SQL; with very many ranges, that of DuckDB.
 */
export function writeSqlFilter(damage: readonly Damage[]): string[] {
  const spans = joinSpans(damage.filter((one) => !isMissing(one)));
  if (spans.length === 0) return remark(damage, '--');
  const isHeld = spans.length <= mostHeld;
  const values = spans.map(
    ({ pool, interval, from, to }) => `  (${quotePool(pool)}, ${quoteText(interval)}, ${from}, ${to})`,
  );
  const ranges = isHeld
    ? [
        'WITH damage (pool, size, begins, ends) AS (VALUES',
        ...values.map((value, at) => (at + 1 < values.length ? `${value},` : value)),
        ')',
      ]
    : [
        'WITH damage AS ( -- DuckDB reads the file',
        '  SELECT pool, "interval" AS size, "from" AS begins, "to" AS ends',
        "  FROM read_json('damage.ndjson') WHERE kind NOT IN ('gap', 'outage')",
        ')',
      ];
  const lines = [
    'SELECT candles.* FROM candles WHERE NOT EXISTS (',
    '  SELECT 1 FROM damage',
    '  WHERE damage.pool = candles.pool AND damage.size = candles."interval"',
    '    AND candles.start >= damage.begins AND candles.start < damage.ends',
    ');',
  ];
  return [...ranges, ...lines, ...remark(damage, '--')];
}

/** Writes lines of Python that leave the same rows out of a data frame of pandas. */
export function writePandasFilter(damage: readonly Damage[]): string[] {
  if (damage.every(isMissing)) return remark(damage, '#');
  return [
    "damage = pd.read_json('damage.ndjson', lines=True)",
    "for bad in damage[~damage['kind'].isin(['gap', 'outage'])].to_dict('records'):",
    "    candles = candles[~((candles['pool'] == bad['pool']) & (candles['interval'] == bad['interval'])",
    "                        & (candles['start'] >= bad['from']) & (candles['start'] < bad['to']))]",
    ...remark(damage, '#'),
  ];
}

/** Says that intervals without a row are no quiet ones, if there are some. */
function remark(damage: readonly Damage[], sign: string): string[] {
  const ranges = damage.filter(isMissing).length;
  return ranges === 0 ? [] : [`${sign} ${plural(ranges, 'range')} of no row: unknown, not quiet`];
}

/** Joins ranges of one pool and interval that meet, whatever is wrong with them. */
function joinSpans(damage: readonly Damage[]): Span[] {
  const groups = Map.groupBy(damage, ({ pool, interval }) => JSON.stringify([pool, interval]));
  return [...groups.values()].flatMap((group) => {
    const spans: Span[] = [];
    for (const { pool, interval, from, to } of group.toSorted((a, b) => a.from - b.from)) {
      const before = spans.at(-1);
      if (before && from <= before.to) spans[spans.length - 1] = { ...before, to: Math.max(before.to, to) };
      else spans.push({ pool, interval, from, to });
    }
    return spans;
  });
}

function quotePool(pool: PoolId): string {
  return typeof pool === 'number' ? String(pool) : quoteText(pool);
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
