import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@candleproof/files/usage-error';
import { writeFiles } from '@candleproof/files/write-files';
import { workKind } from '../plan/announced-work.ts';
import { type Definition, listParents } from '../plan/definition.ts';
import { methodName } from '../results/known-states.ts';
import { openForReading } from '../results/open-source.ts';
import type { EventRecord } from '../results/results-store.ts';
import type { Alert } from './alert.ts';
import type { AlertBook } from './alert-book.ts';
import { readAlerts } from './stored-alerts.ts';

/** A person's words about an alert, a target or an incident; `at` in Unix ms. */
export type Remark = {
  readonly at: number;
  /** The id of an alert or an incident, or the name of a target. */
  readonly about: string;
  readonly text: string;
  readonly by: string;
  /** True if somebody has taken the alert: no reminder follows until something is new. */
  readonly isAcknowledged: boolean;
  /** The end of planned work at a target that it announces, Unix ms. */
  readonly until?: number;
};

/**
 * Throws a UsageError for a remark that a data folder's monitor can do nothing with: it acknowledges no open alert, or
 * announces work at a target that the monitor does not watch. The error lists those there are.
 */
export async function requireFitting(
  dataDir: string,
  remark: Omit<Remark, 'at' | 'by' | 'text'>,
): Promise<void> {
  const reader = await openForReading({ kind: 'folder', folder: dataDir });
  try {
    if (remark.isAcknowledged) refuseUnknown(remark.about, await readAlerts(reader), dataDir);
    if (remark.until !== undefined) refuseUnwatched(remark.about, await reader.state(methodName), dataDir);
  } finally {
    await reader.close();
  }
}

function refuseUnknown(about: string, alerts: readonly Alert[], dataDir: string): void {
  const open = alerts.filter(({ state }) => state !== 'resolved');
  if (open.some((alert) => isAbout(alert, about))) return;
  const names = open.map(({ id }) => id);
  throw new UsageError(
    names.length === 0
      ? `monitor ack: no alert is open in ${dataDir}`
      : `monitor ack: no open alert is "${about}": use ${names.join(', ')}`,
  );
}

/** `method` is how the last monitor of the folder measured. */
function refuseUnwatched(target: string, method: unknown, dataDir: string): void {
  const { probes = [] } = (method ?? {}) as { readonly probes?: readonly { readonly target: string }[] };
  const names = [...new Set(probes.map((probe) => probe.target))];
  if (names.includes(target)) return;
  throw new UsageError(
    `monitor maintain: no target of ${dataDir} is "${target}": use ${names.join(', ') || 'the folder of a monitor'}`,
  );
}

/** Leaves a remark in a data folder for its monitor, which alone writes the store. */
export function leaveRemark(dataDir: string, remark: Remark): void {
  writeFiles(join(dataDir, 'remarks'), { [`${remark.at}-${randomUUID()}.json`]: JSON.stringify(remark) });
}

/** The remarks that were left in a data folder and are not taken yet. */
export class RemarkBox {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'remarks');
  }

  /** Passes the remarks, oldest first, to `take` and forgets them once it resolves. */
  async empty(take: (remarks: readonly Remark[]) => Promise<void>): Promise<void> {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : [];
    const left = names.filter((name) => name.endsWith('.json')).toSorted();
    if (left.length === 0) return;
    await take(left.flatMap((name) => parseRemark(readFileSync(join(this.#folder, name), 'utf8'))));
    for (const name of left) rmSync(join(this.#folder, name), { force: true });
  }
}

/**
 * Returns the events of remarks that acknowledge nothing: notes, and planned work, also at all that hangs on the target.
 * One about a target, or an id with its name, is its target's.
 */
export function noteEvents(
  remarks: readonly Remark[],
  definition: Pick<Definition, 'location' | 'parents'>,
  targets: readonly string[],
): EventRecord[] {
  return remarks
    .filter(({ isAcknowledged }) => !isAcknowledged)
    .flatMap(({ at, about, text, by, until }): EventRecord[] => {
      const target = targets.find((name) => about.split('/').includes(encodeURIComponent(name)));
      const detail = { location: definition.location, about, words: `${by}: ${text}` };
      if (until === undefined) return [{ at, kind: 'note', target, detail }];
      const touched = targets.filter(
        (name) => name === target || listParents(name, definition).includes(target ?? ''),
      );
      return touched.map((name) => ({
        ...{ at, kind: workKind, target: name },
        detail: { ...detail, from: at, to: until },
      }));
    });
}

/** Acknowledges the alerts that remarks have taken. */
export function acknowledge(
  remarks: readonly Remark[],
  book: Pick<AlertBook, 'acknowledge'>,
  now: number,
): void {
  for (const { about, text, by, isAcknowledged } of remarks) {
    if (!isAcknowledged) continue;
    const words = text === '' ? `by ${by}` : `by ${by}: ${text}`;
    book.acknowledge((alert) => isAbout(alert, about), words, now);
  }
}

/** Returns whether a remark about an alert's id, its incident or its target means it. */
function isAbout({ id, touches }: Alert, about: string): boolean {
  const names = Object.values(touches).flatMap(({ subject, incident }) => [
    incident,
    'target' in subject ? subject.target : undefined,
  ]);
  return id === about || names.includes(about);
}

function parseRemark(text: string): Remark[] {
  try {
    const remark: Partial<Remark> = JSON.parse(text);
    const { at, about, text: said, by, isAcknowledged = false, until } = remark;
    const isWhole = typeof at === 'number' && [about, said, by].every((part) => typeof part === 'string');
    const work = typeof until === 'number' ? { until } : {};
    return isWhole ? [{ at, about: `${about}`, text: `${said}`, by: `${by}`, isAcknowledged, ...work }] : [];
  } catch {
    // A file that somebody else put there.
    return [];
  }
}
