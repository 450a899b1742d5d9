import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PortAnswer } from '../../monitors/slots/port.ts';
import type { OpenMonitor } from '../../monitors/watching/open-monitor.ts';
import type { DrawnRoutes } from '../../monitors/watching/window.ts';
import type { MonitorFacts } from '../../reports/monitor/facts.ts';
import type { ReportedPlan } from '../../reports/monitor/plan.ts';
import { describeMethod } from './method.ts';

/** The page and the badges show facts that are at most this old, in ms. */
export const factsAge = 60_000;

/** A badge that is older than the facts may be shown for this long, in ms, while a new one is drawn. */
const badgeAge = 3 * factsAge;

/** Longest wait in ms for a page; one that takes longer is drawn meanwhile, and found by the next request. */
const waitMs = 8000;

/** The source of the thread, and the plan that its pages describe. */
export type PagesPlan = { readonly dataDir: string; readonly method: ReportedPlan };

export type ToPages = {
  readonly id: number;
  readonly now: number;
  readonly path: string;
  readonly query: string;
  /** Targets that the monitor cannot judge now. */
  readonly blind: NonNullable<MonitorFacts['blind']>;
};

/** Without an answer if the page could not be made. */
export type FromPages = { readonly id: number; readonly answer?: PortAnswer };

/**
 * Returns the routes of a running monitor that show its results: the page at / (/still: not loaded again) and the badges
 * below /badge/. They are drawn in a thread, because ninety days of many targets take seconds, in which no probe would run.
 */
export function drawPages({ watch, station, plan, shares, dataDir }: OpenMonitor): DrawnRoutes {
  const thread = new PagesThread({ dataDir, method: describeMethod(watch.definition, plan, shares) });
  const badges = new Map<
    string,
    { readonly at: number; readonly blind: string; readonly answer: PortAnswer }
  >();
  const drawBadge = async ({ now, path, blind }: Omit<ToPages, 'id' | 'query'>): Promise<PortAnswer> => {
    const answer = await thread.draw({ now, path, query: '', blind });
    badges.set(path, { at: now, blind: JSON.stringify(blind), answer });
    return answer;
  };
  return {
    close: () => thread.close(),
    routes: [
      async (path, query) => {
        const now = watch.clock.now();
        const blind = listBlind(watch, station);
        if (path === '/' || path === '/still') return orLater(thread.draw({ now, path, query, blind }));
        // An unwatched name has no badge: a slip in a link must show.
        if (!watch.targets.has(parseBadgePath(path)?.target ?? '')) return undefined;
        const last = badges.get(path);
        const age = last && Math.abs(now - last.at);
        // One drawn before the monitor lost its sight would be green.
        const isSame = last?.blind === JSON.stringify(blind);
        if (age === undefined || age > badgeAge || !isSame) return orLater(drawBadge({ now, path, blind }));
        if (age > factsAge) void drawBadge({ now, path, blind }).catch(() => undefined);
        return last?.answer;
      },
    ],
  };
}

/** Lists the targets that the monitor cannot judge now, as /healthz does. */
function listBlind({ definition }: OpenMonitor['watch'], { coverage }: OpenMonitor['station']) {
  const { location } = definition;
  return coverage.flatMap(({ target, blindSince: since }) =>
    since === undefined ? [] : [{ target, location, since }],
  );
}

/** Returns the answer, or one that asks to come again if it takes long: many targets are read for the first time. */
async function orLater(answer: Promise<PortAnswer>): Promise<PortAnswer> {
  const { promise, resolve } = Promise.withResolvers<PortAnswer>();
  const body =
    '<!doctype html><html lang="en"><meta http-equiv="refresh" content="5"><title>Being drawn</title><p>The page is being drawn, and loads again in 5 s.</p></html>\n';
  const timer = setTimeout(() => resolve({ status: 503, type: 'text/html; charset=utf-8', body }), waitMs);
  answer.catch(() => undefined);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}

/** Returns the parts of a badge's path; undefined for another path. */
export function parseBadgePath(path: string) {
  const found = /^\/badge\/([A-Za-z0-9.-]+?)(\/conformance)?\.(svg|json)$/.exec(path);
  if (!found) return undefined;
  const [, target = '', conformance, form] = found;
  return { target, isConformance: conformance !== undefined, form };
}

/** Draws pages in a thread, which begins with the first of them. */
class PagesThread {
  readonly #plan: PagesPlan;
  readonly #waiting = new Map<number, PromiseWithResolvers<PortAnswer>>();
  #thread: Worker | undefined;
  #requests = 0;

  constructor(plan: PagesPlan) {
    this.#plan = plan;
  }

  /** Rejects if the page cannot be made. */
  draw(request: Omit<ToPages, 'id'>): Promise<PortAnswer> {
    const id = ++this.#requests;
    const waiting = Promise.withResolvers<PortAnswer>();
    this.#waiting.set(id, waiting);
    this.#thread ??= this.#start();
    this.#thread.postMessage({ id, ...request } satisfies ToPages);
    return waiting.promise;
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL(`./pages-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: this.#plan,
    });
    thread.unref();
    thread.on('message', ({ id, answer }: FromPages) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (answer) waiting?.resolve(answer);
      else waiting?.reject(new Error('the page could not be made'));
    });
    thread.on('error', () => undefined);
    // The next request starts another one.
    thread.once('exit', () => {
      this.#thread = undefined;
      for (const { reject } of this.#waiting.values()) reject(new Error('the thread of the pages has ended'));
      this.#waiting.clear();
    });
    return thread;
  }
}
