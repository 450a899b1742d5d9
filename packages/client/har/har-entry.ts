import {
  type Exchange,
  type HeaderLine,
  headerValues,
  type ReceivedResponse,
  type Timings,
} from '@candleproof/law/reading/exchange';

/** Returns one exchange as an entry of HAR 1.2. */
export function harEntry(exchange: Exchange): object {
  const { request, response, failure, timings, startedAt, connection, sentBeside, recorder } = exchange;
  return {
    startedDateTime: startedAt,
    time: timings.total,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: harHeaders(request.headers),
      queryString: queryString(request.url),
      headersSize: -1,
      ...writeBody(request.body),
    },
    response: response === undefined ? NO_RESPONSE : harResponse(response),
    cache: {},
    timings: harTimings(timings),
    ...(connection?.remoteAddress !== undefined && { serverIPAddress: connection.remoteAddress }),
    ...(connection && { connection: String(connection.id) }),
    _candleproof: {
      credential: request.credential,
      timings,
      failure,
      connection,
      sentBeside,
      recorder,
      body: bodyFacts(response),
    },
  };
}

function writeBody(body: string | undefined): object {
  if (body === undefined) return { bodySize: 0 };
  return { postData: { mimeType: 'application/json', text: body }, bodySize: Buffer.byteLength(body) };
}

const NO_RESPONSE = {
  status: 0,
  statusText: '',
  httpVersion: '',
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: 'x-unknown' },
  redirectURL: '',
  headersSize: -1,
  bodySize: -1,
};

function harResponse({ status, statusText, httpVersion, headers, body }: ReceivedResponse): object {
  return {
    status,
    statusText,
    httpVersion,
    cookies: [],
    headers: harHeaders(headers),
    content: {
      size: body?.decodedBytes ?? -1,
      mimeType: headerValues(headers, 'content-type')[0] ?? 'x-unknown',
      text: body?.text,
      ...(body?.encoding === 'base64' && { encoding: 'base64' }),
    },
    redirectURL: headerValues(headers, 'location')[0] ?? '',
    headersSize: -1,
    bodySize: body?.wireBytes ?? -1,
  };
}

/** Returns the facts of a body; undefined if the exchange holds none. */
function bodyFacts(response: ReceivedResponse | undefined): object | undefined {
  if (response?.body === undefined) return undefined;
  const { text: _text, ...facts } = response.body;
  return facts;
}

/** HAR counts the TLS handshake into `connect`, and cannot express that one of the last three phases did not happen. */
function harTimings({ dns, connect, tls, send, wait, receive }: Timings): object {
  return {
    blocked: -1,
    dns: dns ?? -1,
    connect: connect === undefined ? -1 : connect + (tls ?? 0),
    ssl: tls ?? -1,
    send: send ?? 0,
    wait: wait ?? 0,
    receive: receive ?? 0,
  };
}

function harHeaders(headers: readonly HeaderLine[]): object[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function queryString(url: string): object[] {
  return [...(URL.parse(url)?.searchParams ?? [])].map(([name, value]) => ({ name, value }));
}
