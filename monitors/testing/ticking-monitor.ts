import { loadSpec } from '@candleproof/document/spec/load-spec';
import { ServerClocks } from '../probes/server-clock.ts';
import type { Watch } from '../probes/watch.ts';
import type { WatchedTarget } from '../probes/watched-target.ts';
import { AlertingMonitor, type AlertingMonitorOptions } from '../slots/alerting-monitor.ts';
import { type TimeBreak, TimeWatch } from '../slots/time-watch.ts';
import { memoryStore } from './memory-store.ts';
import type { MovedClock } from './watched-service.ts';
import { faultless, lawless } from './watching.ts';

type TickingOptions = {
  readonly clock: MovedClock;
  readonly targets: readonly WatchedTarget[];
} & Pick<Watch, 'definition'> &
  Partial<Pick<Watch, 'store' | 'law' | 'selfCheck'>> &
  Partial<Pick<AlertingMonitorOptions, 'keys' | 'onSettled' | 'disk' | 'ownConditions' | 'send'>>;

const spec = loadSpec('openapi.yaml');

/** A monitor that is ticked each second of a simulated time, as a monitor's process does it. */
export class TickingMonitor {
  readonly alertingMonitor: AlertingMonitor;
  readonly store: Watch['store'];
  readonly clock: MovedClock;
  readonly #time: TimeWatch;
  readonly #breaks: TimeBreak[] = [];
  #ticking: Promise<void> | undefined;

  private constructor(
    alertingMonitor: AlertingMonitor,
    { store, clock }: { store: Watch['store']; clock: MovedClock },
  ) {
    this.alertingMonitor = alertingMonitor;
    this.store = store;
    this.clock = clock;
    this.#time = new TimeWatch(clock);
  }

  static async open(options: TickingOptions): Promise<TickingMonitor> {
    const {
      definition,
      clock,
      targets,
      store = memoryStore(),
      keys = async () => [],
      onSettled,
      disk,
      ownConditions,
      send,
    } = options;
    const { law = lawless, selfCheck = faultless } = options;
    const alertingMonitor = await AlertingMonitor.open({
      environment: process.env,
      watch: {
        ...{ definition, clock, store, spec, law, selfCheck, version: 'test' },
        ...{
          serverClocks: new ServerClocks(),
          targets: new Map(targets.map((target) => [target.facts.name, target])),
        },
      },
      keys,
      onSettled,
      disk,
      ownConditions,
      ...(send && { send }),
      onTrouble: (error) => {
        throw error;
      },
    });
    return new TickingMonitor(alertingMonitor, { store, clock });
  }

  /**
   * Lets `seconds` pass, one by one. Each tick and probe run ends within its second unless `settle` does otherwise; a
   * second that begins while a tick goes on has none.
   */
  async pass(seconds: number, settle?: (ticked: Promise<void>) => Promise<unknown>): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.clock.set(this.clock.now() + 1000);
      const ticked = this.tick();
      if (settle) await settle(ticked);
      else await ticked.then(() => this.alertingMonitor.monitor.idle());
    }
  }

  /** Ticks at the second that the clock shows now. */
  tick(): Promise<void> {
    this.#breaks.push(...this.#time.check());
    this.alertingMonitor.beat();
    this.#ticking ??= this.alertingMonitor.tick(this.#breaks.splice(0)).finally(() => {
      this.#ticking = undefined;
    });
    return this.#ticking;
  }

  /** Lets seconds pass of which the process knows nothing. */
  advanceClock(seconds: number): void {
    this.clock.set(this.clock.now() + seconds * 1000);
  }
}
