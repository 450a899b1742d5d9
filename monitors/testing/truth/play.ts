import { choose } from '@candleproof/law/rules/catalogue';
import { DiskAlarm } from '../../alerting/disk-alarm.ts';
import { EventCounts } from '../../metrics/metrics-notices.ts';
import { MetricsState } from '../../metrics/metrics-state.ts';
import type { Definition, LightProbe } from '../../plan/definition.ts';
import { slotPlan } from '../../plan/slot-plan.ts';
import type { SlotRecord } from '../../results/probe-record.ts';
import { StoreFull } from '../../results/store-error.ts';
import { retryingStore } from '../../slots/patient-store.ts';
import { memoryStore } from '../memory-store.ts';
import { ScriptedKey } from '../scripted-key.ts';
import { TickingMonitor } from '../ticking-monitor.ts';
import { type MovedClock, movedClock } from '../watched-service.ts';
import { day, makeDefinition, shares, tokensProbe } from '../watching.ts';
import { begin, type Episode, type EpisodeKind, locations, targets } from './episodes.ts';
import { TruthFront } from './front.ts';

const law = choose(['transport/strict-json', 'history/closed-candles-stay']).chosen;

const history: LightProbe = {
  ...{ kind: 'light', name: 'history', target: 'mainnet', rhythm: { every: 300_000 } },
  ...{ operation: 'listV2PoolCandles', role: 'history', pools: [1], interval: 'HOUR' },
};

function locationDefinition(location: string, episodes: readonly Episode[]): Definition {
  const probes = [...targets.map((name) => tokensProbe(name, { rhythm: { every: 30_000 } })), history];
  const maintenance = episodes.flatMap((episode) =>
    episode.kind === 'maintain'
      ? [
          {
            target: 'testnet',
            window: {
              ...{ zone: 'Europe/London', days: ['sunday'] as const },
              ...{ from: episode.from, to: episode.to },
            },
          },
        ]
      : [],
  );
  return makeDefinition(probes, { location, maintenance });
}

/** One location: its store, disk and metrics, over all restarts. */
export class PlayedLocation {
  readonly store = memoryStore();
  readonly metrics: MetricsState;
  readonly happened = new EventCounts();
  readonly ran: SlotRecord[] = [];
  /** Kinds of the messages that its disk alarm sent. */
  readonly letters: string[] = [];
  readonly definition: Definition;
  ticking: TickingMonitor | undefined;
  isFull = false;
  readonly #key: ScriptedKey;
  readonly #front: TruthFront;
  readonly #clock: MovedClock;

  readonly location: string;

  constructor(
    location: string,
    episodes: readonly Episode[],
    { front, clock, key }: { front: TruthFront; clock: MovedClock; key: ScriptedKey },
  ) {
    this.location = location;
    this.definition = locationDefinition(location, episodes);
    this.metrics = new MetricsState(location);
    [this.#front, this.#clock, this.#key] = [front, clock, key];
  }

  async open(): Promise<void> {
    const clock = this.#clock;
    const sinks = [{ name: 'pager', kind: 'command', command: ['true'] }] as const;
    const alerting = { ...this.definition.alerting, sinks };
    const disk = new DiskAlarm({ location: this.location, alerting }, async (_, { kind }) => {
      this.letters.push(kind);
      return undefined;
    });
    const record: typeof this.store.record = async (batch) => {
      if (this.isFull) throw new StoreFull('results.db: its disk is full');
      await this.store.record(batch);
    };
    const store = retryingStore(
      { ...this.store, record },
      {
        clock: { sleep: (ms) => this.#front.waits.pass(ms) },
        signal: AbortSignal.any([]),
        onFull: () => disk.onFull(clock.now()),
        onRoom: () => disk.onRoom(clock.now()),
      },
    );
    this.ticking = await TickingMonitor.open({
      ...{ clock, store, law, disk, definition: this.definition },
      targets: targets.map((name) =>
        this.#front.target(this.location, name, name === 'mainnet' ? this.#key.key : undefined),
      ),
      keys: (now) => this.#key.facts(now, ['mainnet']),
      onSettled: ({ slots, quotas, events }) => {
        this.metrics.take(slots);
        this.metrics.takeQuotas(quotas);
        this.happened.take(events);
        this.ran.push(...slots.filter(({ state }) => state === 'run'));
      },
    });
  }

  async restart(): Promise<void> {
    await this.ticking?.alertingMonitor.stop(0);
    await this.open();
  }

  /** The planned instants of a probe that the clock showed at least once, in [earliest, latest]. */
  listPlanned(target: string, probe: string, shown: ReadonlySet<number>): number[] {
    const found = this.definition.probes.find(
      (candidate) => candidate.target === target && candidate.name === probe,
    );
    const plan = found && slotPlan(found, { location: this.location });
    const [earliest, latest] = [Math.min(...shown), Math.max(...shown)];
    return (plan?.list(earliest, latest + 1) ?? []).filter((slot) => shown.has(slot));
  }
}

export type PlayedTruth = {
  readonly clock: MovedClock;
  readonly front: TruthFront;
  readonly played: readonly PlayedLocation[];
  /** Every instant that the wall clock showed, Unix ms. */
  readonly shown: ReadonlySet<number>;
};

/** Plays episodes for `seconds` to two locations that share a key, whose ledger lies in `folder`. */
export async function playTruth(
  folder: string,
  episodes: readonly Episode[],
  seconds: number,
): Promise<PlayedTruth> {
  const clock = movedClock(begin);
  const turn = episodes.find(({ kind }) => kind === 'turn')?.begin;
  const reset = turn === undefined ? begin + 20 * day : begin + turn * 1000 - 1;
  const front = new TruthFront(clock, episodes, { limit: 5_000_000, used: 40_000, reset });
  const keys = await Promise.all(locations.map(() => ScriptedKey.open(folder, clock, shares)));
  const played = keys.map(
    (key, n) => new PlayedLocation(locations[n] ?? '', episodes, { front, clock, key }),
  );
  for (const playedLocation of played) await playedLocation.open();
  const shown = new Set<number>();
  const findEpisode = (second: number, kind: EpisodeKind, isEnd = false): Episode | undefined =>
    episodes.find(
      (episode) => episode.kind === kind && episode.begin + (isEnd ? episode.length : 0) === second,
    );
  for (let second = 1; second <= seconds; second++) {
    const stopped = findEpisode(second, 'stop');
    if (stopped) {
      for (let n = 1; n < stopped.length; n++) shown.add(clock.now() + n * 1000);
      clock.set(clock.now() + (stopped.length - 1) * 1000);
      second += stopped.length - 1;
    }
    const [set, setBack] = [findEpisode(second, 'clock'), findEpisode(second, 'clock', true)];
    if (set?.kind === 'clock') clock.step(set.by);
    if (setBack?.kind === 'clock') clock.step(-setBack.by);
    for (const playedLocation of played) {
      if (findEpisode(second, 'full')) playedLocation.isFull = true;
      if (findEpisode(second, 'full', true)) playedLocation.isFull = false;
      if (findEpisode(second, 'restart')) await playedLocation.restart();
    }
    clock.set(clock.now() + 1000);
    front.pass();
    for (const playedLocation of played) void playedLocation.ticking?.tick();
    await front.waits.settle();
    shown.add(clock.now());
  }
  for (const key of keys) await key.close();
  return { clock, front, played, shown };
}
