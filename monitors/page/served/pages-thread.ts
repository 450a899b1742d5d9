import { parentPort, workerData } from 'node:worker_threads';
import { hashSource } from '@candleproof/reports/run/page';
import { openResultsForReading } from '../../results/sqlite/open.ts';
import type { PortAnswer } from '../../slots/port.ts';
import { availabilityBadge, badgeSvg, conformanceBadge } from '../badge.ts';
import { monitorFeed } from '../feed.ts';
import { readPageState } from '../html/page-state.ts';
import { indexScript } from '../html/target-index.ts';
import { servedPage } from '../monitor-page.ts';
import { type MonitorFacts, readBriefFacts, readFacts, readOccurrences } from '../page-facts.ts';
import { listStatements } from '../plan-facts.ts';
import {
  type BadgePath,
  type FromPages,
  feedPath,
  type PagesPlan,
  parseBadgePath,
  type ToPages,
} from './drawn-pages.ts';

/** The index shows facts that are at most this old, in ms. */
const factsAge = 60_000;

const { dataDir, method }: PagesPlan = workerData;
const opening = openResultsForReading(dataDir);
let kept: { readonly at: number; readonly facts: Promise<MonitorFacts> } | undefined;

parentPort?.on('message', ({ id, ...request }: ToPages) => {
  void draw(request).then(
    (answer) => parentPort?.postMessage({ id, answer } satisfies FromPages),
    // Without the reason: it may name files.
    () => parentPort?.postMessage({ id } satisfies FromPages),
  );
});

type Request = Omit<ToPages, 'id'>;

async function draw(request: Request): Promise<PortAnswer> {
  if (request.path === feedPath) return drawFeed(request.now);
  const badge = parseBadgePath(request.path);
  return badge ? drawBadge(badge, request) : drawPage(request);
}

async function drawFeed(now: number): Promise<PortAnswer> {
  const body = monitorFeed(await readIndexFacts(now));
  return { status: 200, type: 'application/atom+xml; charset=utf-8', body };
}

async function drawBadge(
  { target, isConformance, form }: BadgePath,
  { now, blind }: Request,
): Promise<PortAnswer> {
  const of = { target, location: method.location };
  const facts = { ...(await readBriefFacts(await opening, now, of)), blind };
  const made = (isConformance ? conformanceBadge : availabilityBadge)(facts, method, target);
  return form === 'svg'
    ? { status: 200, type: 'image/svg+xml', body: badgeSvg(made) }
    : { status: 200, type: 'application/json', body: `${JSON.stringify(made)}\n` };
}

async function drawPage({ now, path, query, blind }: Request): Promise<PortAnswer> {
  const state = readPageState(query, path === '/' ? factsAge / 1000 : undefined);
  const { target } = state;
  const facts = await (target === undefined
    ? readIndexFacts(now)
    : readFacts(await opening, now, { target }));
  const isKnown =
    target === undefined ||
    [...facts.extents.map(({ series }) => series), ...method.probes].some((known) => known.target === target);
  if (!isKnown) return { status: 404, type: 'text/plain; charset=utf-8', body: 'no target has this name\n' };
  const body = servedPage({ ...facts, blind }, { ...method, rules: listStatements() }, state);
  const script = target === undefined ? hashSource(indexScript) : undefined;
  return { status: 200, type: 'text/html; charset=utf-8', body, script };
}

/** Reads the facts of all targets again if the last ones are too old. */
function readIndexFacts(now: number): Promise<MonitorFacts> {
  if (!kept || Math.abs(now - kept.at) > factsAge) {
    const facts = opening.then(async (store) => ({
      ...(await readBriefFacts(store, now)),
      ...(await readOccurrences(store, now)),
    }));
    kept = { at: now, facts };
    facts.catch(() => {
      kept = undefined;
    });
  }
  return kept.facts;
}
