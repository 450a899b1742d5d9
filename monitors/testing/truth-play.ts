import type { SlotRecord } from '../../results/probe-record.ts';
import { MetricsState } from '../metrics/metrics-state.ts';
import { slotPlan } from '../plan/slot-plan.ts';
import { memoryStore } from './memory-store.ts';
import { TickingStation } from './ticking-station.ts';
import { type Episode, TruthFront } from './truth-front.ts';
import { movedClock } from './watched-service.ts';
import { definitionOf, noon, tokensProbe } from './watching.ts';

const names = ['mainnet', 'testnet'] as const;

/** Plays episodes for so many seconds to a monitor of two targets; returns what was true, and what the monitor has. */
export async function playTruth(episodes: readonly Episode[], seconds: number) {
  const [clock, store] = [movedClock(noon), memoryStore()];
  const front = new TruthFront(clock, episodes);
  const metrics = new MetricsState('here');
  const ran: SlotRecord[] = [];
  const probes = names.map((name) => tokensProbe(name, { rhythm: { every: 30_000 } }));
  const targets = names.map((name) => front.target(name));
  const open = (): Promise<TickingStation> =>
    TickingStation.open({
      ...{ clock, store, targets, definition: definitionOf(probes) },
      onSettled({ slots }) {
        metrics.take(slots);
        ran.push(...slots.filter(({ state }) => state === 'run'));
      },
    });
  const shown = new Set<number>();
  let ticking = await open();
  const at = (second: number, kind: Episode['kind'], isEnd = false): Episode | undefined =>
    episodes.find((each) => each.kind === kind && each.begin + (isEnd ? each.length : 0) === second);
  for (let second = 1; second <= seconds; second++) {
    const stopped = at(second, 'stop');
    if (stopped) {
      for (let n = 1; n < stopped.length; n++) shown.add(clock.now() + n * 1000);
      ticking.stand(stopped.length - 1);
      second += stopped.length - 1;
    }
    const [set, setBack] = [at(second, 'clock'), at(second, 'clock', true)];
    if (set?.kind === 'clock') clock.step(set.by);
    if (setBack?.kind === 'clock') clock.step(-setBack.by);
    if (at(second, 'restart')) {
      await ticking.station.stop(0);
      ticking = await open();
    }
    await ticking.pass(1, () => front.waits.settle());
    shown.add(clock.now());
  }
  await ticking.pass(60, () => front.waits.settle());
  for (let n = 0; n < 60; n++) shown.add(clock.now() - n * 1000);
  const [earliest, latest] = [Math.min(...shown), Math.max(...shown)];
  /** The planned instants that a clock showed at least once. */
  const planned = (target: string): number[] => {
    const [probe] = probes.filter((each) => each.target === target);
    const plan = probe && slotPlan(probe, { location: 'here' });
    return (plan?.between(earliest, latest + 1) ?? []).filter((each) => shown.has(each));
  };
  return { clock, store, front, metrics, ran, latest, planned, sights: ticking.station.sights };
}
