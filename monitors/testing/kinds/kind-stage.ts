import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { choose } from '@candleproof/law/rules/catalogue';
import { DiskAlarm } from '../../alerting/disk-alarm.ts';
import type { Remark } from '../../alerting/remarks.ts';
import type { Definition, LightProbe } from '../../plan/definition.ts';
import type { EventRecord } from '../../results/results-store.ts';
import { StoreFull } from '../../results/store-error.ts';
import { DataFolder } from '../../slots/data-folder.ts';
import { retryingStore } from '../../slots/patient-store.ts';
import type { TimeBreak } from '../../slots/time-watch.ts';
import { memoryStore } from '../memory-store.ts';
import { ScriptedKey } from '../scripted-key.ts';
import { type ScriptedMonth, scriptedTarget, tokenList } from '../scripted-target.ts';
import { SimulatedWaits } from '../simulated-waits.ts';
import { TickingMonitor } from '../ticking-monitor.ts';
import { begin } from '../truth/episodes.ts';
import { type ServedPast, servedCandles, servedLatest } from '../truth/served-candles.ts';
import { movedClock } from '../watched-service.ts';
import { day, hour, makeDefinition, minute, shares, tokensProbe } from '../watching.ts';
import { findDisagreement } from './agreement.ts';
import type { EpisodeScript, EpisodeStage } from './kind.ts';

const law = choose([
  ...['transport/strict-json', 'history/closed-candles-stay', 'latest/only-grows', 'tokens/list-is-filled'],
]).chosen;
const objectives = (['availability', 'correctness'] as const).map((indicator) => ({
  indicator,
  objective: 0.99,
}));
const latency = { indicator: 'latency', objective: 0.95, under: 1000 } as const;

const history: LightProbe = {
  ...{ kind: 'light', name: 'history', target: 'mainnet', rhythm: { every: 5 * minute } },
  ...{ operation: 'listV2PoolCandles', role: 'history', pools: [1], interval: 'HOUR' },
};

const latest: LightProbe = {
  ...{ kind: 'light', name: 'latest', target: 'mainnet', rhythm: { every: 5 * minute } },
  ...{ operation: 'getLatestV1PoolCandle', role: 'latest', pools: [1], interval: 'FIVEMIN' },
};

/** Between two looks at the clock, in ms. */
const step = 30_000;

type Place = {
  readonly location: string;
  readonly store: ReturnType<typeof memoryStore>;
  ticking?: TickingMonitor;
  key?: ScriptedKey | undefined;
  /** A tick that is under way, and what broke the time since it began. */
  tick?: Promise<void> | undefined;
  breaks: TimeBreak[];
  definition?: Definition;
  /** Messages that were written since the last look at page and metrics. */
  fresh: readonly EventRecord[];
};

/** Plays one kind of episode to monitors whose time is simulated, and tells what they said. */
export class KindStage implements EpisodeStage {
  readonly clock = movedClock(begin);
  readonly waits = new SimulatedWaits(this.clock);
  readonly month: ScriptedMonth;
  readonly off: Record<string, number> = {};
  certificateEnd: number | undefined;
  past: ServedPast = {};
  doubt: string | undefined;
  isFull = false;
  readonly deafSinks = new Set<string>();
  writeMs = 0;
  readonly #kind: EpisodeScript;
  readonly #folder: string;
  readonly #places: Place[];
  #said: string[] = [];
  /** Messages that page and metrics did not agree with. */
  readonly disagreements: string[] = [];
  #definition: Partial<EpisodeScript['definition']> = {};

  constructor(kind: EpisodeScript, folder: string) {
    this.#kind = kind;
    this.#folder = folder;
    const { isShared: _, ...month } = kind.month ?? {};
    writeFileSync(join(folder, 'results.db'), '');
    this.month = { limit: 1_000_000, used: 0, reset: begin + 20 * day, ...month };
    this.#places = (kind.locations ?? ['here']).map((location) => ({
      location,
      store: memoryStore(),
      breaks: [],
      fresh: [],
    }));
  }

  get minute(): number {
    return (this.clock.steady() - begin) / minute;
  }

  /** Plays the whole episode; resolves to its messages. */
  async play(): Promise<string[]> {
    for (const place of this.#places) await this.#open(place);
    const end = begin + (this.#kind.hours ?? 3) * hour;
    while (this.clock.steady() < end) {
      this.clock.set(this.clock.now() + step);
      if (this.clock.steady() % minute === 0) await this.#kind.acts?.[this.minute]?.(this);
      for (const place of this.#places) {
        place.ticking?.alertingMonitor.beat();
        place.tick ??= place.ticking?.alertingMonitor.tick(place.breaks.splice(0)).finally(() => {
          place.tick = undefined;
        });
        await this.waits.settle();
        await this.#lookAt(place);
      }
    }
    for (const { key } of this.#places) await key?.close();
    return collapseReminders(this.#said);
  }

  #break(timeBreak: TimeBreak): void {
    for (const { breaks } of this.#places) breaks.push(timeBreak);
  }

  setClock(by: number): void {
    const from = this.clock.now();
    this.clock.step(by);
    this.#break({ kind: 'clock-set', from, to: from + by, shown: from });
  }

  suspend(minutes: number): void {
    const from = this.clock.now();
    this.clock.set(from + minutes * minute);
    this.#break({ kind: 'not-running', from, to: this.clock.now() });
  }

  async restart(minutes = 0, definition: EpisodeScript['definition'] = {}): Promise<void> {
    this.#definition = { ...this.#definition, ...definition };
    this.clock.set(this.clock.now() + minutes * minute);
    for (const place of this.#places) await this.#open(place);
  }

  moveFolder(isAway: boolean): void {
    const [here, away] = ['results.db', 'moved.db'].map((name) => join(this.#folder, name));
    if (here && away) renameSync(isAway ? here : away, isAway ? away : here);
  }

  acknowledge(): Promise<void> {
    return this.#remark({ text: '', isAcknowledged: true });
  }

  announce(minutes: number): Promise<void> {
    const until = this.clock.now() + minutes * minute;
    return this.#remark({ text: 'new disks', isAcknowledged: false, until });
  }

  async #remark(said: Pick<Remark, 'text' | 'isAcknowledged' | 'until'>): Promise<void> {
    const remark = { at: this.clock.now(), about: 'mainnet', by: 'kim', ...said };
    for (const { ticking } of this.#places) await ticking?.alertingMonitor.takeRemarks([remark]);
  }

  probesOf(targets: readonly string[]): readonly LightProbe[] {
    const tokens = targets.map((name) =>
      tokensProbe(name, { rhythm: { every: (this.#kind.every ?? 5) * minute } }),
    );
    const { isHistory, isLatest, pools = [1] } = this.#kind;
    return [...tokens, ...(isHistory ? [{ ...history, pools }] : []), ...(isLatest ? [latest] : [])];
  }

  async #open(place: Place): Promise<void> {
    const { clock } = this;
    const { targets = ['mainnet'], month, sinks = [] } = this.#kind;
    const definition = makeDefinition(this.probesOf(targets), {
      location: place.location,
      objectives: [...objectives, latency],
      alerting: {
        sinks: sinks.map((name) => ({ name, kind: 'command', command: [name] })),
        reminder: { page: hour / 2, ticket: day },
      },
      ...this.#kind.definition,
      ...this.#definition,
    });
    const disk = new DiskAlarm(definition, async () => undefined);
    const key = month && (place.key ?? (await ScriptedKey.open(this.#folder, clock, shares)));
    place.key = key;
    const folder = new DataFolder(join(this.#folder, 'results.db'), clock);
    const store = retryingStore(
      folder.measure({
        ...place.store,
        record: async (batch) => {
          if (this.isFull) throw new StoreFull('results.db: its disk is full');
          if (this.writeMs > 0) await this.waits.pass(this.writeMs);
          await place.store.record(batch);
          this.#hear(place, batch.events ?? []);
        },
      }),
      {
        clock: { sleep: (ms) => this.waits.pass(ms) },
        signal: AbortSignal.any([]),
        onFull: () => disk.onFull(clock.now()),
        onRoom: () => disk.onRoom(clock.now()),
      },
    );
    place.definition = definition;
    place.ticking = await TickingMonitor.open({
      ...{ clock, store, law, disk, definition },
      ownConditions: (now) => folder.conditions(place.location, now),
      send: async ({ name }) => (this.deafSinks.has(name) ? 'exit code 1' : undefined),
      selfCheck: { watch: (run) => run(async () => this.doubt), takeStall: () => 0 },
      targets: targets.map((name) => this.#target(name, place, key)),
      keys: async (now) => (await key?.facts(now, ['mainnet'])) ?? [],
    });
  }

  #target(name: string, { location }: Place, key: ScriptedKey | undefined) {
    const { month = {}, answer, isMain = false } = this.#kind;
    const isKeyed = name === 'mainnet' && key !== undefined;
    const target = scriptedTarget({
      ...{ name, clock: this.clock, certificateEnd: () => this.certificateEnd },
      date: () => this.clock.steady() + (this.off[name] ?? 0),
      ...(isKeyed && { key: { ...key.key, isShared: month.isShared ?? false }, month: this.month }),
      answer: async (count, request) => {
        const wanted = { minute: this.minute, target: name, location, count, request };
        const bad = await answer?.(wanted, this);
        if (bad !== undefined) return bad;
        if (request.path.includes('/latest/'))
          return { status: 200, body: servedLatest(this.clock.steady(), 0.05) };
        if (!request.path.startsWith('/v2')) return tokenList;
        return { status: 200, body: servedCandles(request.path, this.clock.steady(), this.past).body };
      },
    });
    return { ...target, mayReset: !isMain };
  }

  #hear(place: Place, events: readonly EventRecord[]): void {
    const messages = events.filter(({ kind }) => kind.startsWith('alert-'));
    const where = this.#places.length > 1 ? `${place.location} ` : '';
    const error = this.clock.now() - this.clock.steady();
    for (const message of messages) {
      const minutes = Math.floor((message.at - error - begin) / minute);
      this.#said.push(`${minutes} ${where}${formatMessage(message)}`);
    }
    place.fresh = [...place.fresh, ...messages];
  }

  /** Compares the newest message of each alert with the page and the metrics of its time. */
  async #lookAt(place: Place): Promise<void> {
    const { fresh, store, definition, ticking } = place;
    if (fresh.length === 0 || !definition || !ticking) return;
    place.fresh = [];
    const newest = new Map(fresh.map((event) => [event.detail.alert, event]));
    const shown = { alertingMonitor: ticking.alertingMonitor, store, definition, now: this.clock.now() };
    for (const event of newest.values())
      for (const other of await findDisagreement(event, shown))
        this.disagreements.push(`${Math.floor(this.minute)} ${formatMessage(event)}: ${other}`);
  }
}

/** `fired page: availability of mainnet: status 503 since …`: the kind, the severity and the first line. */
function formatMessage({ kind, detail }: EventRecord): string {
  const [line = ''] = String(detail.words).split('\n');
  const change = kind.replace('alert-', '');
  const text = line.replace(/^[a-z]+: /, '').replace(` from ${detail.location}`, '');
  return `${change} ${detail.severity}: ${change === 'reminder' ? text.replace(/, (for|again).*/, '') : text}`;
}

/** Counts reminders that follow each other, at the minute of the first. */
function collapseReminders(all: readonly string[]): string[] {
  const lines: string[] = [];
  for (const line of all) {
    const [, minute, before, count = '1'] =
      /^([0-9]+) (.*?)(?: \(([0-9]+)\))?$/.exec(lines.at(-1) ?? '') ?? [];
    const text = line.replace(/^[0-9]+ /, '');
    if (text.includes('reminder ') && before === text)
      lines[lines.length - 1] = `${minute} ${text} (${Number(count) + 1})`;
    else lines.push(line);
  }
  return lines;
}
