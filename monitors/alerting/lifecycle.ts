import { calm, passTime, plan } from './advance.ts';
import {
  type Alert,
  activeTouches,
  countHappened,
  isBurning,
  isReported,
  type Policy,
  type Touch,
} from './alert.ts';
import { changeMs, flapMs, flapMsOfBudget, graverTimes, joinMs, maxRelapses } from './alert-times.ts';
import { type About, type Scattered, type Severity, workMark } from './cause.ts';

/** Begins a symptom, or a new outage of one; scattered outages before it mean that it flaps from the beginning. */
export function begin(
  alert: Alert,
  key: string,
  touch: Touch,
  policy: Policy,
  now: number,
  scattered?: Scattered,
): Alert {
  const touches = { ...alert.touches, [key]: touch };
  const joined = raise({ ...alert, touches }, touch.severity);
  if (alert.quiet === undefined && Object.keys(alert.touches).length > 0)
    return touch.isSilent ? joined : joiner(joined, policy, now);
  const { outages, quiet: _, isWithdrawn: __, ...rest } = joined;
  const starts = [...outages.starts, now].slice(-(maxRelapses + 2));
  const isFirst = outages.number === 0;
  const next: Alert = {
    ...rest,
    outages: {
      ...outages,
      ...{ starts, number: outages.number + 1, present: touch.began },
      first: isFirst ? touch.began : outages.first,
      ...(isFirst &&
        scattered && { number: scattered.number, first: scattered.since, total: scattered.total }),
    },
  };
  const { kind: last } = joined.said ?? {};
  const kind = last === undefined || last === 'resolved' ? 'fired' : 'changed';
  if (scattered !== undefined && isFirst)
    return plan({ ...next, state: 'flapping' }, 'fired', now + policy.collect);
  if (alert.state === 'flapping') return next;
  if (isFlapping(starts, isBurning(alert)))
    return plan({ ...next, state: 'flapping', reminders: 0 }, kind, now);
  // The end of an outage that was not said yet is not said either: it goes on.
  const { pending: ___, ...going } = next;
  const firing: Alert = { ...going, state: 'firing' };
  if (touch.isShort && !isFirst) return firing;
  return kind === 'changed' ? firing : plan(firing, 'fired', now + policy.collect);
}

/** Takes what is new of a symptom that lasts: its severity, its marks, that it is no longer short. */
export function update(
  alert: Alert,
  key: string,
  {
    severity,
    marks = [],
    isShort = false,
    incident,
  }: Pick<Touch, 'severity' | 'marks' | 'isShort' | 'incident'>,
  policy: Policy,
  now: number,
): Alert {
  const before = alert.touches[key];
  if (!before) return alert;
  const known = [...(before.marks ?? []), ...(before.fresh ?? [])];
  const added = marks.filter((mark) => !known.includes(mark));
  const isGraver = severity === 'page' && before.severity === 'ticket';
  const lengthened = before.isShort === true && !isShort;
  const isThreaded = incident !== undefined && incident !== before.incident;
  if (added.length === 0 && !isGraver && !lengthened && !isThreaded) return alert;
  const { isShort: _, ...rest } = before;
  const touch: Touch = {
    ...rest,
    severity: isGraver ? severity : before.severity,
    ...(isShort && { isShort }),
    ...(incident !== undefined && { incident }),
    ...(added.length > 0 && { fresh: [...(before.fresh ?? []), ...added] }),
  };
  const next = raise({ ...alert, touches: { ...alert.touches, [key]: touch } }, touch.severity);
  if (lengthened && alert.state === 'firing' && !isReported(alert) && !alert.pending)
    return plan(next, 'fired', now + policy.collect);
  if (added.some((mark) => mark.startsWith(workMark)) && isReported(next)) return plan(next, 'changed', now);
  return added.length > 0 || isGraver ? change(next, policy, now) : next;
}

/** Ends a symptom at an instant that proves it. */
export function end(
  alert: Alert,
  key: string,
  ending: { readonly ended?: number; readonly mayReturn?: boolean; readonly isWithdrawn?: boolean },
  policy: Policy,
  now: number,
): Alert {
  const { ended = now, mayReturn = false, isWithdrawn = false } = ending;
  const before = alert.touches[key];
  if (!before) return alert;
  const { mayReturn: _, ...rest } = before;
  const touch: Touch = {
    ...rest,
    end: before.end ?? Math.max(ended, before.began),
    ...(mayReturn && { mayReturn }),
  };
  if (before.end !== undefined && (before.mayReturn ?? false) === mayReturn && !isWithdrawn) return alert;
  const next = { ...alert, touches: { ...alert.touches, [key]: touch } };
  if (before.end !== undefined) return next;
  const left = activeTouches(next, now).filter(({ happened }) => happened === undefined);
  if (left.length === 0)
    return passTime(calm(isWithdrawn ? { ...next, isWithdrawn } : next, touch.end ?? now, now), now);
  const isWhole = 'target' in touch.subject && !left.some(({ subject }) => isSame(subject, touch.subject));
  return isWhole && !touch.isSilent && isReported(alert) && alert.state === 'firing'
    ? change(next, policy, now)
    : next;
}

/** Counts what happened: a message the first time, and if it has become far more. */
export function happen(
  alert: Alert,
  key: string,
  touch: Touch & Required<Pick<Touch, 'happened'>>,
  isNews: boolean,
  policy: Policy,
  now: number,
): Alert {
  const before = alert.touches[key];
  if (!before?.happened) return begin(alert, key, touch, policy, now);
  const next = {
    ...alert,
    touches: { ...alert.touches, [key]: { ...before, ...touch, began: before.began } },
  };
  return isNews || isFarMore(next) ? plan(next, isReported(next) ? 'changed' : 'fired', now) : next;
}

/** Marks that somebody took it: no reminder follows until something is new. */
export function acknowledge(alert: Alert, words: string, now: number): Alert {
  if (alert.isAcknowledged || alert.state === 'resolved') return alert;
  return {
    ...alert,
    isAcknowledged: true,
    acknowledgement: words,
    pending: { kind: 'acknowledged', at: now },
  };
}

function isSame(one: About['subject'], other: About['subject']): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isFlapping(starts: readonly number[], burns: boolean): boolean {
  const [first = 0, last = 0] = [starts[0], starts.at(-1)];
  return starts.length > maxRelapses + 1 && last - first <= (burns ? flapMsOfBudget : flapMs);
}

function raise(alert: Alert, severity: Severity): Alert {
  return severity === 'page' && alert.severity === 'ticket'
    ? { ...alert, severity, isAcknowledged: false }
    : alert;
}

/** Plans a change: at once if it is graver, else as seldom as a person bears. */
function change(alert: Alert, policy: Policy, now: number): Alert {
  if (!isReported(alert)) return alert;
  if (isGraver(alert)) return plan({ ...alert, isAcknowledged: false }, 'changed', now);
  const { lastChange = Number.NEGATIVE_INFINITY } = alert;
  return plan(alert, 'changed', Math.max(now + policy.collect, lastChange + changeMs));
}

function joiner(alert: Alert, policy: Policy, now: number): Alert {
  if (alert.state === 'flapping' || !isReported(alert)) return alert;
  if (isGraver(alert)) return plan(alert, 'changed', now);
  const joined = (alert.firstSaid ?? now) + joinMs;
  return now <= joined ? plan(alert, 'changed', joined) : change(alert, policy, now);
}

function isGraver(alert: Alert): boolean {
  return (alert.severity === 'page' && alert.said?.severity === 'ticket') || isFarMore(alert);
}

function isFarMore({ touches, said }: Alert): boolean {
  const most = countHappened(touches);
  return said !== undefined && said.count > 0 && most >= graverTimes * said.count;
}
