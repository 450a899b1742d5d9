import { createHmac } from 'node:crypto';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { Agents, type ProxyEnvironment } from '@candleproof/client/send/agents';
import { isLoopback } from '@candleproof/client/send/base-url';
import type { Sink } from '../plan/definition.ts';
import type { Json } from '../results/results-store.ts';
import type { AlertMessage } from './message.ts';

export type Webhook = Extract<Sink, { kind: 'webhook' }>;

/** Ms that a receiver may take: one that is slow has often taken the message, and would get it again. */
const patienceMs = 30_000;

type PostOptions = {
  readonly signal: AbortSignal;
  readonly environment: ProxyEnvironment;
  /** Called with the ms for which the receiver wants no more messages. */
  readonly onBusy?: (ms: number) => void;
};

/**
 * Posts a message, signed if the sink has a secret. Resolves to undefined once it was taken (2xx), else to the reason,
 * without any part of the address, which may itself be secret. Never follows a redirect, never rejects.
 * @param now Unix ms; reported in the header, in seconds
 */
export async function post(
  sink: Webhook,
  message: AlertMessage,
  now: number,
  { signal, environment, onBusy }: PostOptions,
): Promise<string | undefined> {
  const url = URL.parse(sink.url);
  if (url === null) return 'the address is not a URL';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(sink.url))) {
    return 'only https is spoken away from loopback';
  }
  const body = JSON.stringify(sink.form === 'slack' ? slackBody(message) : message);
  const headers = requestHeaders(sink, message, body, Math.floor(now / 1000));
  const patience = AbortSignal.timeout(patienceMs);
  try {
    const limit = AbortSignal.any([patience, signal]);
    const { status, retryAfter } = await postForStatus(url, headers, body, limit, environment);
    const wanted = retryAfter === undefined ? undefined : readRetryAfter(retryAfter, now);
    if (wanted !== undefined && status >= 400) onBusy?.(wanted);
    return status >= 200 && status < 300 ? undefined : `status ${status}`;
  } catch (error) {
    return patience.aborted ? `no answer within ${patienceMs / 1000} s` : errorCode(error);
  }
}

/** Signs the time with the body, so that an old message cannot be replayed as a new one. */
function sign(secret: string, timestamp: number, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** Signs as Standard Webhooks do; a secret that begins with `whsec_` is base64. */
function signStandard(secret: string, id: string, timestamp: number, body: string): string {
  const [, encoded] = /^whsec_(.+)$/.exec(secret) ?? [];
  const key = encoded === undefined ? secret : Buffer.from(encoded, 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function requestHeaders({ secret }: Webhook, { id }: AlertMessage, body: string, timestamp: number) {
  return {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'candleproof',
    'x-candleproof-id': id,
    'x-candleproof-timestamp': timestamp,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(secret !== undefined && {
      'x-candleproof-signature': sign(secret, timestamp, body),
      'webhook-signature': signStandard(secret, id, timestamp, body),
    }),
  };
}

async function postForStatus(
  url: URL,
  headers: Record<string, string | number>,
  body: string,
  signal: AbortSignal,
  environment: ProxyEnvironment,
): Promise<{ readonly status: number; readonly retryAfter: string | undefined }> {
  const isPlain = url.protocol === 'http:';
  const agent = isPlain ? undefined : await createAgent(url, environment);
  const options = { method: 'POST', headers, signal, agent };
  return new Promise((resolve, reject) => {
    const request = (isPlain ? plainRequest : tlsRequest)(url, options, (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
      // The sink's answer is of no interest, however long it is.
      response.destroy();
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Longest wait in ms that a receiver can impose: its header may be wrong. */
const mostWaitMs = 3_600_000;

/** Reads how many ms a receiver wants to be left alone: its header has seconds, or a date. */
function readRetryAfter(text: string, now: number): number | undefined {
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, mostWaitMs) : undefined;
}

function createAgent(url: URL, environment: ProxyEnvironment): ReturnType<Agents['singleUseAgent']> {
  const target = {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 443),
    host: url.host,
    origin: url.origin,
    pathPrefix: '',
    isPlain: false,
  };
  return new Agents({ target, proxyEnv: environment }).singleUseAgent();
}

/** An error's message may quote the address; its code never does. */
function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z0-9_]{3,60}$/.test(code) ? `not reached (${code})` : 'not reached';
}

/** Slack refuses a section of more than 3,000 characters. */
const mostText = 2900;
/**
 * Returns the message as Slack's incoming webhooks take it: `text` for notifications, `blocks` for the channel. Names in
 * it become neither links nor mentions, and Slack fetches no page for text that resembles an address.
 */
function slackBody({ text, id, at, since, link }: AlertMessage): Json {
  const reported = stripMarkup(text).slice(0, mostText);
  const page = link === undefined ? '' : `\n<${link}|The monitors' page>`;
  const facts = [at, ...(since === undefined ? [] : [`since ${since}`]), id];
  return {
    text: reported,
    ...{ unfurl_links: false, unfurl_media: false },
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: `${reported}${page}`, verbatim: true } },
      { type: 'context', elements: [{ type: 'plain_text', text: facts.join(' · ').slice(0, mostText) }] },
    ],
  };
}

/** Escapes Slack's markup: a name could otherwise call a whole channel. */
function stripMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
