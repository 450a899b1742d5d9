import { listParents } from '../plan/definition.ts';
import { type Alert, activeTouches } from './alert.ts';
import { joinMs } from './alert-times.ts';
import { isIndicator, ownFamily, type Source, type Subject } from './cause.ts';

/** The groups and parents of targets, by their names, and the targets that use a key, by the name of its account. */
export type Topology = {
  readonly groups: Readonly<Record<string, string>>;
  readonly parents: Readonly<Record<string, string>>;
};

/** A symptom that begins. */
export type Beginning = {
  readonly source: Source;
  readonly subject: Subject;
  readonly family: string;
  /** Between these instants (Unix ms) it began. */
  readonly lastGood?: number | undefined;
  readonly began?: number;
};

/** The alert of a symptom; `isSilent` if it only follows from what the alert says already. */
export type Placed = { readonly alert: Alert; readonly isSilent: boolean };

/**
 * Ms between two first bad slots that may still be one cause, however rare the probes are: of two hourly probes,
 * one fails at 12:00, and at 12:50 the other, which was good last at 11:50.
 */
const mostApartMs = 3_600_000;

/** Sources that silence all that hangs on their target: it cannot be reached or judged. */
const silencing: readonly Source[] = ['availability', 'coverage'];

/**
 * Returns the alert that a symptom belongs to, because it is the same cause, or undefined if it is one of its own: the
 * alert of a target that it hangs on; the one of our own trouble, or of its key's quota; or one that began together with
 * it at the same target, in the same group, or by the same failure.
 */
export function place(
  beginning: Beginning,
  alerts: readonly Alert[],
  topology: Topology,
  now: number,
): Placed | undefined {
  const { subject, family } = beginning;
  const open = alerts.filter(({ state }) => state !== 'resolved');
  const parent = findParent(subject, open, topology, now);
  if (parent) return { alert: parent, isSilent: true };
  const shared = open.find((alert) => isShared(family) && hasFamily(alert, family));
  // That a key's targets are not judged follows from its quota.
  if (shared) return { alert: shared, isSilent: family !== ownFamily && 'target' in subject };
  const wrong = open.find((alert) => isAboutPast(beginning, alert, now));
  if (wrong) return { alert: wrong, isSilent: false };
  const alike = open.find(
    (alert) => isTogether(beginning, alert, now) && isAlike(beginning, alert, topology, now),
  );
  return alike && { alert: alike, isSilent: false };
}

/** Returns the alert of a target that this one hangs on, and without which it cannot be reached. */
export function findParent(
  subject: Subject,
  open: readonly Alert[],
  topology: Topology,
  now: number,
): Alert | undefined {
  if (!('target' in subject)) return undefined;
  const above = listParents(subject.target, topology);
  if (above.length === 0) return undefined;
  return open.find((alert) =>
    activeTouches(alert, now).some(
      ({ source, subject: at }) => silencing.includes(source) && 'target' in at && above.includes(at.target),
    ),
  );
}

/** Families with one cause whenever they begin. */
function isShared(family: string): boolean {
  return family === ownFamily || family.startsWith('quota ');
}

function hasFamily(alert: Alert, family: string): boolean {
  return Object.values(alert.touches).some((touch) => touch.family === family);
}

/** Returns whether both may have begun within the time, as far as the probes can tell. */
function isTogether(
  { began = 0, lastGood = began }: Beginning,
  { outages, since, moved = 0 }: Alert,
  now: number,
): boolean {
  const { first, present = first } = outages;
  if (now - since - moved <= joinMs) return true;
  return began - present <= mostApartMs && began >= present - mostApartMs && lastGood <= present + joinMs;
}

function isAlike(beginning: Beginning, alert: Alert, topology: Topology, now: number): boolean {
  const { source, subject, family } = beginning;
  return activeTouches(alert, now).some((touch) => {
    if (touch.family === family) return true;
    if (!isOfService(source) || !isOfService(touch.source)) return false;
    if (!('target' in subject) || !('target' in touch.subject)) return false;
    const [one, other] = [subject.target, touch.subject.target];
    return (
      one === other || (topology.groups[one] !== undefined && topology.groups[one] === topology.groups[other])
    );
  });
}

/** Returns whether what changed of a target's past is in an alert about its wrong answers. */
function isAboutPast({ source, subject }: Beginning, alert: Alert, now: number): boolean {
  if (source !== 'restatement' || !('target' in subject)) return false;
  return activeTouches(alert, now).some(
    (touch) =>
      touch.source === 'correctness' && 'target' in touch.subject && touch.subject.target === subject.target,
  );
}

/** Returns whether a source speaks of what a target serves: its objectives and its past have one cause at a time. */
function isOfService(source: Source): boolean {
  return isIndicator(source) || source === 'restatement';
}
