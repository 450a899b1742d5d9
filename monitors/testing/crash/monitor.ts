import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { longestSilence } from '@candleproof/client/accounts/ledger-state';
import { catalogue } from '@candleproof/law/rules/catalogue';
import { createDraws } from '@candleproof/reference-service/market/pool-walk';
import { openSelfCheck } from '../../probes/self-check.ts';
import type { ResultsStore } from '../../results/results-store.ts';
import { openResults } from '../../results/sqlite/open.ts';
import { openChildMonitor, type StationOrder } from '../child-monitor.ts';
import { type CrashTarget, crashDefinition, limits, shares } from './definition.ts';
import { jumpingClock } from './jumping-clock.ts';

/** The order that starts a monitor which will be killed. */
export type CrashOrder = StationOrder<CrashTarget> & { readonly seed: number };

export type CrashCommand = { readonly do: 'tick' | 'stop'; readonly now: number };

/** `next`: Unix ms of the next slot. */
export type CrashAnswer = { readonly next: number };

// A monitor in a separate process, whose clock jumps to wherever it is set.
const order = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as CrashOrder;
const clock = jumpingClock(order.now);
const chance = createDraws(order.seed, 0, 0);
let draws = 0;
const underWay = new Set<Promise<unknown>>();

/** Most of what is done is quick; some takes so long that the next slot comes in between. */
async function sleepRandomly(usual: number): Promise<void> {
  const [isLong, length] = [chance.uniform(draws++) < 0.05, chance.uniform(draws++)];
  await sleep(length * (isLong ? 500 : usual));
}

/** On a slow disk there is time to be killed between two writes that belong together. */
function onSlowDisk(fast: ResultsStore): ResultsStore {
  return {
    ...fast,
    async record(batch) {
      await sleepRandomly(4);
      await fast.record(batch);
      await sleepRandomly(4);
    },
  };
}

const { alertingMonitor, close } = await openChildMonitor({
  order,
  definition: crashDefinition(order.webhook),
  shares,
  findLimit: (service) => limits[service],
  // Time jumps while an answer is on its way.
  law: { ...catalogue, rules: catalogue.rules.filter(({ id }) => id !== 'transport/date-is-the-time') },
  clock,
  // A busy machine is no reason to learn nothing here.
  selfCheck: openSelfCheck({ clock }),
  store: onSlowDisk(await openResults(order.dataDir)),
  through: (client) => ({
    send(request) {
      const sent = sleepRandomly(15)
        .then(() => client.send(request))
        .finally(() => sleepRandomly(15));
      underWay.add(sent);
      return sent.finally(() => underWay.delete(sent));
    },
  }),
});

async function runCommand(command: CrashCommand): Promise<void> {
  // A holder gives signs by the real clock: a jump over a request of its would look like its end.
  if (command.now - clock.now() > longestSilence) await Promise.allSettled(underWay);
  clock.set(command.now);
  if (command.do === 'tick') {
    await alertingMonitor.tick();
    // Anyone who is slow is not waited for.
    await Promise.race([alertingMonitor.idle(), sleep(80)]);
  } else await close();
  const answer: CrashAnswer = { next: alertingMonitor.monitor.next };
  process.send?.(answer);
  if (command.do === 'stop') process.disconnect();
}

process.on('message', (command: CrashCommand) => void runCommand(command));
process.send?.({ next: alertingMonitor.monitor.next } satisfies CrashAnswer);
