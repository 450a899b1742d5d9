import { isIndicator, type Source } from '../../alerting/cause.ts';
import { metricsText } from '../../metrics/metrics.ts';
import { EventCounts } from '../../metrics/metrics-notices.ts';
import { MetricsState } from '../../metrics/metrics-state.ts';
import { readBriefFacts, readOccurrences } from '../../page/page-facts.ts';
import { presentTitle } from '../../page/present.ts';
import { monitorSummary } from '../../page/view.ts';
import type { Definition } from '../../plan/definition.ts';
import type { EventRecord, ResultsStore } from '../../results/results-store.ts';
import type { AlertingMonitor } from '../../slots/alerting-monitor.ts';
import { parsePrometheus } from '../prometheus-text.ts';

type Shown = {
  readonly alertingMonitor: AlertingMonitor;
  readonly store: ResultsStore;
  readonly definition: Definition;
  /** Unix ms. */
  readonly now: number;
};

/** Returns what page and metrics say otherwise than a message, at the time at which it is sent; nothing if they agree. */
export async function findDisagreement(event: EventRecord, shown: Shown): Promise<string[]> {
  const { indicator, notice, state } = event.detail;
  const source = (indicator ?? notice) as Source;
  const isBad = state !== 'resolved' && event.kind !== 'alert-resolved';
  // A target that flaps may be good just now, and there may be other alerts than one that is over.
  const isShort = state === 'flapping' || !isIndicator(source);
  const titles = isBad && state !== 'flapping' ? titlePattern(source, event.target) : undefined;
  const page = titles && (await readTitle(shown));
  const firing = source === 'disk' || (isShort && !isBad) ? isBad : await readFiring(event, isShort, shown);
  return [
    ...(page === undefined || titles?.test(page) ? [] : [`page: ${page}`]),
    ...(firing === isBad ? [] : [`metrics: firing ${firing}`]),
  ];
}

/** Returns how the page begins while a source is bad; undefined for one that stands elsewhere on it. */
function titlePattern(source: Source, target = ''): RegExp | undefined {
  if (isIndicator(source))
    return new RegExp(`(failing|Failing now): .*(${target}|more)|planned work|not seen|State unknown`);
  if (source === 'coverage') return /State unknown|not seen|failing|Failing/;
  return source === 'planned-work' ? /planned work at/ : undefined;
}

async function readTitle({ alertingMonitor, store, definition, now }: Shown): Promise<string> {
  const { location, probes, objectives, maintenance } = definition;
  const facts = { ...(await readBriefFacts(store, now)), ...(await readOccurrences(store, now)) };
  const blind = alertingMonitor.coverage.flatMap(({ target, blindSince: since }) =>
    since === undefined ? [] : [{ target, location, since }],
  );
  const summary = monitorSummary(
    { ...facts, blind },
    {
      ...{ location, objectives, shares: {}, versions: { candleproof: '', catalogue: '' } },
      probes: probes.map(({ target, name }) => ({ target, probe: name, cadence: '', requests: 1 })),
      maintenance: maintenance.map(({ target, window }) => ({ target, window: '', schedule: window })),
    },
  );
  return presentTitle(summary.watches, now);
}

/** Returns whether the metrics show an objective's alert, or whether they count any. */
async function readFiring(
  { target, detail }: EventRecord,
  isAny: boolean,
  { alertingMonitor: { alerts, coverage }, store, definition, now }: Shown,
): Promise<boolean> {
  const { figures } = await MetricsState.restore(store, definition, now);
  const text = metricsText({
    ...figures,
    alerts: alerts.objectiveAlerts.map(({ touch, ...one }) => ({
      ...{ ...one, isFiring: touch !== undefined },
      ...(touch && { severity: touch.severity }),
    })),
    ...{ openAlerts: alerts.openAlerts, incidents: alerts.openIncidents, coverage, version: 'test' },
    ...{ judged: [], exhaustions: [], happened: new EventCounts() },
  });
  const points = [...parsePrometheus(text).values()].flatMap((family) => family.points);
  return points.some(({ name, labels, value }) =>
    isAny
      ? name === 'candleproof_alerts_open' && value > 0
      : name === 'candleproof_alerts_firing' &&
        labels.target === target &&
        labels.indicator === detail.indicator &&
        value === 1,
  );
}
