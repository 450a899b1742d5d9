import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { listBlind } from '../../alerting/coverage-conditions.ts';
import type { PortAnswer } from '../../slots/port.ts';
import type { OpenMonitor } from '../../watching/open-monitor.ts';
import type { DrawnRoutes } from '../../watching/window.ts';
import type { MonitorFacts } from '../page-facts.ts';
import type { ReportedPlan } from '../plan-facts.ts';
import { describeMethod } from '../plan-facts.ts';

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
 * Returns the routes of a running monitor that show its results: the index and the targets' pages at / (/still: not loaded
 * again), the feed at /feed.xml and the badges below /badge/. They are drawn in a thread, so that no probe waits for them.
 */
export function drawPages({ watch, alertingMonitor, plan, shares, dataDir }: OpenMonitor): DrawnRoutes {
  const thread = new PagesThread({ dataDir, method: describeMethod(watch.definition, plan, shares) });
  const { location } = watch.definition;
  return {
    close: () => thread.close(),
    routes: [
      async (path, query) => {
        const isPage = path === '/' || path === '/still' || path === feedPath;
        // An unwatched name has no badge: a slip in a link must show.
        if (!isPage && !watch.targets.has(parseBadgePath(path)?.target ?? '')) return undefined;
        const blind = listBlind(alertingMonitor.coverage).map((target) => ({ ...target, location }));
        return thread.draw({ now: watch.clock.now(), path, query, blind });
      },
    ],
  };
}

/** The path of the feed of incidents and planned work. */
export const feedPath = '/feed.xml';

export type BadgePath = {
  readonly target: string;
  readonly isConformance: boolean;
  readonly form: string | undefined;
};

/** Returns the parts of a badge's path; undefined for another path. */
export function parseBadgePath(path: string): BadgePath | undefined {
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
