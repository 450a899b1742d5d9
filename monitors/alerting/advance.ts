import {
  type Alert,
  activeTouches,
  countHappened,
  type Due,
  isBurning,
  isReported,
  type MessageKind,
  type Policy,
  type Said,
  type Touch,
} from './alert.ts';
import { lastingMs, ownQuietMs, quietGaps, rememberMs } from './alert-times.ts';
import { ownFamily } from './cause.ts';

/**
 * Returns the alert as time makes it, undefined once it is forgotten, with the message that is due. `mayRemind` is called
 * if a reminder or an escalation would be: it may take a look at all other alerts.
 */
export function advance(
  alert: Alert,
  policy: Policy,
  now: number,
  mayRemind: () => boolean,
): { alert: Alert | undefined; due?: Due } {
  const timed = passTime(alert, now);
  const { pending } = timed;
  if (pending && pending.at <= now) return say(timed, pending.kind, now);
  if (isReminderDue(timed, policy, now) && mayRemind()) return say(timed, 'reminder', now);
  if (isEscalationDue(timed, policy, now) && mayRemind()) {
    const escalated = { ...timed, isEscalated: true, sent: timed.sent + 1 };
    return {
      alert: escalated,
      due: { alert: escalated, kind: 'fired', isFirstPage: false, isEscalation: true },
    };
  }
  const isOver = timed.state === 'resolved' && !pending && now - (timed.quiet ?? now) >= rememberMs;
  return { alert: isOver && !isBurning(timed) ? undefined : timed };
}

/** Returns when a message is due that nothing else brings about; Unix ms, Infinity if never. */
export function nextDue(alert: Alert): number {
  const { pending, state, quiet } = alert;
  const planned = pending?.at ?? Number.POSITIVE_INFINITY;
  return state !== 'resolved' && quiet !== undefined ? Math.min(planned, quiet + quietTime(alert)) : planned;
}

/** Plans a message. Takes the earlier of two times; of two kinds, that it fired says all that it changed. */
export function plan(alert: Alert, kind: MessageKind, at: number): Alert {
  const { pending } = alert;
  if (pending === undefined || pending.kind === 'resolved') return { ...alert, pending: { kind, at } };
  const kept = pending.kind === 'changed' ? kind : pending.kind;
  return { ...alert, pending: { kind: kept, at: Math.min(at, pending.at) } };
}

/** Returns an alert as it is at `now`: quiet long enough it is resolved, and one that no longer flaps lasts. */
export function passTime(alert: Alert, now: number): Alert {
  const { state, quiet, outages } = alert;
  if (quiet === undefined && activeTouches(alert, now).length === 0)
    return passTime(calm(alert, now, now), now);
  if (quiet !== undefined && state !== 'resolved' && (alert.isWithdrawn || now - quiet >= quietTime(alert)))
    return resolve(alert, now);
  const { present, longest } = outages;
  if (state !== 'flapping' || quiet !== undefined || present === undefined) return alert;
  if (now - present < Math.max(lastingMs, 2 * longest)) return alert;
  return plan({ ...alert, state: 'firing', reminders: 0 }, isReported(alert) ? 'changed' : 'fired', now);
}

/** Marks that no symptom is left since `now`, and that the last one ended at an instant before. */
export function calm(alert: Alert, ended: number, now: number): Alert {
  const { present = ended, ...outages } = alert.outages;
  const length = Math.max(0, ended - present);
  return {
    ...alert,
    quiet: now,
    outages: { ...outages, total: outages.total + length, longest: Math.max(outages.longest, length) },
  };
}

function quietTime({ state, outages, touches }: Alert): number {
  if (state === 'flapping') {
    const { number, first, starts } = outages;
    const gaps = number > 1 ? ((starts.at(-1) ?? first) - first) / (number - 1) : 0;
    return Math.max(rememberMs, quietGaps * gaps);
  }
  // Own trouble comes and goes for each of many targets: one good slot proves little.
  return Object.values(touches).some(({ family }) => family === ownFamily) ? ownQuietMs : 0;
}

/** An alert that nobody heard of is its end alone; one silent single slot is nothing. */
function resolve(alert: Alert, now: number): Alert {
  const { pending, ...rest } = alert;
  const isDue = isReported(alert) || pending?.kind === 'fired';
  const flapped = alert.state === 'flapping' && { hasFlapped: true };
  return { ...rest, ...flapped, state: 'resolved', ...(isDue && { pending: { kind: 'resolved', at: now } }) };
}

function reminderMs(alert: Alert, { reminder }: Policy): number {
  const lasting = Object.values(alert.touches).filter(({ end }) => end === undefined);
  const every = lasting.map((touch) => touch.every ?? reminder[alert.severity]);
  const usual = every.length > 0 ? Math.min(...every) : reminder[alert.severity];
  return alert.state === 'flapping' ? usual * 2 ** alert.reminders : usual;
}

function isReminderDue(alert: Alert, policy: Policy, now: number): boolean {
  const { said, state } = alert;
  if (!isReported(alert) || said === undefined || state === 'resolved' || alert.isAcknowledged) return false;
  const every = reminderMs(alert, policy);
  if (!(every > 0) || now - said.at < every) return false;
  if (state === 'flapping') return alert.outages.number > said.outages;
  const touches = activeTouches(alert, now);
  return touches.some(({ happened }) => happened === undefined || happened.more > 0);
}

function isEscalationDue(alert: Alert, { escalateAfter }: Policy, now: number): boolean {
  if (escalateAfter === undefined || alert.isEscalated || alert.isAcknowledged || !isReported(alert))
    return false;
  return (
    alert.severity === 'page' &&
    alert.state !== 'resolved' &&
    now - alert.since - (alert.moved ?? 0) >= escalateAfter
  );
}

function say(alert: Alert, kind: MessageKind, now: number): { alert: Alert; due: Due } {
  const { pending: _, said: before, ...rest } = alert;
  const { severity, outages, touches, firstSaid = now } = alert;
  const said: Said = { at: now, kind, severity, count: countHappened(touches), outages: outages.number };
  const isQuiet = kind === 'acknowledged' && before;
  const next: Alert = {
    ...rest,
    firstSaid: kind === 'fired' ? now : firstSaid,
    ...{ sent: alert.sent + 1, said: isQuiet ? before : said },
    reminders: kind === 'reminder' ? alert.reminders + 1 : alert.reminders,
    ...((kind === 'changed' || kind === 'fired') && { lastChange: now, isAcknowledged: false }),
    touches: kind === 'acknowledged' ? touches : namedTouches(touches),
  };
  const shown = { ...next, touches };
  const isFirstPage = kind === 'changed' && severity === 'page' && before?.severity === 'ticket';
  return { alert: next, due: { alert: shown, kind, isFirstPage } };
}

function namedTouches(touches: Alert['touches']): Alert['touches'] {
  const named = Object.entries(touches).map(([key, { fresh, marks, ...touch }]): [string, Touch] => {
    const all = [...(marks ?? []), ...(fresh ?? [])];
    const { happened } = touch;
    return [
      key,
      {
        ...touch,
        named: touch.end === undefined ? 'begun' : 'over',
        ...(all.length > 0 && { marks: all.toSorted() }),
        ...(happened && { happened: { ...happened, more: 0, isNew: false } }),
      },
    ];
  });
  return Object.fromEntries(named);
}
