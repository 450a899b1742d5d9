import { readFileSync } from 'node:fs';
import { Agent, get, type RequestOptions } from 'node:https';
import type { Ready } from './command.ts';

/** Longest wait in ms for an answer. */
const mostMs = 10_000;

/** An answer, and the key's use of the month that it reports; performance.now() at its end. */
export type CountedAnswer = {
  readonly status: number;
  readonly used: number;
  readonly retryAfter: string | undefined;
  readonly type: string | undefined;
  readonly at: number;
  readonly tookMs: number;
};

/** Requests with a served key on connections that are kept. */
export class CountingClient {
  readonly #url: string;
  readonly #options: RequestOptions;
  readonly #agent: Agent;

  constructor({ url, apiKeyFile, caFile }: Ready, connections: number) {
    this.#url = `${url}/tokens`;
    this.#agent = new Agent({ ca: readFileSync(caFile), keepAlive: true, maxSockets: connections });
    const key = readFileSync(apiKeyFile, 'utf8').trim();
    this.#options = { agent: this.#agent, headers: { 'x-api-key': key, 'if-none-match': '*' } };
  }

  request(): Promise<CountedAnswer> {
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const sent = get(this.#url, this.#options, (response) => {
        const { headers, statusCode: status = 0 } = response;
        const number = (name: string): number => Number(headers[`x-ratelimit-${name}`]);
        const used = number('limit') - number('remaining') + number('additional-total');
        const { 'retry-after': retryAfter, 'content-type': type } = headers;
        response.on('error', reject);
        response
          .on('end', () => {
            const at = performance.now();
            resolve({ status, used, retryAfter, type, at, tookMs: at - began });
          })
          .resume();
      });
      sent.setTimeout(mostMs, () => sent.destroy(new Error('no answer')));
      sent.on('error', reject);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Whole numbers from 1 to `last`. */
export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
