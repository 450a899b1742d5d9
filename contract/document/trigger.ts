import { tagOfNobody } from '../law/error-cases.ts';
import { headerValues, type PoolId, type TargetFacts } from '../reading/exchange.ts';
import type { Answer } from '../reading/reading.ts';
import { plausibleSeconds } from '../reading/tolerances.ts';
import type { Evidence } from '../relations/evidence.ts';
import { operationOf } from './operation.ts';
import { matchPath } from './requested.ts';
import type { Parameter, Spec } from './spec.ts';

type Found = { readonly spec: Spec; readonly target: TargetFacts; readonly trigger: string | undefined };

const found = new WeakMap<Answer, Found>();

/**
 * What is wrong or odd about a request, in a word such as `from-left-out`, as its URL, method and headers tell: a
 * recording of others has nothing else. Undefined for a request as the document has it. Keys are another matter.
 * Remembered: several rules look for it in each answer.
 */
export function triggerOf(spec: Spec, target: TargetFacts, answer: Answer): string | undefined {
  const known = found.get(answer);
  if (known?.spec === spec && known.target === target) return known.trigger;
  const trigger = findTrigger(spec, target, answer);
  found.set(answer, { spec, target, trigger });
  return trigger;
}

function findTrigger(spec: Spec, target: TargetFacts, answer: Answer): string | undefined {
  const { request } = answer.exchange;
  if (!['api-key', 'unknown', 'none'].includes(request.credential)) return undefined;
  const url = URL.parse(`https://target.invalid${request.url.slice(target.baseUrl.length)}`);
  if (!url) return undefined;
  const trigger = triggerIn(spec, target, answer, url);
  const isUnkeyed = request.credential === 'none' && !target.keyless;
  return trigger && isUnkeyed ? `unkeyed-${trigger}` : trigger;
}

function triggerIn(
  spec: Spec,
  target: TargetFacts,
  { requested, exchange }: Answer,
  url: URL,
): string | undefined {
  const { method, headers } = exchange.request;
  if (method !== 'GET') return `method-${method.toLowerCase()}`;
  if (!requested) return pathFault(spec, url.pathname);
  const [tag] = headerValues(headers, 'if-none-match');
  if (tag !== undefined) return tag === tagOfNobody ? 'tag-unknown' : 'not-modified';
  if (url.pathname.endsWith('/')) return 'slash-at-end';
  const operation = operationOf(spec, requested.operation);
  if (operation.role === 'tokens') return url.search === '' ? undefined : 'tokens-query';
  const path = matchPath(operation.path, url.pathname);
  for (const parameter of operation.parameters) {
    const { name, role } = parameter;
    const given = parameter.in === 'path' ? [path?.get(name) ?? ''] : url.searchParams.getAll(name);
    const fault = faultOf(spec, parameter, given);
    if (fault !== undefined) return `${role ?? name}-${fault}`;
  }
  if ((requested.from ?? 0) > (requested.to ?? Infinity)) return 'from-after-to';
  return isNobodys(target, requested.pool ?? 0) ? 'pool-unknown' : undefined;
}

/** No exchange has counted so far; a smaller number may be that of a pool which the target was not said to have. */
function isNobodys({ pools }: TargetFacts, pool: PoolId): boolean {
  return Number(pool) >= 900_000_000 && !Object.values(pools).flat().includes(pool);
}

function pathFault(spec: Spec, path: string): string {
  if (path.includes('//') && isMisspelt(spec, path.replace(/\/{2,}/g, '/'))) return 'slash-doubled';
  return isMisspelt(spec, path) ? 'path-in-capitals' : 'path-unknown';
}

function isMisspelt({ operations }: Spec, path: string): boolean {
  return operations.some((each) => matchPath(each.path.toLowerCase(), path.toLowerCase()));
}

/** A value that is sent twice alike is as wrong as it is by itself; which of two unlike ones counts is left open. */
function faultOf(spec: Spec, parameter: Parameter, given: readonly string[]): string | undefined {
  const [text] = given;
  if (text === undefined) return parameter.required ? 'left-out' : undefined;
  const fault = given.every((each) => each === text) ? faultOfText(spec, parameter, text) : undefined;
  return fault ?? (given.length > 1 ? 'twice' : undefined);
}

function faultOfText(spec: Spec, parameter: Parameter, text: string): string | undefined {
  const { role, fixed, unit, accepts } = parameter;
  if (text === '') return 'empty';
  if (role === 'interval') return intervalFault(spec, text);
  if (role === 'inverted') return flagFault(text);
  if (fixed !== undefined || unit !== undefined || accepts(text)) return undefined;
  return numberFault(text, role === 'pool' ? 1e9 : plausibleSeconds.to);
}

function intervalFault({ intervals }: Spec, text: string): string | undefined {
  const names = intervals.map(({ name }) => name);
  if (names.includes(text)) return undefined;
  if (names.includes(text.toUpperCase())) return 'lower-case';
  return names.some((each) => each.startsWith(text)) ? 'cut-short' : 'unknown';
}

function flagFault(text: string): string | undefined {
  if (text === 'true' || text === 'false') return undefined;
  if (/^(true|false)$/i.test(text)) return 'in-capitals';
  return /^\d+$/.test(text) ? 'as-number' : 'as-text';
}

function numberFault(text: string, most: number): string | undefined {
  if (/^-\d+$/.test(text)) return 'negative';
  if (/^\d+\.\d*$/.test(text)) return 'with-fraction';
  if (!/^\d+$/.test(text)) return 'as-text';
  if (/^0\d/.test(text)) return 'with-zeros';
  return Number(text) >= most ? 'in-milliseconds' : undefined;
}

/** Complete answers to requests that are wrong or odd, but for those that tell of a bad moment instead. */
export function triggeredAnswers({ answers, spec, target }: Evidence): { answer: Answer; trigger: string }[] {
  return answers.flatMap((answer) => {
    const isPassing = [429, 502, 503, 504].includes(answer.status ?? 0);
    const trigger = answer.complete && !isPassing ? triggerOf(spec, target, answer) : undefined;
    return trigger === undefined ? [] : [{ answer, trigger }];
  });
}
