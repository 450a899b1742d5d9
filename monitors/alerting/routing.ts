import type { DeliveryRecord } from '../../results/results-store.ts';
import type { Sink } from '../plan/definition.ts';
import { toJson } from './alert.ts';
import type { AlertMessage } from './message.ts';

/** The targets that use a key, by the name of its account. */
export type Accounts = ReadonlyMap<string, readonly string[]>;

/** Returns whether a sink takes a message. The severity of an alert never falls, so that it takes its end as well. */
function takes(
  { severity = 'ticket', targets }: Pick<Sink, 'severity' | 'targets'>,
  message: Pick<AlertMessage, 'severity' | 'target' | 'account'>,
  accounts: Accounts,
): boolean {
  if (severity === 'page' && message.severity !== 'page') return false;
  const { target, account } = message;
  const about = target !== undefined ? [target] : account !== undefined ? accounts.get(account) : undefined;
  return !targets || !about || about.some((name) => targets.includes(name));
}

/** Returns a message to each of the sinks that take it; of an alert that became a page, pagers get it as its first. */
export function makeDeliveries(
  message: AlertMessage,
  sinks: readonly Sink[],
  accounts: Accounts,
  now: number,
): DeliveryRecord[] {
  return sinks
    .filter((sink) => takes(sink, message, accounts))
    .map(({ name, severity }) => ({
      ...{ id: deliveryId(message.id, name), sink: name, dueAt: now, attempts: 0 },
      message: toJson(
        severity === 'page' && message.kind === 'worsened' ? { ...message, kind: 'fired' } : message,
      ),
    }));
}

/** Returns the id of a message's delivery to a sink. */
export function deliveryId(message: string, sink: string): string {
  return `${message}/${encodeURIComponent(sink)}`;
}
