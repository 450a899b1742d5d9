import type { Json, ResultsReader } from '../results/results-store.ts';
import { UnreadableStore } from '../results/store-error.ts';
import type { Alert, Touch } from './alert.ts';
import type { BurnState } from './burn.ts';
import {
  type AlertFacts,
  type Severity,
  type Source,
  type Subject,
  subjectName,
  symptomKey,
} from './cause.ts';
import type { CoverageState } from './coverage.ts';

/** The name under which the store keeps which alerts are open or remembered; each has a state of its own. */
const indexName = 'alerts';
const certificatesName = 'certificates';

/** Everything that alerts remember over a restart, as the states of a store. */
export type StoredAlerts = {
  readonly alerts: readonly Alert[];
  readonly burn: (target: string, indicator: string) => BurnState | undefined;
  readonly coverage: (target: string) => CoverageState | undefined;
  readonly certificates: Readonly<Record<string, number>>;
  /** True if another version wrote them in another form, so that they have to be written anew. */
  readonly isFormer: boolean;
};

/** Names the states of one target. */
export function burnName(target: string, indicator: string): string {
  return `burn ${JSON.stringify([target, indicator])}`;
}

/** Names the state of a target's coverage. */
export function coverageName(target: string): string {
  return `coverage ${target}`;
}

/** Returns the states of the alerts that changed; null forgets one. */
export function alertStates(
  changed: ReadonlyMap<string, Alert | undefined>,
  open: readonly Alert[],
  certificates: Readonly<Record<string, number>> | undefined,
): Record<string, Json> {
  const states: Record<string, Json> = {};
  for (const [id, alert] of changed) states[`alert ${id}`] = alert === undefined ? null : toPlain(alert);
  if (changed.size > 0) states[indexName] = { open: open.map(({ id }) => id) };
  if (certificates) states[certificatesName] = { ...certificates };
  return states;
}

/** Reads the alerts of a store: those that are open, and those that are remembered for a while. */
export async function readAlerts(store: Pick<ResultsReader, 'state'>): Promise<readonly Alert[]> {
  const index = await store.state(indexName);
  const former = readFormer(index);
  if (former) return former.alerts;
  const ids = isObject(index) && Array.isArray(index.open) ? index.open : [];
  if (index !== undefined && !(isObject(index) && Array.isArray(index.open)))
    throw new UnreadableStore(
      `the results store's state "${indexName}" cannot be read: another version wrote it; start on a new data folder`,
    );
  const all = await Promise.all(ids.map((id) => store.state(`alert ${id}`)));
  return all.flatMap((alert) => (isObject(alert) ? [alert as unknown as Alert] : []));
}

/** Reads what alerts remember; `watched` lists the targets and indicators whose states are needed. */
export async function readStored(
  store: Pick<ResultsReader, 'state'>,
  watched: readonly { readonly target: string; readonly indicators: readonly string[] }[],
): Promise<StoredAlerts> {
  const former = readFormer(await store.state(indexName));
  if (former) return former;
  const burns = new Map<string, BurnState>();
  const coverage = new Map<string, CoverageState>();
  for (const { target, indicators } of watched) {
    const seen = await store.state(coverageName(target));
    if (isObject(seen)) coverage.set(target, seen as unknown as CoverageState);
    for (const indicator of indicators) {
      const burn = await store.state(burnName(target, indicator));
      if (isObject(burn)) burns.set(burnName(target, indicator), burn as unknown as BurnState);
    }
  }
  const certificates = await store.state(certificatesName);
  return {
    alerts: await readAlerts(store),
    burn: (target, indicator) => burns.get(burnName(target, indicator)),
    coverage: (target) => coverage.get(target),
    certificates: isObject(certificates) ? (certificates as Record<string, number>) : {},
    isFormer: false,
  };
}

/** An alert as versions before 2026-12 kept it. */
type FormerAlert = {
  readonly source: Source;
  readonly subject: Subject;
  readonly words: string;
  readonly facts?: AlertFacts;
  readonly marks?: readonly string[];
  readonly location: string;
  readonly since: number;
  readonly moved?: number;
  readonly began: number;
  readonly severity: Severity;
  readonly isOver?: boolean;
  readonly isAcknowledged?: boolean;
  readonly every?: number;
  readonly reported: number;
  readonly reminders: number;
  readonly sent: number;
  readonly more?: number;
  readonly inAll?: number;
};

/** Reads the one state that versions before 2026-12 kept of all alerts; undefined for one of ours. */
function readFormer(state: Json | undefined): StoredAlerts | undefined {
  if (!isObject(state) || !isObject(state.engine)) return undefined;
  const open = Array.isArray(state.engine.open) ? (state.engine.open as unknown as FormerAlert[]) : [];
  const said = (state.engine.said ?? {}) as Readonly<Record<string, { readonly number?: number }>>;
  const burns = (state.burns ?? {}) as unknown as Readonly<Record<string, BurnState>>;
  const coverage = (state.coverage ?? {}) as unknown as Readonly<Record<string, CoverageState>>;
  return {
    alerts: open.map((alert) => convert(alert, said[symptomKey(alert)]?.number ?? alert.sent)),
    burn: (target, indicator) => burns[JSON.stringify([target, indicator])],
    coverage: (target) => coverage[target],
    certificates: (state.certificates ?? {}) as Readonly<Record<string, number>>,
    isFormer: true,
  };
}

/** Days that a notice without an end is remembered. */
const eventMs = 86_400_000;

/** Returns an alert that another version opened under the name that its receivers know. */
function convert(former: FormerAlert, number: number): Alert {
  const { source, subject, location, since, moved, began, severity, isOver = false, reported } = former;
  const parts = ['alert', subjectName(subject), source, location, since];
  const touch: Touch = {
    ...{ source, subject, severity, began },
    family: `former ${source} ${subjectName(subject)}`,
    ...(former.marks && { marks: former.marks }),
    ...(former.every !== undefined && { every: former.every }),
    ...(former.facts?.incident !== undefined && { incident: former.facts.incident }),
    ...(isOver && { end: reported, mayReturn: true }),
    ...(former.more !== undefined && {
      happened: {
        ...{ more: former.more, inAll: former.inAll ?? former.more, words: former.words, isNew: false },
        until: reported + eventMs,
      },
    }),
  };
  const saidKind = isOver ? 'resolved' : former.reminders > 0 ? 'reminder' : 'fired';
  return {
    ...{ id: parts.map((part) => encodeURIComponent(part)).join('/'), location, since, severity },
    ...(moved !== undefined && { moved }),
    state: isOver ? 'resolved' : 'firing',
    touches: { [symptomKey(former)]: touch },
    outages: {
      ...{ number: 1, starts: [began], longest: 0, total: 0, first: began },
      ...(!isOver && { present: began }),
    },
    ...(isOver && { quiet: reported }),
    said: { at: reported, kind: saidKind, severity, count: former.inAll ?? 0, outages: 1 },
    firstSaid: since,
    sent: number,
    reminders: former.reminders,
    ...(former.isAcknowledged && { isAcknowledged: true }),
  };
}

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toPlain(alert: Alert): Json {
  return JSON.parse(JSON.stringify(alert));
}
