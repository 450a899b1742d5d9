import { matchPath } from '../../contract/document/requested.ts';
import type { Operation, Spec } from '../../contract/document/spec.ts';
import type { HeardExchange } from '../heard.ts';
import type { ClientRule, ClientSight } from './client-rule.ts';
import type { Play } from './play.ts';

function* check(play: Play): Generator<ClientSight> {
  for (const exchange of play.exchanges) {
    // A browser sends it by itself.
    if (exchange.method === 'OPTIONS') continue;
    const found = departureOf(play, exchange);
    if (found) yield { breach: { exchange, ...found } };
    else yield { judged: exchange };
  }
}

type Departure = { readonly expected: string; readonly actual: string };

function departureOf({ spec, requested }: Play, exchange: HeardExchange): Departure | undefined {
  const { method, target, number } = exchange;
  if (method !== 'GET' && method !== 'HEAD') return { expected: 'GET', actual: method };
  const url = new URL(target, 'https://double.invalid');
  const operation = operationAt(spec, url.pathname);
  if (!operation) return { expected: 'the path of an operation of the document', actual: url.pathname };
  return (
    unnamed(operation, url) ??
    unacceptable(operation, url) ??
    (requested.get(number)?.proper === true
      ? undefined
      : {
          expected:
            'values within reason: from before to, in the unit of the document, an interval that it names',
          actual: url.search || url.pathname,
        })
  );
}

function operationAt({ operations }: Spec, path: string): Operation | undefined {
  return operations.find((operation) => matchPath(operation.path, path));
}

function unnamed({ parameters }: Operation, { searchParams }: URL): Departure | undefined {
  const known = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const other = [...searchParams.keys()].find((param) => !known.includes(param));
  if (other === undefined) return undefined;
  return {
    expected: known.length > 0 ? `no parameter but ${known.join(', ')}` : 'no parameter',
    actual: other,
  };
}

function unacceptable(operation: Operation, { pathname, searchParams }: URL): Departure | undefined {
  const path = matchPath(operation.path, pathname);
  for (const { name, in: place, required, accepts } of operation.parameters) {
    const given = place === 'path' ? [path?.get(name) ?? ''] : searchParams.getAll(name);
    if (given.length === 0 && !required) continue;
    if (given.length !== 1)
      return {
        expected: `${name} once`,
        actual: given.length === 0 ? `no ${name}` : `${name} ${given.length} times`,
      };
    const [text = ''] = given;
    if (![text, asJson(text)].some((each) => accepts(each)))
      return { expected: `${name} as the document has it`, actual: `${name}=${text}` };
  }
  return undefined;
}

/** A number or a truth value as JSON has it. */
function asJson(text: string): unknown {
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
  check,
};
