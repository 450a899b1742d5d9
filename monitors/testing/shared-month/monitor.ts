import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { placeOf } from '@candleproof/client/ledger/testing/quota-server';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { PostgresAddress } from '@candleproof/postgres/address';
import { openLocationResults } from '../../results/location-store.ts';
import { openChildMonitor, type StationOrder } from '../child-monitor.ts';
import { followParent } from '../clocked-child.ts';
import { movedClock } from '../watched-service.ts';
import { faultless } from '../watching.ts';
import { sharedDefinition, sharedLimit, sharedShares } from './definition.ts';
import { locations } from './script.ts';

// One of three monitors of a key and a database, in a separate process, whose clock is set by its parent.
const order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as StationOrder;
const { dataDir } = order;
const location = locations.find((name) => name === basename(dataDir)) ?? 'fra';
const clock = movedClock(order.now);
const address = placeOf(order.ledger);
if (!(address instanceof PostgresAddress)) throw new Error('the locations share no database');
const store = await openLocationResults({
  ...{ dataDir, address, location, sinks: ['pager'], sharedStates: ['clock'] },
  ...{ onCutOff: () => undefined, onCaughtUp: () => undefined },
  onTrouble: (error) => {
    throw error;
  },
});
const { alertingMonitor, close } = await openChildMonitor({
  order,
  definition: sharedDefinition(location, order.webhook),
  shares: sharedShares,
  findLimit: () => sharedLimit,
  law: catalogue,
  clock,
  selfCheck: faultless,
  store,
  through: (client) => client,
});

followParent({
  ...{ alertingMonitor, close, clock },
  settle: (now) => store.record({ states: { clock: now } }),
});
