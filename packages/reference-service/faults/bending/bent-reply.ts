import type { Delivery, Reply, ReplyHeader } from '../../api/message.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Returns the reply with one header set. */
export function withHeader(reply: Reply, name: string, value: string): Reply {
  const line: ReplyHeader = [name, value];
  return { ...reply, headers: [...withoutHeaders(reply, name).headers, line] };
}

/** Returns the reply without the headers whose names start with `beginning`. */
export function withoutHeaders(reply: Reply, beginning: string): Reply {
  const gone = beginning.toLowerCase();
  return { ...reply, headers: reply.headers.filter(([name]) => !name.toLowerCase().startsWith(gone)) };
}

/** Returns the reply with another status, content type and body. */
export function withText(reply: Reply, status: number, type: string, body: string): Reply {
  return { ...withHeader(reply, 'Content-Type', type), status, body };
}

/** Returns the reply with a delayed or partial delivery. Delays of several faults add up. */
export function withDelivery(reply: Reply, how: Delivery): Reply {
  const { wait = 0, bodyWait = 0, ...rest } = reply.delivery ?? {};
  const delivery = {
    ...rest,
    ...how,
    wait: wait + (how.wait ?? 0),
    bodyWait: bodyWait + (how.bodyWait ?? 0),
  };
  return { ...reply, delivery };
}

/** Changes the value of a JSON text; returns the text as it is if another fault made it invalid. */
export function changeJson(body: string, change: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(change(JSON.parse(body)));
  } catch {
    return body;
  }
}
