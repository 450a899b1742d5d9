import { matchPath, recognise } from '../contract/asked.ts';
import type { Exchange, TargetFacts } from '../contract/exchange.ts';
import type { Spec } from '../contract/spec.ts';

/**
 * What the exchanges of others tell of their target: the base URL under which most of them ask for the three
 * operations, and the pools asked for. Nobody knows who else used the key. Undefined where none is such a request.
 */
export function inferTarget(spec: Spec, exchanges: readonly Exchange[]): TargetFacts | undefined {
  const bases = exchanges.flatMap(({ request }) => baseOf(spec, request.url) ?? []);
  const counts = Map.groupBy(bases, (each) => each);
  const [baseUrl] = [...counts].sort((a, b) => b[1].length - a[1].length)[0] ?? [];
  if (baseUrl === undefined) return undefined;
  const asked = exchanges.flatMap(({ request }) => recognise(spec, baseUrl, request) ?? []);
  const pools = (operation: string): number[] => [
    ...new Set(
      asked.flatMap((each) =>
        each.operation === operation && each.poolId !== undefined ? [each.poolId] : [],
      ),
    ),
  ];
  return {
    name: new URL(baseUrl).hostname,
    baseUrl,
    poolsV1: pools('getLatestV1PoolCandle'),
    poolsV2: pools('listV2PoolCandles'),
    keyless: false,
    soleUser: false,
  };
}

/** The part of a URL before an operation's path. The longest path wins: one may end like another. */
function baseOf(spec: Spec, text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  const steps = pathname.replace(/\/$/, '').split('/');
  const templates = spec.operations
    .map((each) => each.path)
    .sort((a, b) => b.split('/').length - a.split('/').length);
  for (const template of templates) {
    const at = steps.length - template.split('/').length + 1;
    if (at >= 1 && matchPath(template, `/${steps.slice(at).join('/')}`))
      return origin + steps.slice(0, at).join('/');
  }
  return undefined;
}
