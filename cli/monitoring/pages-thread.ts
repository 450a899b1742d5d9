import { parentPort, workerData } from 'node:worker_threads';
import type { PortAnswer } from '../../monitors/slots/port.ts';
import { availabilityBadge, badgeSvg, conformanceBadge } from '../../reports/formats/badge.ts';
import { type MonitorFacts, readFacts } from '../../reports/monitor/facts.ts';
import { readPageState } from '../../reports/monitor/html/pieces.ts';
import { monitorPage } from '../../reports/monitor/monitor-page.ts';
import { openResultsForReading } from '../../results/sqlite/open.ts';
import { listStatements } from './method.ts';
import { type FromPages, factsAge, type PagesPlan, parseBadgePath, type ToPages } from './pages.ts';

const { dataDir, method }: PagesPlan = workerData;
const store = openResultsForReading(dataDir);
let kept: { readonly at: number; readonly facts: Promise<MonitorFacts>; keepMs: number } | undefined;

parentPort?.on('message', ({ id, ...request }: ToPages) => {
  void draw(request).then(
    (answer) => parentPort?.postMessage({ id, answer } satisfies FromPages),
    // Without the reason: it may name files.
    () => parentPort?.postMessage({ id } satisfies FromPages),
  );
});

async function draw({ now, path, query, blind }: Omit<ToPages, 'id'>): Promise<PortAnswer> {
  const facts = { ...(await readRecentFacts(now)), blind };
  const badge = parseBadgePath(path);
  if (!badge) {
    const state = readPageState(query, path === '/' ? factsAge / 1000 : undefined);
    const body = monitorPage(facts, { ...method, rules: listStatements() }, state);
    return { status: 200, type: 'text/html; charset=utf-8', body };
  }
  const made = (badge.isConformance ? conformanceBadge : availabilityBadge)(facts, method, badge.target);
  return badge.form === 'svg'
    ? { status: 200, type: 'image/svg+xml', body: badgeSvg(made) }
    : { status: 200, type: 'application/json', body: `${JSON.stringify(made)}\n` };
}

/** Reads the store's facts again if the last ones are too old. */
function readRecentFacts(now: number): Promise<MonitorFacts> {
  if (!kept || Math.abs(now - kept.at) > kept.keepMs) {
    const facts = store.then((opened) => readFacts(opened, now));
    const reading = { at: now, facts, keepMs: Infinity };
    kept = reading;
    const began = performance.now();
    facts.then(
      // Facts that take long are kept longer, so that reading them does not take a whole processor.
      () => {
        reading.keepMs = Math.max(factsAge, 10 * (performance.now() - began));
      },
      () => {
        kept = undefined;
      },
    );
  }
  return kept.facts;
}
