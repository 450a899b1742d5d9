import type { CandleAnswer } from '../../reading/reading.ts';
import { largest } from '../../reading/statistics.ts';
import { newestSeconds } from '../../reading/tolerances.ts';
import type { Evidence } from '../../relations/evidence.ts';
import { intervalLength, poolKey } from '../../relations/series.ts';
import { latestOfEachPool } from '../needs.ts';
import { type Band, joinValues, nameBand } from '../observed-values.ts';
import type { Question } from '../rule.ts';

/** Minutely observations, some of which fail, appear within five minutes. */
const lags: readonly Band[] = [
  { upTo: 300, name: 'within five minutes' },
  { upTo: 600, name: 'within ten minutes' },
  { upTo: 3600, name: 'within an hour' },
  { upTo: Number.POSITIVE_INFINITY, name: 'more than an hour' },
];

/** Returns the freshest answer of every pool, which bounds its lag. Silent pools lag because nothing happens. */
function lagAnswer({ latest, conventions }: Evidence): string | undefined {
  if (conventions.openEnd === 'interval end') return undefined;
  const pools = Map.groupBy(latest, poolKey);
  const behind = [...pools.values()].flatMap((answers) => {
    const reported = answers.flatMap(measureLag);
    return reported.length > 0 ? [-largest(reported.map((value) => -value))] : [];
  });
  if (behind.length === 0) return undefined;
  const alive = behind.filter((seconds) => seconds <= 3600);
  return nameBand(largest(alive.length > 0 ? alive : behind), lags);
}

function measureLag({ candles: [candle], serverNow }: CandleAnswer): number[] {
  return candle && serverNow !== undefined && !Number.isNaN(candle.end) ? [serverNow - candle.end] : [];
}

/** Silence of a whole interval, and at least an hour, is no race, cache or failed observation. */
function isSilent(answer: CandleAnswer): boolean {
  const [candle] = answer.candles;
  if (!candle || answer.serverNow === undefined) return false;
  const silence = answer.serverNow - candle.start - intervalLength(answer);
  return silence > Math.max(3600, intervalLength(answer)) + newestSeconds;
}

function silentAnswer({ latest }: Evidence): string | undefined {
  return joinValues(latest.filter(isSilent).map(() => 'its last candle, however old'));
}

export const latestQuestions: readonly Question[] = [
  {
    id: 'latest/lag',
    section: '4.3',
    question: 'How far is the latest candle behind the server’s clock?',
    why: 'It is the freshness that a price display can promise.',
    exactly:
      'now − E of the freshest answer of each pool, the largest of them; pools more than an hour old are left out while any is fresher. Classes end at 5, 10 and 60 minutes; within a quarter of a bound both are named.',
    restsOn: ['latest'],
    needs: [latestOfEachPool],
    answer: lagAnswer,
  },
  {
    id: 'latest/silent-pool',
    section: '4.3',
    question: 'What is the latest candle of a pool that is no longer observed?',
    why: 'A display that ignores its time shows a stale price as current.',
    exactly: 'reported where now − S − L exceeds both L and an hour by 240 s.',
    restsOn: ['latest'],
    needs: [latestOfEachPool],
    answer: silentAnswer,
  },
];
