import type { Indicator } from '../results/probe-record.ts';
import type { IncidentRecord, Json } from '../results/results-store.ts';
import { type Alert, eventMs, type Touch } from './alert.ts';
import type { AlertSource, StoredAlerts } from './alert-source.ts';
import type { Firing, JudgedSample } from './burn-rate.ts';
import type { BurnState } from './burn-state.ts';
import {
  type AlertFacts,
  alertId,
  isObject,
  type Severity,
  type Source,
  type Subject,
  subjectName,
  symptomKey,
} from './cause.ts';
import type { CoverageState } from './coverage-conditions.ts';

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

/** An alert of an objective, and a notice, as versions before 2026-11-28 kept them. */
type FirstAlert = {
  readonly standing: {
    readonly target: string;
    readonly indicator: Indicator;
    readonly location: string;
    readonly since: number;
    readonly severity: Severity;
    readonly firing: readonly Firing[];
    readonly reported: number;
    readonly reminders: number;
    readonly rules?: readonly string[];
    readonly moved?: number;
  };
  readonly newest: readonly JudgedSample[];
};
type FirstNotice = Omit<FormerAlert, 'source' | 'began' | 'sent'> & {
  readonly notice: Source;
  readonly began?: number;
};

/** Reads the states that versions before 2026-12 kept of all alerts; undefined for one of ours. */
export async function readFormer(
  store: AlertSource,
  state: Json | undefined,
): Promise<StoredAlerts | undefined> {
  if (Array.isArray(state) && state.every((entry) => isObject(entry) && isObject(entry.standing)))
    return readFirst(store, state as unknown as readonly FirstAlert[]);
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

/** The present outage of an alert was not kept then: it is that of its open incident. */
async function readFirst(store: AlertSource, all: readonly FirstAlert[]): Promise<StoredAlerts> {
  const incidents = await store.openIncidents();
  const kept = await store.state('notices');
  const { notices = [], seen = {} } = (isObject(kept) ? kept : {}) as {
    readonly notices?: readonly FirstNotice[];
    readonly seen?: Readonly<Record<string, CoverageState>>;
  };
  const find = (target: string, indicator: string): IncidentRecord | undefined =>
    incidents.find((one) => one.target === target && one.indicator === indicator);
  const formers = all.map(({ standing }): FormerAlert => {
    const { target, indicator, rules, firing: _, ...rest } = standing;
    const incident = find(target, indicator);
    return {
      ...rest,
      ...{ source: indicator, subject: { target }, words: '', sent: 1 + standing.reminders },
      began: incident?.firstFailed ?? incident?.begin ?? standing.since,
      ...(rules && { marks: rules }),
      ...(incident && { facts: { incident: incident.id } }),
      isOver: incident === undefined,
    };
  });
  const ofNotices = notices.map(({ notice, ...rest }): FormerAlert => {
    return { ...rest, source: notice, began: rest.began ?? rest.since, sent: 1 + rest.reminders };
  });
  return {
    alerts: [...formers, ...ofNotices].map((former) => convert(former, former.sent)),
    burn: (target, indicator) => {
      const found = all.find(
        ({ standing }) => standing.target === target && standing.indicator === indicator,
      );
      return found && makeBurn(found, find(target, indicator));
    },
    coverage: (target) => seen[target],
    certificates: {},
    isFormer: true,
  };
}

function makeBurn({ standing, newest }: FirstAlert, incident: IncidentRecord | undefined): BurnState {
  const { firstFailed, begin = standing.since, slots = 1 } = incident ?? {};
  return {
    ...{ firing: standing.firing, newest, outages: 1, marks: [] },
    ...(incident && { outage: { since: firstFailed ?? begin, slots, confirmed: 0, pools: [] } }),
  };
}

/** Returns an alert that another version opened under the name that its receivers know. */
function convert(former: FormerAlert, number: number): Alert {
  const { source, subject, location, since, moved, began, severity, isOver = false, reported } = former;
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
    ...{ id: alertId(former, location, since), location, since, severity },
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
