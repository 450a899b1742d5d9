import { expect, test } from '@playwright/test';
import { useFolder } from '../results/testing/stores.ts';
import { ScriptedKey } from '../testing/scripted-key.ts';
import { type ScriptedMonth, scriptedTarget } from '../testing/scripted-target.ts';
import { movedClock } from '../testing/watched-service.ts';
import {
  always,
  day,
  hour,
  makeDefinition,
  minute,
  noon,
  shares,
  tokensProbe,
  Watching,
} from '../testing/watching.ts';

type WatchedKey = {
  readonly watching: Watching;
  /** Ends the monitor, and begins another one on its store. */
  restart(): Promise<Watching>;
  /** Lists the messages about the key: when, which and what, without the advice. */
  messages(): Promise<string[]>;
};

/** Watches a target every ten minutes with a key of this month. */
async function watchKey(
  month: Omit<ScriptedMonth, 'reset'>,
  use: (watched: WatchedKey, month: ScriptedMonth) => Promise<void>,
): Promise<void> {
  const whole = { ...month, reset: Date.UTC(2026, 4, 1) - 1 };
  await useFolder(async (folder) => {
    const clock = movedClock(noon);
    const key = await ScriptedKey.open(folder, clock, shares);
    const open = (store?: Watching['store']): Promise<Watching> =>
      Watching.open({
        ...{ clock, store },
        targets: [scriptedTarget({ name: 'mainnet', clock, month: whole, key: key.key })],
        definition: makeDefinition([tokensProbe('mainnet', { rhythm: { every: 10 * minute } })]),
        keys: (now) => key.facts(now, ['mainnet']),
      });
    const watching = await open();
    const messages = async (): Promise<string[]> => {
      const events = await watching.store.events(always);
      return events
        .filter(({ kind, key: _, detail }) => kind.startsWith('alert-') && detail.account === 'main')
        .map(
          ({ at, kind, detail }) => `${kind} ${detail.notice} ${formatTime(at)} ${firstLine(detail.words)}`,
        );
    };
    await use({ watching, restart: () => open(watching.store), messages }, whole);
    await key.close();
  });
}

function formatTime(at: number): string {
  return new Date(at).toISOString().slice(8, 16);
}

function firstLine(words: unknown): string {
  return String(words).split('\n')[0] ?? '';
}

test('a raised limit is seen one slot after the daily look, and the messages say so', () =>
  watchKey({ limit: 20_000, used: 18_500 }, async ({ watching, messages }, month) => {
    await watching.runUntil(noon + hour);
    month.limit = 60_000;
    await watching.runUntil(noon + 2 * day);
    const ran = (await watching.slots()).filter(({ state }) => state === 'run');
    const [first, look, ...later] = ran.map(({ scheduledAt }) => scheduledAt - noon);
    expect(look).toBe(Number(first) + day);
    expect(later[0]).toBe(Number(look) + 10 * minute);
    expect(later).toHaveLength(143);
    expect(await messages()).toEqual([
      expect.stringMatching(/^alert-fired exhaustion 15T12:10/),
      expect.stringMatching(
        /^alert-fired limit-changed 16T12:00 .* 60000 requests a month now, no longer 20000$/,
      ),
      expect.stringMatching(/^alert-resolved exhaustion 16T12:10/),
    ]);
  }));

test(
  'the reserve was reached when an answer first showed it, whenever that is said and by which process',
  { tag: '@endurance' },
  () =>
    watchKey({ limit: 20_000, used: 17_998 }, async ({ watching, restart, messages }) => {
      // The second request leaves 2,000, which are the reserve.
      await watching.runUntil(noon + 5 * day);
      const again = await restart();
      await again.runUntil(noon + 6 * day);
      const since = 'only the reserve is left since 2026-04-16 12:00 UTC';
      const said = (await messages()).filter((text) => text.includes('reserve is left since'));
      expect(said).toHaveLength(5);
      expect(said.filter((text) => !text.includes(since))).toEqual([]);
    }),
);

test('slots that are left out for a short quota are one message, and one a day, about the key alone', () =>
  watchKey({ limit: 4000, used: 2500 }, async ({ watching, messages }) => {
    await watching.runUntil(noon + 2 * day - minute);
    const states = (await watching.slots()).map(({ state }) => state);
    expect(states.filter((state) => state === 'quota-skipped').length).toBeGreaterThan(200);
    expect(await messages()).toEqual([
      expect.stringMatching(
        /^alert-fired exhaustion 15T12:10 .*: only 21 % of the slots are run, so that the quota lasts;/,
      ),
      expect.stringMatching(/^alert-reminder exhaustion 16T12:10/),
    ]);
    expect(await watching.store.events(always, ['alert-fired'])).toHaveLength(1);
  }));

test('requests of others are a message at once if there are ten times as many, one a day with their sum, and a last one', () =>
  watchKey({ limit: 900_000, used: 0 }, async ({ watching, messages }, month) => {
    for (let hours = 1; hours <= 49; hours++) {
      month.used += hours < 25 ? 10 ** (hours % 5) : 0;
      await watching.runUntil(noon + hours * hour);
    }
    expect(await messages()).toEqual([
      expect.stringMatching(/^alert-fired foreign-use 15T13:00 .* 100 requests were made/),
      expect.stringMatching(/^alert-changed foreign-use 15T14:00 .*: 1000 .*; 1100 in all$/),
      expect.stringMatching(/^alert-changed foreign-use 15T15:00 .*: 10000 .*; 11100 in all$/),
      expect.stringMatching(/^alert-reminder foreign-use 16T15:00 .*: 44444 .*; 55544 in all$/),
      expect.stringMatching(/^alert-resolved foreign-use 17T11:00 .*: no more for 24 h; 55544 in all$/),
    ]);
  }));
