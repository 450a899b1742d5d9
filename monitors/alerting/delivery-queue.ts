import type { DeliveryRecord } from '../results/results-store.ts';
import type { MessageKind } from './alert.ts';
import type { AlertMessage } from './message.ts';

/** Ms after the first try that failed; each further one doubles them: 30 s, 1 min, 2 min, … 32 min, then an hour each. */
const firstPauseMs = 30_000;
const longestPauseMs = 3_600_000;

/** The messages about one alert that wait for one sink, in the order of their numbers. */
export type Queue = readonly DeliveryRecord[];

/** Kinds of messages that versions before 2026-12 left in an outbox. */
const earlierKinds: Readonly<Record<string, MessageKind>> = {
  worsened: 'changed',
  news: 'changed',
  relapsed: 'fired',
  recovered: 'resolved',
  cleared: 'resolved',
  withdrawn: 'resolved',
};

/** Returns a kind as it is called now. */
function presentKind<Name extends string>(kind: Name): Name | MessageKind {
  return earlierKinds[kind] ?? kind;
}

/** Returns the waiting messages as queues, one for each alert at each sink. */
export function listQueues(waiting: readonly DeliveryRecord[]): Queue[] {
  return [...Map.groupBy(waiting, queueName).values()].map((queue) =>
    queue.toSorted((one, other) => readNumber(one) - readNumber(other) || one.dueAt - other.dueAt),
  );
}

/** Names the queue of a message. */
export function queueName({ id, sink, message }: DeliveryRecord): string {
  const { alert = id } = readMessage(message);
  return JSON.stringify([sink, alert]);
}

/** Returns when the first message of a queue is due, Unix ms. */
export function firstDue(queue: Queue): number {
  return Math.min(...queue.map(({ dueAt }) => dueAt));
}

/** Returns when the newest message of a queue was raised, in ISO 8601. */
export function lastRaised(queue: Queue): string {
  const last = queue.at(-1);
  return last === undefined ? '' : readMessage(last.message).at;
}

/**
 * Returns the one message of a queue that has to be sent, and those that need not be any more: of an alert that is over
 * its end alone; of one whose beginning never arrived its beginning, since that is made anew as it is sent; else the
 * newest. That somebody took it is a message of its own, after those.
 */
export function condense(
  queue: Queue,
): { readonly next: DeliveryRecord; readonly dropped: Queue } | undefined {
  const last = queue.at(-1);
  if (!last) return undefined;
  const isEnd = kindName(last) === 'resolved';
  const fired = queue.findLast((record) => kindName(record) === 'fired');
  const news = queue.findLast((record) => kindName(record) !== 'acknowledged');
  const next = isEnd ? last : (fired ?? news ?? last);
  const taken = isEnd ? undefined : queue.findLast((record) => kindName(record) === 'acknowledged');
  const dropped = queue.filter((record) => record !== next && record !== taken);
  const attempts = Math.max(...queue.map((record) => record.attempts));
  return { next: { ...next, attempts }, dropped };
}

/** Returns the ms to wait after so many failed tries, longer each time, or as long as the receiver wants. */
export function pause(attempts: number, wanted = 0): number {
  return Math.max(Math.min(longestPauseMs, firstPauseMs * 2 ** attempts), wanted);
}

/** The id of an alert in that of a message, which versions before 2026-11-28 did not name. */
const alertOf = /^(alert(?:\/[^/]+){4})\/[a-z]+\/\d+$/;

/** Returns the message of a delivery. */
export function readMessage(message: DeliveryRecord['message']): AlertMessage {
  const read = message as unknown as AlertMessage;
  const alert = read.alert ?? alertOf.exec(read.id)?.[1];
  return { ...read, ...(alert !== undefined && { alert }), kind: presentKind(read.kind) };
}

function kindName({ message }: DeliveryRecord): AlertMessage['kind'] {
  return readMessage(message).kind;
}

function readNumber({ message }: DeliveryRecord): number {
  return readMessage(message).number ?? 0;
}
