import { readFileSync } from 'node:fs';
import { catalogue } from '../../../contract/law/catalogue.ts';
import { openResults } from '../../../results/sqlite/open.ts';
import type { SelfCheck } from '../../probes/self-check.ts';
import { openChildStation, type StationOrder } from '../child-station.ts';
import { movedClock } from '../watched-service.ts';
import { limit, octoberDefinition, shares } from './definition.ts';

export type MonitorCommand =
  | { readonly do: 'tick'; readonly now: number }
  /** Sends, and then says so and never hears the answer. */
  | { readonly do: 'hang'; readonly now: number }
  | { readonly do: 'stop'; readonly now: number };

export type MonitorAnswer =
  | { readonly did: 'tick' | 'open'; readonly next: number | null; readonly sharers?: number }
  | { readonly did: 'hang' }
  | { readonly did: 'stop' };

// A monitor in a process of its own, whose clock is set by its parent.
const order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as StationOrder;
const clock = movedClock(order.now);
let isHanging = false;

/** The simulation runs in bursts: what a real monitor would call standing still says nothing here. */
const selfCheck: SelfCheck = {
  begin: () => async () => undefined,
  takeStall: () => 0,
  close: () => undefined,
};

const { station, close } = await openChildStation({
  order,
  definition: octoberDefinition(order.webhook),
  shares,
  limitOf: () => limit,
  law: catalogue,
  clock,
  selfCheck,
  store: await openResults(order.dataDir),
  through: (client) => ({
    async send(request) {
      const exchange = await client.send(request);
      if (!isHanging) return exchange;
      answer({ did: 'hang' });
      return new Promise(() => undefined);
    },
  }),
});

function answer(message: MonitorAnswer): void {
  process.send?.(message);
}

async function obey(command: MonitorCommand): Promise<void> {
  clock.set(command.now);
  isHanging = command.do === 'hang';
  if (command.do === 'stop') {
    await close();
    answer({ did: 'stop' });
    process.disconnect();
    return;
  }
  await station.tick();
  await station.idle();
  answer({ did: 'tick', next: station.monitor.next });
}

process.on('message', (command: MonitorCommand) => void obey(command));
answer({ did: 'open', next: station.monitor.next });
