import type { Moment } from '@candleproof/check/plan/moment';
import { makePath } from '@candleproof/check/run/requests';
import { listOperations, listPools } from '@candleproof/document/spec/operation';
import type { OperationRole } from '@candleproof/document/spec/roles';
import { type Rung, rungNames } from '@candleproof/document/spec/roles';
import type { Operation, PoolId, Spec } from '@candleproof/document/spec/spec';
import type { TargetFacts } from '@candleproof/law/reading/exchange';
import type { Need } from '@candleproof/law/rules/rule';
import type { MixedRequest } from '../load-run.ts';

/** Pools of each space that are requested: more of them show little, and lengthen the round. */
const mostPools = 3;

/**
 * The requests of a load, each once in a round: every interval of the first pools, histories of the present and of a
 * closed week, plain and inverted in turn, as many latest candles as histories, and a token list for each nine of them.
 */
export function makeMix(spec: Spec, target: TargetFacts, moment: Moment): MixedRequest[] {
  const mixedRequest = (
    operation: Operation,
    need: Omit<Need, 'role'>,
    kind: string,
    pool?: PoolId,
  ): MixedRequest => ({
    operation: operation.id,
    kind,
    path: makePath(
      spec,
      {
        need: { role: operation.role, ...need },
        operation: operation.id,
        pool,
      },
      moment,
    ),
  });
  const rungs = rungNames.filter((name) => spec.rungs[name]);
  const isInvertible = spec.roles.includes('inverted');
  const listPoolsOfRole = (role: OperationRole): (readonly [Operation, PoolId])[] =>
    listOperations(spec, role).flatMap((operation) =>
      listPools(target, operation)
        .slice(0, mostPools)
        .map((pool) => [operation, pool] as const),
    );
  const invertOdd = (at: number): { inverted?: boolean } => (isInvertible ? { inverted: at % 2 === 1 } : {});
  const formatKind = (rung: Rung, { inverted }: { inverted?: boolean }): string =>
    `${spec.rungs[rung]?.name}${inverted ? ', inverted' : ''}`;
  const latest = listPoolsOfRole('latest').flatMap(([operation, pool]) =>
    rungs.map((interval, at) =>
      mixedRequest(operation, { interval, ...invertOdd(at) }, formatKind(interval, invertOdd(at)), pool),
    ),
  );
  const histories = listPoolsOfRole('history').flatMap(([operation, pool]) =>
    listRanges(rungs).map(([interval, range], at) =>
      mixedRequest(
        operation,
        { interval, range, ...invertOdd(at) },
        `${formatKind(interval, invertOdd(at))}, ${range}`,
        pool,
      ),
    ),
  );
  const most = Math.max(latest.length, histories.length);
  const candles = [...fillUp(latest, most), ...fillUp(histories, most)];
  return interleave(
    candles,
    listOperations(spec, 'tokens').map((operation) => mixedRequest(operation, {}, 'all')),
  );
}

/** Lists ranges by interval. A closed week of minutes is thousands of candles, which no client requests repeatedly. */
function listRanges(rungs: readonly Rung[]) {
  return rungs.flatMap((interval) =>
    (['recent', 'closed week'] as const)
      .filter((range) => range === 'recent' || interval !== 'minutes')
      .map((range) => [interval, range] as const),
  );
}

function fillUp<T>(all: readonly T[], length: number): T[] {
  if (all.length === 0) return [];
  const rounds = Math.ceil(length / all.length);
  return Array.from({ length: rounds }, () => all)
    .flat()
    .slice(0, length);
}

/** Nine candles, drawn from both ends of the list, and the token lists. */
function interleave(candles: readonly MixedRequest[], tokens: readonly MixedRequest[]): MixedRequest[] {
  const half = Math.ceil(candles.length / 2);
  const paired = candles
    .slice(0, half)
    .flatMap((candle, index) => [candle, ...candles.slice(half + index, half + index + 1)]);
  return [
    ...tokens,
    ...paired.flatMap((request, index) => (index % 9 === 8 ? [request, ...tokens] : [request])),
  ];
}
