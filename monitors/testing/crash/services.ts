import { request } from 'node:https';
import { join } from 'node:path';
import { type RunningService, startService } from '@candleproof/reference-service/start';
import { begin, type CrashTarget, limits, targets } from './definition.ts';
import type { CrashOrder } from './monitor.ts';

/** Both networks by one clock, which is set by hand. */
export class CrashServices {
  readonly #running: ReadonlyMap<CrashTarget, RunningService>;
  readonly #clock: { now: number };

  private constructor(running: ReadonlyMap<CrashTarget, RunningService>, clock: { now: number }) {
    this.#running = running;
    this.#clock = clock;
  }

  static async start(folder: string): Promise<CrashServices> {
    const clock = { now: begin };
    const running = new Map<CrashTarget, RunningService>();
    for (const name of targets) {
      const dataDir = join(folder, name);
      const quota = { limit: limits[name] };
      running.set(name, await startService({ dataDir, historyDays: 2, now: () => clock.now, quota }));
    }
    return new CrashServices(running, clock);
  }

  set now(now: number) {
    this.#clock.now = now;
  }

  get reported(): CrashOrder['services'] {
    return [...this.#running].map(([name, { url, apiKey, caPem, poolsV1, poolsV2 }]) => {
      return { name, url, apiKey, caPem, poolsV1, poolsV2 };
    });
  }

  switchFaults(faults: readonly string[]): void {
    for (const runningService of this.#running.values()) runningService.switchFaults(faults);
  }

  /** Sends requests as any holder of the key might; resolves to their number. */
  async useMainnet(times: number): Promise<number> {
    this.switchFaults([]);
    for (let turn = 0; turn < times; turn++) await this.ask('mainnet');
    return times;
  }

  /** One request more; what the key has left after it. */
  ask(target: CrashTarget): Promise<number> {
    const service = this.#running.get(target);
    if (!service) throw new RangeError(`no service is called ${target}`);
    const { url, caPem, apiKey } = service;
    return new Promise((resolve, reject) => {
      const sent = request(`${url}/tokens`, { ca: caPem, headers: { 'x-api-key': apiKey } }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve(Number(answer.headers['x-ratelimit-remaining'])));
      });
      sent.once('error', reject).end();
    });
  }

  async close(): Promise<void> {
    for (const runningService of this.#running.values()) await runningService.close();
  }
}
