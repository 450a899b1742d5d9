import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StationOrder } from '../child-monitor.ts';
import { MonitorChild } from './child.ts';
import { absences, corrupted, foreign, kill, month, refused, restated, scriptedFaults } from './script.ts';
import type { OctoberServices } from './services.ts';

export type OctoberStage = {
  readonly folder: string;
  readonly services: OctoberServices;
  /** Planned instant of the one wrong answer. */
  readonly wrongSlot: number;
};

/** The facts that only the playing shows. */
export type OctoberResult = {
  readonly dataDir: string;
  /** Requests of mainnet's month that were not the monitor's. */
  readonly foreignRequests: number;
  /** Left of mainnet's month just before its end, by the service's count. */
  readonly remaining: number;
  /** Planned instant of the slot in whose middle the monitor was killed. */
  readonly killedAt: number;
};

type Deed = { readonly at: number; do(now: number): Promise<void> };

/** A service sees what others change in its files this much real time later, in ms. */
const seenAfterMs = 30;

/** Plays the month: from slot to slot, and at its time whatever the script says. */
export async function playOctober(stage: OctoberStage): Promise<OctoberResult> {
  const { services } = stage;
  const monitor = new OnAndOff(stage);
  let foreignRequests = 0;
  let remaining = Number.NaN;
  const use = async (times: number): Promise<void> => {
    remaining = await services.useKey(times);
    foreignRequests += times;
  };
  const pool = { generation: 'v2', id: services.mainnet.poolsV2[0] ?? 0 };
  const deeds: Deed[] = [
    ...absences.flatMap(({ from, to }) => [
      { at: from, do: (now: number) => monitor.stop(now) },
      { at: to, do: (now: number) => monitor.start(now) },
    ]),
    { at: kill.to, do: (now) => monitor.start(now) },
    { at: foreign.from, do: () => use(foreign.requests) },
    { at: restated.at, do: async () => services.correct(pool, restated.hour) },
    { at: corrupted.from, do: async () => services.doubleVolumes(pool, corrupted.from) },
    { at: corrupted.to, do: async () => services.doubleVolumes(pool, corrupted.from, true) },
    { at: refused.from, do: async () => services.refuseKey(true) },
    { at: refused.to, do: async () => services.refuseKey(false) },
    { at: month.end - 30_000, do: () => use(1) },
    { at: month.over, do: (now) => monitor.stop(now) },
  ];
  await monitor.start(month.begin);
  for (const { at, do: deed } of deeds.toSorted((one, other) => one.at - other.at)) {
    await monitor.runUntil(at);
    services.now = at;
    await deed(at);
    await sleep(seenAfterMs);
  }
  return { dataDir: monitor.dataDir, foreignRequests, remaining, killedAt: monitor.killedAt };
}

/** The monitor's process, whether there is one or not. */
class OnAndOff {
  readonly dataDir: string;
  killedAt = 0;
  readonly #stage: OctoberStage;
  #child: MonitorChild | undefined;

  constructor(stage: OctoberStage) {
    this.#stage = stage;
    this.dataDir = join(stage.folder, 'monitor');
    mkdirSync(this.dataDir);
  }

  async start(now: number): Promise<void> {
    const { folder, services } = this.#stage;
    const order: StationOrder = {
      dataDir: this.dataDir,
      ledger: join(folder, 'ledger.db'),
      webhook: '',
      now,
      services: [
        { ...withoutMethods(services.mainnet), name: 'mainnet' },
        { ...withoutMethods(services.testnet), name: 'testnet' },
      ],
    };
    this.#child = await MonitorChild.start(order);
    await this.#child.tick(now);
  }

  async stop(now: number): Promise<void> {
    await this.#child?.stop(now);
    this.#child = undefined;
  }

  /** Every slot before an instant. */
  async runUntil(end: number): Promise<void> {
    const { services, wrongSlot } = this.#stage;
    for (let child = this.#child; child && child.next < end; child = this.#child) {
      const now = child.next;
      const { mainnet, testnet } = scriptedFaults(now, wrongSlot);
      services.now = now;
      services.mainnet.switchFaults(mainnet);
      services.testnet.switchFaults(testnet);
      if (now < kill.after || this.killedAt > 0) await child.tick(now);
      else await this.#kill(child, now);
    }
  }

  async #kill(child: MonitorChild, now: number): Promise<void> {
    this.killedAt = now;
    await child.killInFlight(now);
    this.#child = undefined;
  }
}

function withoutMethods({ url, apiKey, caPem, poolsV1, poolsV2 }: OctoberServices['mainnet']) {
  return { url, apiKey, caPem, poolsV1, poolsV2 };
}
