import type { PostgresQuery } from '../../postgres/postgres-database.ts';
import { beginOf, day, hour } from '../calendar.ts';
import type { SlotRecord } from '../probe-record.ts';

/** Hours that may take a slot: all but those that are left as a roll-up, or only in the roll-up of their day. */
const takenHours = `
  SELECT each.begin FROM unnest($2::int8[]) AS each (begin)
  WHERE EXISTS (SELECT FROM results.changed_hours AS c WHERE c.begin = each.begin AND c.series = $1)
    OR CASE WHEN EXISTS (SELECT FROM results.hours AS h WHERE h.begin = each.begin AND h.series = $1)
      THEN EXISTS (SELECT FROM results.slots AS s
        WHERE s.series = $1 AND s.planned >= each.begin AND s.planned < each.begin + ${hour})
      ELSE NOT EXISTS (SELECT FROM results.days AS d
          WHERE d.series = $1 AND d.begin = each.begin - each.begin % ${day})
        OR EXISTS (SELECT FROM results.hours AS h WHERE h.series = $1
          AND h.begin >= each.begin - each.begin % ${day} AND h.begin < each.begin - each.begin % ${day} + ${day})
    END
  ORDER BY 1`;

/**
 * Says of each slot whether it may be written, and notes that its hour and its day lack something then. It may not where
 * only the roll-up is left: the hour could not be rolled again without what was forgotten.
 */
export async function taker(
  query: PostgresQuery,
  series: number,
  slots: readonly SlotRecord[],
): Promise<(slot: SlotRecord) => boolean> {
  const wanted = new Set(slots.map(({ scheduledAt }) => beginOf(scheduledAt, hour)));
  const rows = await query(takenHours, [series, [...wanted]]);
  const begins = rows.map(({ begin }) => Number(begin));
  await note(query, 'hours', series, begins);
  await note(query, 'days', series, [...new Set(begins.map((begin) => beginOf(begin, day)))]);
  const taken = new Set(begins);
  return ({ scheduledAt }) => taken.has(beginOf(scheduledAt, hour));
}

async function note(
  query: PostgresQuery,
  table: 'hours' | 'days',
  series: number,
  begins: readonly number[],
): Promise<void> {
  await query(
    `INSERT INTO results.changed_${table} SELECT begin, $1 FROM unnest($2::int8[]) AS each (begin) ON CONFLICT DO NOTHING`,
    [series, begins],
  );
}
