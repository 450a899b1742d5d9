import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { candleproof } from '@candleproof/command/command';
import { Alerts } from '@candleproof/monitors/alerting/alerts';
import { RemarkBox } from '@candleproof/monitors/alerting/remarks';
import { makeDefinition, makeSlot, midnight, minute } from '@candleproof/monitors/alerting/testing/slots';
import { openResults } from '@candleproof/monitors/results/sqlite/open';
import { expect, test } from '@playwright/test';

test('an alert is acknowledged from the command line, its reminders stop, and a note is kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candleproof-remarks-'));
  const store = await openResults(folder);
  const alerts = await Alerts.open(store, makeDefinition(), midnight);
  for (const n of [0, 1]) {
    const slots = [makeSlot(midnight + n * 15 * minute, 'failed')];
    await store.record({ slots, ...alerts.take(slots, midnight + n * 15 * minute + 1000) });
  }
  const refused = await candleproof(['monitor', 'ack', 'nothing', '--data', folder]);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no open alert is "nothing": use alert/'),
  });
  expect(
    await candleproof(['monitor', 'ack', 'mainnet', 'on', 'it', '--by', 'kim', '--data', folder]),
  ).toMatchObject({ code: 0 });
  expect(
    await candleproof(['monitor', 'note', 'mainnet', 'their balancer', '--by', 'kim', '--data', folder]),
  ).toMatchObject({ code: 0 });
  const box = new RemarkBox(folder);
  await box.empty((remarks) => store.record(alerts.remark(remarks, midnight + 20 * minute)));
  expect(readdirSync(join(folder, 'remarks'))).toEqual([]);
  const events = await store.events({ from: 0, to: 9e15 }, ['alert-acknowledged', 'note']);
  expect(events.map(({ detail }) => detail.words).toSorted()).toEqual([
    'acknowledged: availability of mainnet from sydney: by kim: on it',
    'kim: their balancer',
  ]);
  expect(alerts.tick(midnight + 300 * minute).events).toEqual([]);
  await store.close();
  rmSync(folder, { recursive: true });
});
