import type { Moment } from '../../conformance/moment.ts';
import { pathFor } from '../../conformance/requests.ts';
import type { TargetFacts } from '../../contract/exchange.ts';
import { type Interval, intervals } from '../../contract/interval.ts';
import { operationFor } from '../../contract/operation.ts';
import type { Need } from '../../contract/rule.ts';
import type { Spec } from '../../contract/spec.ts';
import type { MixedRequest } from '../../load/load-plan.ts';

/** Pools of each generation that are asked for: more of them tell little, and lengthen the round. */
const mostPools = 3;

/**
 * The requests of a load, each once in a round: every interval of the first pools, histories of the present and of a
 * closed week, plain and inverted in turn, as many latest candles as histories, and a token list for each nine of them.
 */
export function mixOf(spec: Spec, target: TargetFacts, moment: Moment): MixedRequest[] {
  const asked = (need: Need, kind: string, pool?: number): MixedRequest => ({
    operation: operationFor(spec, need.role).id,
    kind,
    path: pathFor(spec, { need, credential: 'api-key', ...(pool !== undefined && { pool }) }, moment),
  });
  const latest = target.poolsV1.slice(0, mostPools).flatMap((pool) =>
    intervals.map((interval, at) => {
      const inverted = at % 2 === 1;
      return asked({ role: 'latest', interval, inverted }, kindOf(interval, inverted), pool);
    }),
  );
  const histories = target.poolsV2.slice(0, mostPools).flatMap((pool) =>
    rangesAsked.map(([interval, range], at) => {
      const inverted = at % 2 === 1;
      const need: Need = { role: 'history', interval, range, inverted };
      return asked(need, `${kindOf(interval, inverted)}, ${range}`, pool);
    }),
  );
  const most = Math.max(latest.length, histories.length);
  const candles = [...filled(latest, most), ...filled(histories, most)];
  const tokens = asked({ role: 'tokens' }, 'all');
  return interleaved(candles, tokens);
}

/** A closed week of five minutes is two thousand candles, which no client asks for again and again. */
const rangesAsked = intervals.flatMap((interval) =>
  (['recent', 'closed week'] as const)
    .filter((range) => range === 'recent' || interval !== 'FIVEMIN')
    .map((range) => [interval, range] as const),
);

function kindOf(interval: Interval, inverted: boolean): string {
  return inverted ? `${interval}, inverted` : interval;
}

function filled<T>(all: readonly T[], length: number): T[] {
  if (all.length === 0) return [];
  const rounds = Math.ceil(length / all.length);
  return Array.from({ length: rounds }, () => all)
    .flat()
    .slice(0, length);
}

/** Nine candles, drawn from both ends of the list, and a token list. */
function interleaved(candles: readonly MixedRequest[], tokens: MixedRequest): MixedRequest[] {
  const half = Math.ceil(candles.length / 2);
  const paired = candles
    .slice(0, half)
    .flatMap((each, index) => [each, ...candles.slice(half + index, half + index + 1)]);
  return [tokens, ...paired.flatMap((each, index) => (index % 9 === 8 ? [each, tokens] : [each]))];
}
