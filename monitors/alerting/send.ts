import { hostname } from 'node:os';
import type { Sink } from '../plan/definition.ts';
import { run } from './command.ts';
import type { AlertMessage } from './message.ts';
import { post } from './webhook.ts';

export type SendOptions = {
  readonly signal: AbortSignal;
  /** Unix ms. */
  readonly now: number;
  /** The proxy's variables, and what commands inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with the ms for which the receiver wants no more messages. */
  readonly onBusy?: (ms: number) => void;
};

/** Resolves to undefined once the sink took the message, else to why not, without anything secret. Never rejects. */
export type Send = (sink: Sink, message: AlertMessage, options: SendOptions) => Promise<string | undefined>;

/** Sends a test message through every sink and reports each refusal to `onSent`. Resolves to true if all accept it. */
export async function sendTest(
  sinks: readonly Sink[],
  location: string,
  options: SendOptions,
  onSent: (sink: Sink, reason: string | undefined) => void,
): Promise<boolean> {
  const { now } = options;
  const id = `test/${encodeURIComponent(location)}/${now}`;
  const text = `a test from ${hostname()}: alerts of ${location} reach this place`;
  const message = { id, kind: 'test', at: new Date(now).toISOString(), location, text } as const;
  const reasons = await Promise.all(
    sinks.map(async (sink) => {
      const reason = await send(sink, message, options);
      onSent(sink, reason);
      return reason;
    }),
  );
  return reasons.every((reason) => reason === undefined);
}

/** Sends a message to a webhook or a command, with the link to the monitors' page if the sink has one. */
export const send: Send = (sink, message, { now, ...options }) => {
  const linked = sink.page === undefined ? message : { ...message, link: sink.page };
  return sink.kind === 'webhook' ? post(sink, linked, now, options) : run(sink, linked, options);
};
