import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { Alerts } from '../../alerting/alerts.ts';
import { Outbox } from '../../alerting/deliver.ts';
import type { AlertMessage } from '../../alerting/message.ts';
import { hour, makeDefinition, makeSlot, midnight, minute } from '../../alerting/testing/slots.ts';
import { useFolder } from '../testing/stores.ts';
import { openResults } from './open.ts';

const always = { from: 0, to: 9e15 };
/** Planned instant of the last slot that an earlier version wrote, in the middle of an outage. */
const last = midnight + 99 * 15 * minute;

/** Puts a store into a folder as an earlier version left it. */
function place(folder: string, layout: number): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'results.db');
  const packed = readFileSync(join('monitors', 'results', 'testing', 'earlier', `layout-${layout}.db.gz`));
  writeFileSync(path, gunzipSync(packed));
  return path;
}

for (const layout of [3, 6]) {
  test(`a store of layout ${layout} goes on with its slots, its open outage, its alert and its unsent message`, () =>
    useFolder(async (folder) => {
      place(folder, layout);
      const store = await openResults(folder);
      const slots = await store.slots(always, { probe: 'tokens' });
      expect(slots).toHaveLength(100);
      expect(slots.filter(({ outcome }) => outcome === 'failed')).toHaveLength(5);
      const deep = await store.slots(always, { probe: 'deep' });
      expect(deep.map(({ state }) => state)).toEqual(['missed', 'quota-unknown']);
      expect((await store.series()).map(({ probe }) => probe).toSorted()).toEqual(['deep', 'tokens']);
      const hours = await store.hours(always, { probe: 'tokens' });
      expect(hours.reduce((sum, { states: { run = 0 } }) => sum + run, 0)).toBe(100);
      expect(hours.reduce((sum, { outcomes: { failed = 0 } }) => sum + failed, 0)).toBe(5);
      const ofDeep = await store.hours(always, { probe: 'deep' });
      expect(ofDeep.map(({ states }) => states)).toEqual([{ missed: 1 }, { 'quota-unknown': 1 }]);
      expect(await store.openIncidents()).toMatchObject([{ target: 'mainnet', slots: 4 }]);
      expect(await store.incidents(always, 'mainnet')).toHaveLength(2);
      const [extent] = await store.extents({ probe: 'tokens' });
      expect(extent).toMatchObject({ from: midnight, to: last, lastRun: last });

      // The alert is the same for its receiver: its first message is made anew, and its end has its name.
      const definition = makeDefinition({ objectives: [{ indicator: 'availability', objective: 0.99 }] });
      const alerts = await Alerts.open(store, definition, last + minute);
      const sent: AlertMessage[] = [];
      const outbox = new Outbox(store, definition.alerting.sinks, {
        ...{ signal: new AbortController().signal, environment: {} },
        remake: (message, at) => alerts.remake(message, at),
        send: async (_, message) => {
          sent.push(message);
          return undefined;
        },
      });
      await outbox.deliverDue(last + hour);
      const good = makeSlot(last + 15 * minute);
      await store.record({ slots: [good], ...alerts.take([good], last + 15 * minute + 1000) });
      await outbox.deliverDue(last + hour);
      expect(sent.map(({ kind }) => kind)).toEqual(['fired', 'resolved']);
      expect(sent[0]?.text).toMatch(
        /^page: availability of mainnet from sydney: status 503 since 2026-11-22 00:00 UTC, and it lasts/,
      );
      expect(sent[1]?.text).toContain('up again after 1 h');
      expect(sent[1]?.alert).toMatch(/^alert\/mainnet\/availability\/sydney\/\d+$/);
      expect(sent[0]?.id).toContain(sent[1]?.alert ?? '?');
      await store.close();
      expect(readdirSync(folder).filter((name) => name.includes('migrating'))).toEqual([]);
      const again = await openResults(folder);
      expect(await again.slots(always, { probe: 'tokens' })).toHaveLength(101);
      await again.close();
    }));
}

test('a store that cannot be migrated stays as it is, and says so in one line', () =>
  useFolder(async (folder) => {
    const path = place(folder, 3);
    const broken = new DatabaseSync(path);
    broken.exec('DROP TABLE incidents');
    broken.close();
    const before = readFileSync(path);
    await expect(openResults(folder)).rejects.toThrow(
      /cannot be brought to layout 6 and stays as it is: no such table/,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  }));

test('a store of a later version is refused in one line that names both', () =>
  useFolder(async (folder) => {
    const path = place(folder, 6);
    const later = new DatabaseSync(path);
    later.exec('PRAGMA user_version = 9');
    later.close();
    await expect(openResults(folder)).rejects.toThrow(
      /has layout 9, which a later version wrote, and this one reads 6/,
    );
  }));
