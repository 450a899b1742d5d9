import { readFileSync } from 'node:fs';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { openResults } from '../../results/sqlite/open.ts';
import { openChildMonitor, type StationOrder } from '../child-monitor.ts';
import { answerParent, followParent } from '../clocked-child.ts';
import { movedClock } from '../watched-service.ts';
import { faultless } from '../watching.ts';
import { limit, octoberDefinition, shares } from './definition.ts';

// A monitor in a separate process, whose clock is set by its parent.
const order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as StationOrder;
const clock = movedClock(order.now);
let isHanging = false;

const { alertingMonitor, close } = await openChildMonitor({
  order,
  definition: octoberDefinition(),
  shares,
  findLimit: () => limit,
  law: catalogue,
  clock,
  // The simulation runs in bursts: a stall as a real monitor sees it means nothing here.
  selfCheck: faultless,
  store: await openResults(order.dataDir),
  through: (client) => ({
    async send(request) {
      const exchange = await client.send(request);
      if (!isHanging) return exchange;
      answerParent({ did: 'hang' });
      return new Promise(() => undefined);
    },
  }),
});

followParent({
  ...{ alertingMonitor, close, clock },
  begin: (command) => {
    isHanging = command.do === 'hang';
  },
});
