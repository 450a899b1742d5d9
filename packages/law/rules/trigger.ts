import { operationById } from '@candleproof/document/spec/operation';
import { dropKeys, matchPath } from '@candleproof/document/spec/request-path';
import type { Parameter, PoolId, Spec } from '@candleproof/document/spec/spec';
import { headerValues, parameterTexts, type TargetFacts } from '../reading/exchange.ts';
import { type Answer, hasOtherMethod } from '../reading/reading.ts';
import { plausibleSeconds } from '../reading/tolerances.ts';
import type { Evidence } from '../relations/evidence.ts';
import { unissuedTag } from './error-cases.ts';
import { isIntermediary } from './gateway.ts';

type Found = { readonly spec: Spec; readonly target: TargetFacts; readonly trigger: string | undefined };

const found = new WeakMap<Answer, Found>();

/**
 * Names what is wrong or odd about a request, such as `from-left-out`, by its URL, method and headers alone: foreign
 * recordings have nothing else. Undefined for a request that follows the document. Keys are judged elsewhere.
 * The result is cached, since several rules need it for every answer.
 */
export function findTrigger(spec: Spec, target: TargetFacts, answer: Answer): string | undefined {
  const known = found.get(answer);
  if (known?.spec === spec && known.target === target) return known.trigger;
  const trigger = computeTrigger(spec, target, answer);
  found.set(answer, { spec, target, trigger });
  return trigger;
}

function computeTrigger(spec: Spec, target: TargetFacts, answer: Answer): string | undefined {
  const { request } = answer.exchange;
  if (!['api-key', 'unknown', 'none'].includes(request.credential)) return undefined;
  const url = URL.parse(`https://target.invalid${request.url.slice(target.baseUrl.length)}`);
  if (!url) return undefined;
  dropKeys(spec, url);
  const trigger = findRequestFault(spec, target, answer, url);
  const isUnkeyed = request.credential === 'none' && !target.keyless;
  return trigger && isUnkeyed ? `unkeyed-${trigger}` : trigger;
}

function findRequestFault(
  spec: Spec,
  target: TargetFacts,
  { requested, exchange }: Answer,
  url: URL,
): string | undefined {
  const { method, headers } = exchange.request;
  if (hasOtherMethod({ requested, exchange })) return `method-${method.toLowerCase()}`;
  if (!requested) return pathFault(spec, url.pathname);
  const [tag] = headerValues(headers, 'if-none-match');
  if (tag !== undefined) return tag === unissuedTag ? 'tag-unknown' : 'not-modified';
  const operation = operationById(spec, requested.operation);
  if (url.pathname.endsWith('/') !== operation.path.endsWith('/'))
    return url.pathname.endsWith('/') ? 'slash-at-end' : 'slash-left-out';
  if (operation.role === 'tokens') return url.search === '' ? undefined : 'tokens-query';
  const path = matchPath(operation.path, url.pathname);
  for (const parameter of operation.parameters) {
    const { name, role } = parameter;
    const given = parameterTexts(parameter, { ...exchange.request, path, query: url.searchParams });
    const fault = parameterFault(spec, parameter, given);
    if (fault !== undefined) return `${role ?? name}-${fault}`;
  }
  if ((requested.from ?? 0) > (requested.to ?? Infinity)) return 'from-after-to';
  return isUnknownPool(target, requested.pool ?? 0) ? 'pool-unknown' : undefined;
}

/** Returns whether no pool can have this number: no exchange has counted so far. A smaller one may be an unlisted pool. */
function isUnknownPool({ pools }: TargetFacts, pool: PoolId): boolean {
  return Number(pool) >= 900_000_000 && !Object.values(pools).flat().includes(pool);
}

function pathFault(spec: Spec, path: string): string {
  if (path.includes('//') && isMisspelt(spec, path.replace(/\/{2,}/g, '/'))) return 'slash-doubled';
  if (spec.operations.some((operation) => matchPath(operation.path, path)))
    return path.endsWith('/') ? 'slash-at-end' : 'slash-left-out';
  return isMisspelt(spec, path) ? 'path-in-capitals' : 'path-unknown';
}

function isMisspelt({ operations }: Spec, path: string): boolean {
  return operations.some((operation) => matchPath(operation.path.toLowerCase(), path.toLowerCase()));
}

/** Names a parameter's fault. A value sent twice alike is as wrong as once; which of two unlike ones counts is left open. */
function parameterFault(spec: Spec, parameter: Parameter, given: readonly string[]): string | undefined {
  const [text] = given;
  if (text === undefined) return parameter.required ? 'left-out' : undefined;
  const fault = given.every((candidate) => candidate === text) ? textFault(spec, parameter, text) : undefined;
  return fault ?? (given.length > 1 ? 'twice' : undefined);
}

function textFault(spec: Spec, parameter: Parameter, text: string): string | undefined {
  const { role, fixed, unit, accepts, unmeasured, parts } = parameter;
  if (text === '') return 'empty';
  if (unmeasured?.includes(text)) return undefined;
  if (parts) return accepts(text) || accepts(Number(text)) ? undefined : 'unknown';
  if (role === 'interval') return intervalFault(spec, text);
  if (role === 'inverted') return flagFault(text);
  if (fixed !== undefined || unit !== undefined || accepts(text)) return undefined;
  return numberFault(text) ?? (role === 'pool' ? poolFault(text) : timeFault(text));
}

function intervalFault({ intervals }: Spec, text: string): string | undefined {
  const names = intervals.map(({ name }) => name);
  if (names.includes(text)) return undefined;
  if (names.includes(text.toUpperCase())) return 'lower-case';
  return names.some((name) => name.startsWith(text)) ? 'cut-short' : 'unknown';
}

function flagFault(text: string): string | undefined {
  if (text === 'true' || text === 'false') return undefined;
  if (/^(true|false)$/i.test(text)) return 'in-capitals';
  return /^\d+$/.test(text) ? 'as-number' : 'as-text';
}

function numberFault(text: string): string | undefined {
  if (/^-\d+$/.test(text)) return 'negative';
  if (/^\d+\.\d*$/.test(text)) return 'with-fraction';
  if (!/^\d+$/.test(text)) return 'as-text';
  return /^0\d/.test(text) ? 'with-zeros' : undefined;
}

function poolFault(text: string): string | undefined {
  return Number(text) >= 2 ** 32 ? 'beyond-32-bits' : undefined;
}

function timeFault(text: string): string | undefined {
  return Number(text) >= plausibleSeconds.to ? 'in-milliseconds' : undefined;
}

/** Lists complete answers to requests that are wrong or odd, except those that report a passing trouble. */
export function triggeredAnswers({ answers, spec, target }: Evidence): { answer: Answer; trigger: string }[] {
  return answers.flatMap((answer) => {
    const isPassing = answer.status === 429 || isIntermediary(answer.status ?? 0);
    const trigger = answer.complete && !isPassing ? findTrigger(spec, target, answer) : undefined;
    return trigger === undefined ? [] : [{ answer, trigger }];
  });
}
