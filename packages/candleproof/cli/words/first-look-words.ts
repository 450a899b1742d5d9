import { type FirstLook, isQuiet, type QuietPool, type SeenPool } from '@candleproof/check/run/first-look';
import { thousands } from '@candleproof/law/reading/words';
import { ageInWords } from '@candleproof/monitors/page/plan-words';
import { makeVisible } from '@candleproof/reports/words/escape';
import type { RemoteTarget } from '../target/read-target.ts';

/** Describes what the first requests to a target showed: its key, its pools, its month. */
export function describeFirstLook(look: FirstLook, { facts }: RemoteTarget): string {
  const { trouble, pools, quota, sent } = look;
  const { limit, remaining, reset } = quota;
  const month =
    facts.keyless && !limit
      ? 'quota     none without a key'
      : limit === undefined || remaining === undefined || reset === undefined
        ? 'quota     not reported by its headers'
        : `quota     ${thousands(remaining)} of ${thousands(limit)} requests left until ${stamp(reset)}`;
  const key = facts.keyless ? 'not needed' : 'accepted';
  return [
    `${facts.name}  ${facts.baseUrl}`,
    `key       ${trouble === undefined ? key : `unknown: ${makeVisible(trouble)}`}`,
    ...pools.map((pool) => `${poolName(pool)} ${pool.id}`.padEnd(10) + poolInWords(pool)),
    ...quietAdvice(look),
    month,
    `requests  ${sent} sent`,
    '',
  ].join('\n');
}

function poolInWords({ answers, status, isUnreadable, quiet }: SeenPool): string {
  if (answers === undefined) return ' not requested';
  if (isUnreadable) return ' answers, without a candle that can be read: check says why';
  if (answers) return ` answers${quiet ? quietInWords(quiet) : ''}`;
  if (status === 404) return ' is not known to it, left out';
  if (status === 200) return ' has no candles of the last 7 days, left out';
  return ` is ${status === undefined ? 'not answered' : `answered ${status}`}, left out`;
}

function quietInWords({ missing, of, age }: QuietPool): string {
  const rows = missing > 0 ? `, no row for ${thousands(missing)} of ${thousands(of)} intervals` : '';
  return `${rows}, its newest observation ${ageInWords(age * 1000)} old`;
}

/** Returns advice if rows are missing or old: a check would call that a breach of the document. */
function quietAdvice({ pools }: FirstLook): string[] {
  const quiet = pools.filter(isQuiet);
  if (quiet.length === 0) return [];
  const named = quiet.map((seenPool) => `${poolName(seenPool)} ${seenPool.id}`).join(', ');
  return [
    `quiet     ${named}: name livelier pools, or declare them: gaps: idle beside the target's pools (--gaps idle)`,
  ];
}

/** A reset that is no time in milliseconds stays the number that it is. */
function stamp(reset: number): string {
  const date = new Date(reset);
  return Number.isNaN(date.getTime()) ? String(reset) : date.toISOString();
}

/** The space of an API that has one alone says nothing. */
function poolName({ space }: SeenPool): string {
  return space === 'pools' ? 'pool' : `${space} pool`;
}
