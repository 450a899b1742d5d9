import { type ProxiedCall, type ProxiedReply, type ProxyDistortion, withHeaders } from './fault.ts';

/** Returns the key that a call carries; empty without one. */
export const readKeyHeader = (call: ProxiedCall) => String(call.headers['x-api-key'] ?? '');

/** Serves some requests as if they carried the issued key. */
export const admitting =
  (passes: (call: ProxiedCall, key: string) => boolean) => (): ProxyDistortion => (call, ask) => {
    const key = readKeyHeader(call);
    return ask(key !== call.issued && passes(call, key) ? { key: call.issued } : {});
  };

/** Answers one request after the other, so that a counter of the distortion never overtakes the service's. */
export const inTurn = (make: () => ProxyDistortion) => (): ProxyDistortion => {
  const distort = make();
  let last: Promise<unknown> = Promise.resolve();
  return (call, ask) => {
    const reply = last.then(() => distort(call, ask));
    last = reply.catch(() => undefined);
    return reply;
  };
};

/** Counts more requests, or fewer, for each refusal of a request with the right key. */
export function chargeRefusals(more = 1): ProxyDistortion {
  let extra = 0;
  return async (call, ask) => {
    const reply = await ask();
    const left = Number(reply.headers['x-ratelimit-remaining']);
    if (readKeyHeader(call) !== call.issued || !(left > 0)) return reply;
    if (reply.status >= 400) extra += more;
    return extra ? withHeaders(reply, { 'x-ratelimit-remaining': String(left - extra) }) : reply;
  };
}

/** Keeps answers for some seconds by a key and gives them to later calls of that key, with fresh counters. */
export const keepAnswers =
  (
    seconds: number,
    readKey: (call: ProxiedCall, reply: ProxiedReply) => string | undefined,
    isKept: (reply: ProxiedReply) => boolean,
  ) =>
  (): ProxyDistortion => {
    const kept = new Map<string, { reply: ProxiedReply; time: number }>();
    return async (call, ask) => {
      const reply = await ask();
      const key = readKey(call, reply);
      if (key === undefined) return reply;
      const before = kept.get(key);
      if (before && call.now - before.time < seconds) {
        const { status, body, headers } = before.reply;
        return { ...withHeaders(reply, { 'content-type': headers['content-type'] ?? '' }), status, body };
      }
      if (isKept(reply)) kept.set(key, { reply, time: call.now });
      return reply;
    };
  };
