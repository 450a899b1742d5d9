import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@candleproof/postgres/testing/postgres-test';
import { expect } from '@playwright/test';
import { deliveryTo } from '../../alerting/testing/messages.ts';
import { hour } from '../calendar.ts';
import { type LocationOptions, openLocationResults } from '../location-store.ts';
import { openPostgresResultsForReading } from '../open-source.ts';
import type { ResultsStore } from '../results-store.ts';
import { goodSlot } from '../testing/slot.ts';
import { useFolder } from '../testing/stores.ts';

const begin = Date.UTC(2026, 10, 1);
const always = { from: 0, to: 9e15 };

function openLocation(
  location: string,
  dataDir: string,
  address: LocationOptions['address'],
  troubles: unknown[],
): Promise<ResultsStore> {
  return openLocationResults({
    ...{ dataDir, address, location, sinks: ['good'], sharedStates: [] },
    ...{ onCutOff: () => undefined, onCaughtUp: () => undefined },
    onTrouble: (error) => troubles.push(error),
  });
}

test('a database that is restored from yesterday under two running monitors gets again what it lacks', ({
  postgres: { address, url, database },
}) =>
  useFolder((one) =>
    useFolder((other) =>
      useFolder(async (folder) => {
        let hasTools = true;
        try {
          execFileSync('pg_dump', ['--version']);
        } catch {
          hasTools = false;
        }
        test.skip(!hasTools, 'there is no pg_dump here: Debian has it in the package postgresql-client');
        const troubles: unknown[] = [];
        const stores = {
          fra: await openLocation('fra', one, address, troubles),
          nyc: await openLocation('nyc', other, address, troubles),
        };
        const record = async (n: number): Promise<void> => {
          for (const [location, store] of Object.entries(stores)) {
            const slot = goodSlot(begin + n * hour);
            const slots = [{ ...slot, series: { ...slot.series, location } }];
            const events = [{ at: begin + n * hour, kind: 'note', detail: { location, n } }];
            await store.record({ slots, events });
          }
        };
        const countRows = async (): Promise<number[]> => {
          const reader = await openPostgresResultsForReading(address);
          const counts = [
            (await reader.slots(always)).length,
            (await reader.events(always, ['note'])).length,
          ];
          await reader.close();
          return counts;
        };
        for (const n of [0, 1, 2]) await record(n);
        await stores.fra.record({ deliveries: [deliveryTo('good', 0)] });
        await expect.poll(countRows).toEqual([6, 6]);
        const dump = join(folder, 'dump.sql');
        writeFileSync(dump, execFileSync('pg_dump', ['--clean', '--if-exists', '--no-owner', url]));

        // A day passes, and the message goes out.
        for (let n = 3; n < 30; n++) await record(n);
        const { message } = deliveryTo('good', 0);
        const sent = { id: (message as { readonly id: string }).id, sink: 'good', message: 'fired' };
        await stores.fra.record({
          delivered: [deliveryTo('good', 0).id],
          events: [{ at: begin + 5 * hour, kind: 'message-sent', detail: sent }],
        });
        await expect.poll(countRows, { timeout: 10_000 }).toEqual([60, 60]);
        execFileSync('psql', ['--quiet', '--file', dump, url], { stdio: 'ignore' });
        await record(30);
        await expect.poll(countRows, { timeout: 20_000 }).toEqual([62, 62]);
        await expect
          .poll(async () => await database.query('SELECT id FROM results.deliveries'), { timeout: 10_000 })
          .toEqual([]);
        expect(troubles).toEqual([]);
        for (const store of Object.values(stores)) await store.close();
      }),
    ),
  ));
