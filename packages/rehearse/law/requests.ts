import { isOfHeader, matchPath } from '@candleproof/document/spec/request-path';
import type { Operation } from '@candleproof/document/spec/spec';
import { type ClientExchange, isGood } from '../client-exchange.ts';
import type { CheckResult, ClientRule, Play } from './client-rule.ts';

function* checkParameters(play: Play): Generator<CheckResult> {
  for (const exchange of play.exchanges) {
    // Browsers send OPTIONS by themselves.
    if (exchange.method === 'OPTIONS') continue;
    const found = findDeparture(play, exchange);
    if (found) yield { breach: { exchange, ...found } };
    else yield { judged: exchange };
  }
}

type Departure = { readonly expected: string; readonly actual: string };

function findDeparture({ spec, requested }: Play, exchange: ClientExchange): Departure | undefined {
  const { method, target, number } = exchange;
  if (method !== 'GET' && method !== 'HEAD') return { expected: 'GET', actual: method };
  const url = new URL(target, 'https://double.invalid');
  const operation = spec.operations.find(({ path }) => matchPath(path, url.pathname));
  if (!operation)
    return { expected: `a path of the document: ${listPaths(spec.operations)}`, actual: url.pathname };
  return (
    findUnknownParameter(operation, url) ??
    findInvalidParameter(operation, url) ??
    (requested.get(number)?.proper === true
      ? undefined
      : {
          expected:
            'values within reason: from before to, in the unit of the document, an interval that it names',
          actual: url.search || url.pathname,
        })
  );
}

function listPaths(operations: readonly Operation[]): string {
  return operations.map(({ path }) => path).join(', ');
}

function findUnknownParameter({ parameters }: Operation, { searchParams }: URL): Departure | undefined {
  const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const other = [...searchParams.keys()].find((param) => !known.includes(param));
  if (other === undefined) return undefined;
  return {
    expected: known.length > 0 ? `no parameter but ${known.join(', ')}` : 'no parameter',
    actual: other,
  };
}

function findInvalidParameter(operation: Operation, { pathname, searchParams }: URL): Departure | undefined {
  const path = matchPath(operation.path, pathname);
  // Requests are recognized by those of headers as well.
  const parameters = operation.parameters.filter((parameter) => !isOfHeader(parameter));
  for (const { name, in: place, required, accepts } of parameters) {
    const given = place === 'path' ? [path?.get(name) ?? ''] : searchParams.getAll(name);
    if (given.length === 0 && !required) continue;
    if (given.length !== 1)
      return {
        expected: `${name} once`,
        actual: given.length === 0 ? `no ${name}` : `${name} ${given.length} times`,
      };
    const [text = ''] = given;
    if (![text, parseValue(text)].some((value) => accepts(value)))
      return { expected: `${name} as the document has it`, actual: `${name}=${text}` };
  }
  return undefined;
}

/** Parses a number or a boolean; returns other text as it is. */
function parseValue(text: string): unknown {
  if (/^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text === 'true' || text === 'false' ? text === 'true' : text;
}

export const keepsParametersWithinTheDocument: ClientRule = {
  id: 'client/keeps-parameters-within-the-document',
  level: 'must',
  statement: 'Each request is one of the document: its path, its parameters, their values.',
  why: 'What is accepted beyond the document today may be refused or misread tomorrow.',
  exactly:
    'GET or HEAD of an operation’s path; each required parameter once, none that the document does not name, each value by its schema; from not after to, times plausible in the unit of the document. OPTIONS is left alone.',
  check: checkParameters,
};
function* checkKeyPlace({ exchanges, spec }: Play): Generator<CheckResult> {
  for (const exchange of exchanges) {
    const [place] = exchange.keyPlaces.filter((place) => place !== 'key header');
    if (place === undefined) {
      if (exchange.keyPlaces.length > 0) yield { judged: exchange };
      continue;
    }
    yield {
      breach: {
        exchange,
        expected: `the key in ${spec.keyHeader ?? 'its header'} alone`,
        actual: `the key in ${describePlace(place)}`,
      },
    };
  }
  if (exchanges.every(({ keyPlaces }) => keyPlaces.length === 0))
    yield { undecided: 'no request carried the key' };
}

function describePlace(place: string): string {
  return place.startsWith('header ') ? `the ${place}` : `the ${place === 'URL' ? place : 'request’s body'}`;
}

export const keyInItsHeaderAlone: ClientRule = {
  id: 'client/sends-its-key-in-its-header-alone',
  level: 'must',
  statement: 'The key stands in its own header and nowhere else.',
  why: 'URLs, cookies and other headers end up in logs and caches of anyone on the way.',
  exactly:
    'Looked for as it is, percent-encoded and otherwise disguised, and in Basic credentials: in the path and query, in every other header and in the first 64 KiB of the body.',
  check: checkKeyPlace,
};

const mostEqual = 6;
const minute = 60_000;

function* checkEqualRequests({ exchanges }: Play): Generator<CheckResult> {
  if (exchanges.length === 0) yield { undecided: 'the client sent nothing' };
  for (const equal of Map.groupBy(exchanges, ({ sha256 }) => sha256).values()) {
    const counted = equal.filter(isGood);
    const at = counted.findIndex(
      (exchange, index) =>
        index >= mostEqual && exchange.arrived - (counted[index - mostEqual]?.arrived ?? 0) < minute,
    );
    const [exchange, first] = [counted[at], counted[at - mostEqual]];
    if (exchange && first) {
      const times = counted.filter(
        (exchange) => exchange.arrived >= first.arrived && exchange.arrived < first.arrived + minute,
      ).length;
      yield {
        breach: {
          exchange,
          since: first,
          expected: `at most ${mostEqual} equal requests in a minute`,
          actual: `${times}`,
        },
      };
    } else for (const judged of equal.slice(0, 1)) yield { judged };
  }
}

export const fewEqualRequests: ClientRule = {
  id: 'client/no-more-than-six-requests-a-minute-with-equal-bytes',
  level: 'should',
  statement: 'The client sends no more than six requests a minute that are equal byte by byte.',
  why: 'Observations are a minute apart: the rest is paid for and says nothing new.',
  exactly:
    'Equal request line, headers and body; those that were answered well, in any 60 s. A request that is repeated because it failed is not counted.',
  check: checkEqualRequests,
};
