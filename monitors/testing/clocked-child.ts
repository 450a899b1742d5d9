import { collectMs } from '../alerting/alert-times.ts';
import type { ChildMonitor } from './child-monitor.ts';
import type { MovedClock } from './watched-service.ts';

export type MonitorCommand =
  | { readonly do: 'tick'; readonly now: number }
  /** Sends, and then says so and never hears the answer. */
  | { readonly do: 'hang'; readonly now: number }
  | { readonly do: 'stop'; readonly now: number };

export type MonitorAnswer =
  | { readonly did: 'tick' | 'open'; readonly next: number | null }
  | { readonly did: 'hang' }
  | { readonly did: 'stop' };

type Clocked = ChildMonitor & {
  readonly clock: MovedClock;
  readonly begin?: (command: MonitorCommand) => void;
  /** Before a tick is reported. */
  readonly settle?: (now: number) => Promise<void>;
};

/** Sends an answer to the parent process. */
export function answerParent(message: MonitorAnswer): void {
  process.send?.(message);
}

/** Says that the monitor is open, and moves its clock as the parent says until it is to stop. */
export function followParent({ alertingMonitor, close, clock, begin, settle }: Clocked): void {
  /** Between two slots nothing happens but that the messages of the last one are sent. */
  async function tickAsCollected(now: number): Promise<void> {
    if (alertingMonitor.monitor.next <= now + collectMs) return;
    clock.set(now + collectMs);
    await alertingMonitor.tick();
    await alertingMonitor.idle();
  }
  const report = (did: 'open' | 'tick'): void => answerParent({ did, next: alertingMonitor.monitor.next });
  async function runCommand(command: MonitorCommand): Promise<void> {
    clock.set(command.now);
    begin?.(command);
    if (command.do === 'stop') {
      await close();
      answerParent({ did: 'stop' });
      process.disconnect();
      return;
    }
    await alertingMonitor.tick();
    await alertingMonitor.idle();
    await tickAsCollected(command.now);
    await settle?.(command.now);
    report('tick');
  }
  process.on('message', (command: MonitorCommand) => void runCommand(command));
  report('open');
}
