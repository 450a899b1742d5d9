import { readFileSync } from 'node:fs';
import { expect } from '@candleproof/testing/expect';
import { test } from '@playwright/test';
import { useFolder } from '../results/testing/stores.ts';
import { certificates, clocks } from '../testing/kinds/clocks.ts';
import { counters } from '../testing/kinds/counters.ts';
import { host } from '../testing/kinds/host.ts';
import { keys } from '../testing/kinds/keys.ts';
import type { EpisodeScript } from '../testing/kinds/kind.ts';
import { KindStage } from '../testing/kinds/kind-stage.ts';
import { locations } from '../testing/kinds/locations.ts';
import { many } from '../testing/kinds/many.ts';
import { outages } from '../testing/kinds/outages.ts';
import { work } from '../testing/kinds/planned-work.ts';
import { servedBefore } from '../testing/kinds/served-before.ts';
import { testnets } from '../testing/kinds/testnets.ts';
import { wrongData } from '../testing/kinds/wrong-data.ts';

const groups: Readonly<Record<string, readonly EpisodeScript[]>> = {
  ...{ outages, many, 'wrong data': wrongData, keys, counters, clocks, certificates, 'our own host': host },
  ...{ 'planned work': work, 'two locations': locations, testnets, 'served before': servedBefore },
};

/** Plays kinds of episodes, and compares the messages about each with those that are true, and with page and metrics. */
async function compare(kinds: readonly EpisodeScript[]): Promise<void> {
  for (const kind of kinds)
    await useFolder(async (folder) => {
      const stage = new KindStage(kind, folder);
      const said = await stage.play();
      const { disagreements } = stage;
      expect({ kind: kind.name, said, disagreements }).toEqual({
        ...{ kind: kind.name, said: [...kind.says], disagreements: [] },
      });
    });
}

for (const [group, [first, ...more]] of Object.entries(groups)) {
  test(`the messages about one of ${group} are true`, () => compare(first ? [first] : []));

  test(`the messages about each of ${group} are true`, { tag: '@endurance' }, async () => {
    test.setTimeout(300_000);
    await compare(more);
  });
}

test('the list of kinds has as many of each file as are played', () => {
  const all = Object.values(groups).reduce((sum, kinds) => sum + kinds.length, 0);
  const listed = readFileSync('monitors/testing/kinds/README.md', 'utf8').matchAll(
    /^\| `[a-z-]+\.ts` \| (\d+) /gm,
  );
  expect([...listed].reduce((sum, [, count]) => sum + Number(count), 0)).toBe(all);
});

/** The stories that docs/alerts.md tells by their messages. */
const stories = [
  ...['outage', 'flapping', 'slow burn', 'wrong candle', 'stolen key', 'storm', 'stall'],
  ...['planned work', 'certificate'],
];

test('each message in the documented stories is one that a kind of episode raises', () => {
  const [, table = ''] = readFileSync('docs/alerts.md', 'utf8').split('## How they read');
  const rows = [...table.matchAll(/^\| ([a-z ]+) \| (.*`.*) \|$/gm)].slice(0, stories.length);
  expect(rows.map(([, story]) => story)).toEqual(stories);
  const raised = Object.values(groups).flatMap((kinds) =>
    kinds.flatMap(({ says }) =>
      says.map((line) => line.replace(/^\d+ (?:(resolved) \w+|\w+ (\w+)): /, '$1$2: ')),
    ),
  );
  for (const [, , text = ''] of rows)
    for (const [, message = ''] of text.matchAll(/`([^`]+)`/g))
      expect(raised).toContain(message.replace(' from here', ''));
});
