import { expect, test } from '@playwright/test';
import { useFolder } from '../results/testing/stores.ts';
import { ScriptedKey } from '../testing/scripted-key.ts';
import { scriptedTarget } from '../testing/scripted-target.ts';
import { TickingStation } from '../testing/ticking-station.ts';
import { movedClock } from '../testing/watched-service.ts';
import { always, makeDefinition, minute, noon, shares, tokensProbe } from '../testing/watching.ts';

const quarter = 15 * 60;

/** The notices of exhaustion that each location reported, in the order of time. */
async function reported(stations: Readonly<Record<string, TickingStation>>): Promise<string[]> {
  const found = Object.entries(stations).map(async ([location, { store }]) => {
    const events = await store.events(always);
    const notices = events.filter(({ detail }) => detail.notice === 'exhaustion');
    return notices.map(({ at, kind }) => ({ at, text: `${location} ${kind}` }));
  });
  const all = (await Promise.all(found)).flat();
  return all.toSorted((one, other) => one.at - other.at).map(({ text }) => text);
}

test('of two locations that share a key the first reports its exhaustion, over a restart too', () =>
  useFolder(async (folder) => {
    const clock = movedClock(noon);
    const month = { limit: 20_000, used: 17_900, reset: Date.UTC(2026, 4, 1) - 1 };
    const opened: ScriptedKey[] = [];
    const open = async (location: string, store?: TickingStation['store']): Promise<TickingStation> => {
      const key = await ScriptedKey.open(folder, clock, shares);
      opened.push(key);
      return TickingStation.open({
        ...{ clock, targets: [scriptedTarget({ name: 'mainnet', clock, month, key: key.key })] },
        definition: makeDefinition([tokensProbe('mainnet', { rhythm: { every: 10 * minute } })], {
          location,
        }),
        keys: (now) => key.facts(now, ['mainnet']),
        store,
      });
    };
    let [fra, nyc] = [await open('fra'), await open('nyc')];
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        await fra.pass(1);
        // The clock is the same.
        clock.set(clock.now() - 1000);
        await nyc.pass(1);
      }
    };
    await pass(quarter);
    const [first, ...none] = await reported({ fra, nyc });
    expect(none).toEqual([]);
    expect(first).toMatch(/^(fra|nyc) alert-fired$/);
    for (const tickingStation of [fra, nyc]) await tickingStation.station.stop(0);
    [nyc, fra] = [await open('nyc', nyc.store), await open('fra', fra.store)];
    await pass(quarter);
    expect(await reported({ fra, nyc })).toEqual([first]);
    // An answer that passed by shows another month.
    const quota = { limit: 20_000, remaining: 20_000, additional: 0, reset: Date.UTC(2026, 5, 1) - 1 };
    await opened.at(-1)?.key.account?.noteAnswer({ at: clock.now(), quota });
    await pass(60);
    expect(await reported({ fra, nyc })).toEqual([first, first?.replace('fired', 'resolved')]);
    for (const scriptedKey of opened) await scriptedKey.close();
  }));
