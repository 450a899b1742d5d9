import type { PoolsBySpace } from '@candleproof/document/spec/spec';
import type {
  Body,
  Connection,
  Credential,
  Exchange,
  FailureKind,
  HeaderLine,
  Phase,
  ReceivedResponse,
  RecorderFacts,
  TargetFacts,
  Timings,
  TlsFacts,
  TransportFailure,
} from '@candleproof/law/reading/exchange';
import type { HarNode } from './har-node.ts';

export const PHASES: readonly Phase[] = ['dns', 'connect', 'tls', 'send', 'wait', 'receive'];

const KINDS: readonly FailureKind[] = [
  'unreachable',
  'refused',
  'certificate',
  'timeout',
  'reset',
  'truncated',
  'too-large',
  'undecodable',
  'protocol',
];

/** Reads an entry with a `_candleproof` member, exactly as it was written. */
export function readOurEntry(entry: HarNode): Exchange {
  const ours = entry.member('_candleproof');
  const request = entry.member('request');
  const status = entry.member('response').member('status');
  const hasResponse = (status.optional((node) => node.number()) ?? 0) > 0;
  const response = hasResponse ? readResponse(entry.member('response'), ours.member('body')) : undefined;
  const failure = ours.member('failure').optional(readFailure);
  const connection = ours.member('connection').optional(readConnection);
  const recorder = ours.member('recorder').optional(readRecorder);
  return {
    request: {
      method: request.member('method').text(),
      url: request.member('url').text(),
      headers: readHeaders(request.member('headers')),
      ...readRequestBody(request),
      credential: readCredential(ours.member('credential')),
    },
    response,
    failure,
    timings: readTimings(ours.member('timings')),
    startedAt: entry.member('startedDateTime').text(),
    connection,
    sentBeside: ours.member('sentBeside').optional((node) => node.boolean()),
    recorder,
  };
}

/** Reads the facts of the recorded target. */
export function readTargetFacts(node: HarNode): TargetFacts {
  return {
    name: node.member('name').text(),
    baseUrl: node.member('baseUrl').text(),
    pools: readPools(node),
    keyless: node.member('keyless').boolean(),
    soleUser: node.member('soleUser').boolean(),
    ...(node.member('gaps').optional((gaps) => gaps.text()) === 'idle' && { gaps: 'idle' }),
  };
}

/** Reads the pools by space. */
function readPools(node: HarNode): PoolsBySpace {
  const spaces = node.member('pools').members();
  return Object.fromEntries(
    spaces.map(([space, list]) => [space, list.elements().map((id) => id.textOrNumber())]),
  );
}

/** Reads the JSON body of a request; undefined for any other. */
export function readRequestBody(request: HarNode): Pick<Exchange['request'], 'body'> {
  const posted = request.member('postData');
  const type = posted.member('mimeType').optional((node) => node.text()) ?? '';
  const body = /\bjson\b/i.test(type) ? posted.member('text').optional((node) => node.text()) : undefined;
  return body === undefined ? {} : { body };
}

/** Reads header lines in their order. */
export function readHeaders(node: HarNode): HeaderLine[] {
  return node.elements().map((line) => [line.member('name').text(), line.member('value').text()]);
}

function readResponse(node: HarNode, facts: HarNode): ReceivedResponse {
  const body = facts.optional((fact) => readBody(node.member('content'), fact));
  return {
    status: node.member('status').number(),
    statusText: node.member('statusText').text(),
    httpVersion: node.member('httpVersion').text(),
    headers: readHeaders(node.member('headers')),
    body,
  };
}

function readBody(content: HarNode, facts: HarNode): Body {
  return {
    text: content.member('text').text(),
    encoding: facts.member('encoding').oneOf<Body['encoding']>(['utf8', 'base64']),
    ...sizes(facts),
  };
}

function readRecorder(node: HarNode): RecorderFacts {
  const isSet = (name: string): boolean => node.member(name).optional((flag) => flag.boolean()) === true;
  return {
    place: node.member('place').text(),
    ...(isSet('fromCache') && { fromCache: true }),
    ...(isSet('headersLeftOut') && { headersLeftOut: true }),
    ...(isSet('timesUnknown') && { timesUnknown: true }),
    ...(isSet('bodyOverLimit') && { bodyOverLimit: true }),
  };
}

function sizes(facts: HarNode): Pick<Body, 'decodedBytes' | 'wireBytes'> {
  const decodedBytes = facts.member('decodedBytes').optional((node) => node.number());
  const wireBytes = facts.member('wireBytes').optional((node) => node.number());
  return {
    decodedBytes,
    wireBytes,
  };
}

function readCredential(node: HarNode): Credential {
  const text = node.text();
  if (text.startsWith('trial:')) return text as Credential;
  return node.oneOf<Credential>(['api-key', 'none', 'unknown']);
}

function readFailure(node: HarNode): TransportFailure {
  return {
    phase: node.member('phase').oneOf(PHASES),
    kind: node.member('kind').oneOf(KINDS),
    message: node.member('message').text(),
  };
}

function readTimings(node: HarNode): Timings {
  const timings: { [phase in Phase]?: number } = {};
  for (const phase of PHASES) {
    const ms = node.member(phase).optional((value) => value.number());
    if (ms !== undefined) timings[phase] = ms;
  }
  return { ...timings, total: node.member('total').number() };
}

function readConnection(node: HarNode): Connection {
  const remoteAddress = node.member('remoteAddress').optional((address) => address.text());
  const tls = node.member('tls').optional(readTls);
  return {
    id: node.member('id').number(),
    reused: node.member('reused').boolean(),
    remoteAddress,
    tls,
  };
}

function readTls(node: HarNode): TlsFacts {
  return { version: node.member('version').text(), certificateEnd: node.member('certificateEnd').text() };
}
