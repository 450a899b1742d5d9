import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CutLine } from '@candleproof/postgres/testing/cut-line';
import type { TestDatabase } from '@candleproof/postgres/testing/postgres-test';
import { MonitorChild } from '../october/child.ts';
import type { OctoberServices } from '../october/services.ts';
import { locations, type SharedLocation, type SharedScript } from './script.ts';

export type SharedStage = {
  readonly folder: string;
  readonly services: OctoberServices;
  readonly webhook: string;
  readonly postgres: TestDatabase;
  readonly script: SharedScript;
};

const program = fileURLToPath(new URL('./monitor.ts', import.meta.url));

/** A service sees what others change in its files this much real time later, in ms. */
const seenAfterMs = 30;

/** Plays the month; gives what was left of it just before its end, by the service's count. */
export async function playSharedMonth(stage: SharedStage): Promise<{ readonly remaining: number }> {
  const { services, script } = stage;
  const { month, partition, killed, foreign, outage } = script;
  const monitors = new Monitors(stage);
  let remaining = Number.NaN;
  const deeds: { readonly at: number; readonly do: (now: number) => unknown }[] = [
    { at: partition.from, do: () => monitors.cutLine() },
    { at: partition.to, do: () => monitors.restoreLine() },
    { at: killed.from, do: (now) => monitors.kill('nyc', now) },
    { at: killed.to, do: (now) => monitors.start('nyc', now) },
    { at: foreign.at, do: () => services.useKey(foreign.requests) },
    { at: outage.from, do: () => services.mainnet.switchFaults(['F131:1']) },
    { at: outage.to, do: () => services.mainnet.switchFaults([]) },
    {
      at: month.end - 30_000,
      do: async () => {
        remaining = await services.useKey(1);
      },
    },
  ];
  try {
    await monitors.open();
    for (const location of locations) await monitors.start(location, month.begin);
    for (const { at, do: deed } of deeds.toSorted((one, other) => one.at - other.at)) {
      await monitors.runUntil(at);
      services.now = at;
      await deed(at);
      await sleep(seenAfterMs);
    }
    await monitors.runUntil(month.over);
    await monitors.stop(month.over);
  } finally {
    monitors.close();
  }
  return { remaining };
}

/** The three processes, whether they are there or not. */
class Monitors {
  readonly #stage: SharedStage;
  readonly #children = new Map<SharedLocation, MonitorChild>();
  readonly #line: CutLine;
  #far = '';

  constructor(stage: SharedStage) {
    this.#stage = stage;
    this.#line = new CutLine(Number(new URL(stage.postgres.url).port));
    for (const location of locations) mkdirSync(join(stage.folder, location), { recursive: true });
  }

  /** Only syd connects to the database over a line. */
  async open(): Promise<void> {
    const far = new URL(this.#stage.postgres.url);
    far.port = String(await this.#line.listen());
    this.#far = far.href;
  }

  async start(location: SharedLocation, now: number): Promise<void> {
    const { folder, services, webhook, postgres } = this.#stage;
    const { url, apiKey, caPem, poolsV1, poolsV2 } = services.mainnet;
    const order = {
      dataDir: join(folder, location),
      ledger: location === 'syd' ? this.#far : postgres.url,
      ...{ webhook, now },
      services: [{ name: 'mainnet', url, apiKey, caPem, poolsV1, poolsV2 }],
    };
    const child = await MonitorChild.start(order, program);
    this.#children.set(location, child);
    // Settles what it missed by the present clock.
    await child.tick(now);
  }

  cutLine(): void {
    this.#line.cut();
  }

  restoreLine(): void {
    this.#line.mend();
  }

  /** After a last reading of the clock. */
  async kill(location: SharedLocation, now: number): Promise<void> {
    const child = this.#children.get(location);
    await child?.tick(now);
    this.#children.delete(location);
    await child?.kill();
  }

  /** Every slot before an instant. */
  async runUntil(end: number): Promise<void> {
    for (let now = this.#next(); now < end; now = this.#next()) {
      this.#stage.services.now = now;
      const due = [...this.#children.values()].filter(({ next }) => next <= now);
      for (const monitorChild of due) await monitorChild.tick(now);
    }
  }

  async stop(now: number): Promise<void> {
    for (const child of this.#children.values()) await child.stop(now);
  }

  close(): void {
    for (const child of this.#children.values()) void child.kill();
    this.#line.close();
  }

  #next(): number {
    return Math.min(...[...this.#children.values()].map(({ next }) => next));
  }
}
