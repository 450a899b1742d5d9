import type { Exchange, Recording } from '@candleproof/law/reading/exchange';
import { chrome } from './har-of-chrome.ts';
import {
  addMilliseconds,
  bytesOf,
  type Content,
  exchangesOf,
  type HarObject,
  har,
  requestOf,
  responseOf,
  waitingTimings,
  wholeBody,
} from './har-parts.ts';

/** A HAR file as another tool writes it, made from our own recording. */
export type Shape = {
  readonly name: string;
  readonly keepsBodies: boolean;
  readonly file: (recording: Recording) => HarObject;
};

const base64Body: Content = (body, { request }) => ({
  size: body.decodedBytes ?? 0,
  ...(request.url.includes('/latest/')
    ? { text: bytesOf(body).toString('base64'), encoding: 'base64' }
    : { text: body.text }),
});

/** Omits large bodies, which browsers drop from memory first. */
const bodyUnlessEvicted: Content = (body) =>
  body.text.length > 10_000 ? { size: 20 * body.text.length } : wholeBody(body, noExchange);

const noExchange = { request: { url: '' } } as Exchange;

function firefox(recording: Recording, content: Content): HarObject {
  return har(
    'Firefox',
    exchangesOf(recording).map((exchange) => ({
      pageref: 'page_1',
      startedDateTime: exchange.startedAt.replace('Z', '+00:00'),
      request: requestOf(exchange, 'HTTP/2'),
      response: { ...responseOf(exchange, 'HTTP/2', content), bodySize: 4321 },
      cache: {},
      timings: { blocked: 0, dns: 0, connect: 0, ssl: 0, send: 0, wait: exchange.timings.total, receive: 0 },
      time: exchange.timings.total,
    })),
  );
}

function safari(recording: Recording): HarObject {
  return har(
    'WebKit Web Inspector',
    exchangesOf(recording).flatMap((exchange, index) => {
      const entry = {
        pageref: 'page_0',
        startedDateTime: exchange.startedAt,
        time: exchange.timings.total,
        request: requestOf(exchange, 'HTTP/2'),
        response: { ...responseOf(exchange, 'HTTP/2', wholeBody), _transferSize: 500 },
        cache: {},
        timings: waitingTimings(exchange),
        _fetchType: 'Network Load',
      };
      const again = {
        ...entry,
        startedDateTime: addMilliseconds(exchange, 3_600_000),
        _fetchType: 'Memory Cache',
      };
      return index === 0 ? [entry, again] : [entry];
    }),
  );
}

/** Writes a HAR as Fiddler does: local times in ticks, decoded sizes, whole milliseconds, and tunnels as entries. */
function fiddler(recording: Recording): HarObject {
  const ticks = (text: string): string =>
    `${new Date(Date.parse(text) + 5.75 * 3_600_000).toISOString().replace('Z', '')}1234+05:45`;
  const entries = exchangesOf(recording).map((exchange) => ({
    startedDateTime: ticks(exchange.startedAt),
    time: Math.round(exchange.timings.total),
    request: requestOf(exchange, 'HTTP/1.1'),
    response: { ...responseOf(exchange, 'HTTP/1.1', wholeBody), bodySize: 7 },
    cache: {},
    timings: {
      blocked: -1,
      dns: -1,
      connect: 0,
      ssl: -1,
      send: 0,
      wait: Math.round(exchange.timings.total),
      receive: 0,
    },
    comment: '[#1]',
  }));
  const { host } = new URL(recording.target.baseUrl);
  const tunnel = {
    startedDateTime: entries[0]?.startedDateTime,
    time: 3,
    request: { method: 'CONNECT', url: `https://${host}`, httpVersion: 'HTTP/1.1', headers: [] },
    response: { status: 200, headers: [], content: { size: 0, mimeType: '' } },
    timings: { send: 0, wait: 3, receive: 0 },
  };
  return har('Fiddler', [tunnel, ...entries]);
}

/**
 * The HAR files of these tools, according to their documentation; Playwright and mitmproxy are tested with real ones.
 */
export const shapes: readonly Shape[] = [
  { name: 'Chrome', keepsBodies: true, file: (recording) => chrome(recording, base64Body) },
  {
    name: 'Chrome that lost large bodies',
    keepsBodies: true,
    file: (recording) => chrome(recording, bodyUnlessEvicted),
  },
  { name: 'Firefox', keepsBodies: true, file: (recording) => firefox(recording, wholeBody) },
  {
    name: 'Firefox without bodies',
    keepsBodies: false,
    file: (recording) => firefox(recording, ({ decodedBytes = 0 }) => ({ size: decodedBytes })),
  },
  {
    name: 'Firefox that cut bodies',
    keepsBodies: false,
    file: (recording) =>
      firefox(recording, ({ text, decodedBytes = 0 }) => ({ size: decodedBytes, text: text.slice(0, 1) })),
  },
  { name: 'Safari', keepsBodies: true, file: safari },
  { name: 'Fiddler', keepsBodies: true, file: fiddler },
];
