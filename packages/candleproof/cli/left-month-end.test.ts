import { join } from 'node:path';
import { candleproof, flagsFor, type Ready } from '@candleproof/command/command';
import type { ServiceOptions } from '@candleproof/reference-service/start';
import type { Ended } from '@candleproof/testing/environment';
import { expect, test } from '@playwright/test';
import { LyingTarget } from './testing/lying-target.ts';
import { startTarget } from './testing/target.ts';

const limit = 1000;

/** A service at an instant whose key has so many requests left, seen through a target that may lie about them. */
class MonthEnd {
  readonly folder = test.info().outputPath('end');
  readonly target: LyingTarget;
  readonly #ready: Ready;
  readonly #stop: () => Promise<void>;

  private constructor(target: LyingTarget, ready: Ready, stop: () => Promise<void>) {
    [this.target, this.#ready, this.#stop] = [target, ready, stop];
  }

  static async start(now: ServiceOptions['now'], remaining: number): Promise<MonthEnd> {
    const folder = test.info().outputPath('end');
    const service = await startTarget(folder, { now, quota: { limit, remaining } });
    const target = new LyingTarget(service.ready);
    return new MonthEnd(target, await target.start(), service.stop);
  }

  run(name: 'check' | 'look', ...flags: string[]): Promise<Ended> {
    const { url, apiKeyFile } = this.#ready;
    const args =
      name === 'check'
        ? ['check', ...flagsFor(this.#ready), '--out', join(this.folder, `${this.target.honest.length}`)]
        : ['look', `${url}/tokens`, '--api-key-file', apiKeyFile, '--key-header', 'x-api-key'];
    return candleproof([...args, ...flags], { CANDLEPROOF_STATE_DIR: join(this.folder, 'state') });
  }

  /** Runs a command, and returns whether the month has stopped it, and how many requests with the key it sent. */
  async count(name: 'check' | 'look', ...flags: string[]): Promise<['stopped' | 'done', number]> {
    const before = this.target.honest.length;
    const { code } = await this.run(name, ...flags);
    return [code === 3 ? 'stopped' : 'done', this.target.honest.length - before];
  }

  /** Returns the most requests beyond a month's limit that the service has counted. */
  get overage(): number {
    return Math.max(0, ...this.target.honest.map(({ additional }) => additional));
  }

  async stop(): Promise<void> {
    this.target.stop();
    await this.#stop();
  }
}

async function withEnd(
  now: ServiceOptions['now'],
  left: number,
  work: (end: MonthEnd) => Promise<void>,
): Promise<void> {
  const end = await MonthEnd.start(now, left);
  try {
    await work(end);
  } finally {
    await end.stop();
  }
}

const midMonth = '2026-10-15T12:00:00Z';

test('a clock that is ahead of the month of the service spends one request on the question, not one a command', async () => {
  await withEnd('2026-10-31T23:40:00Z', 0, async (end) => {
    expect(await end.count('look')).toEqual(['done', 1]);
    for (const name of ['look', 'check', 'look'] as const)
      expect([name, ...(await end.count(name))]).toEqual([name, 'stopped', 0]);
  });
});

test('a check over the end of a month sends no request beyond either of the two', async () => {
  let now = Date.UTC(2026, 9, 31, 23, 59);
  await withEnd(
    () => now,
    5,
    async (end) => {
      end.target.lie = (_headers, n) => {
        if (n === 3) now += 120_000;
      };
      await Promise.all([end.run('check'), end.run('look')]);
      expect((await end.count('check'))[1]).toBeGreaterThan(25);
      expect(end.overage).toBe(0);
      expect(new Set(end.target.honest.map(({ reset }) => reset)).size).toBe(2);
    },
  );
});

test('a reset that a target shows once, a year ahead, lets nobody beyond the month, and locks nobody out of it', async () => {
  test.slow();
  const year = String(Date.UTC(2027, 9, 31));
  await withEnd(midMonth, 60, async (end) => {
    end.target.lie = (headers, n) => {
      if (n === 1) Object.assign(headers, { 'x-ratelimit-reset': year, 'x-ratelimit-remaining': '0' });
    };
    expect(await end.count('look')).toEqual(['done', 1]);
    expect(await end.count('look')).toEqual(['stopped', 0]);
    expect(await end.count('look', '--allow-overage')).toEqual(['done', 1]);
    expect(await end.count('look')).toEqual(['done', 1]);
    const shown = end.target.honest.length;
    end.target.lie = (headers, n) => {
      if (n === shown + 1)
        Object.assign(headers, { 'x-ratelimit-reset': year, 'x-ratelimit-remaining': '900' });
    };
    for (let turn = 0; turn < 3; turn++) await end.run('check');
    while (end.overage === 0 && (await end.count('look'))[0] === 'done');
    expect(end.overage).toBe(0);
  });
});

test('a reset in the past bounds like another, and asks once an hour whether it has come true', async () => {
  await withEnd(midMonth, 3, async (end) => {
    end.target.lie = (headers) => {
      headers['x-ratelimit-reset'] = String(Date.UTC(2026, 9, 15) / 1000);
    };
    expect((await end.count('check'))[1]).toBe(3);
    expect(await end.count('look')).toEqual(['stopped', 0]);
    expect(await end.count('look', '--allow-overage')).toEqual(['done', 1]);
  });
});
