import type { Json } from '../results/results-store.ts';
import { UnreadableStore } from '../results/store-error.ts';
import type { Alert } from './alert.ts';
import type { AlertSource, StoredAlerts } from './alert-source.ts';
import type { BurnState } from './burn-state.ts';
import { isObject, toJson } from './cause.ts';
import type { CoverageState } from './coverage-conditions.ts';
import { readFormer } from './former-alerts.ts';

/** The name under which the store keeps which alerts are open or remembered; each has a state of its own. */
const indexName = 'alerts';
const certificatesName = 'certificates';

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
  for (const [id, alert] of changed) states[`alert ${id}`] = alert === undefined ? null : toJson(alert);
  if (changed.size > 0) states[indexName] = { open: open.map(({ id }) => id) };
  if (certificates) states[certificatesName] = { ...certificates };
  return states;
}

/** Reads the alerts of a store: those that are open, and those that are remembered for a while. */
export async function readAlerts(store: AlertSource): Promise<readonly Alert[]> {
  const index = await store.state(indexName);
  const former = await readFormer(store, index);
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
  store: AlertSource,
  watched: readonly { readonly target: string; readonly indicators: readonly string[] }[],
): Promise<StoredAlerts> {
  const former = await readFormer(store, await store.state(indexName));
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
