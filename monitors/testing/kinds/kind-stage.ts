import { choose } from '../../../contract/law/catalogue.ts';
import type { SendRequest } from '../../../http/send/request-lines.ts';
import type { EventRecord } from '../../../results/results-store.ts';
import { StoreFull } from '../../../results/store-error.ts';
import { DiskAlarm } from '../../alerting/disk-alarm.ts';
import type { Definition, LightProbe } from '../../plan/definition.ts';
import { retryingStore } from '../../slots/patient-store.ts';
import type { TimeBreak } from '../../slots/time-watch.ts';
import { memoryStore } from '../memory-store.ts';
import { ScriptedKey } from '../scripted-key.ts';
import { type ScriptedMonth, scriptedTarget, type TargetReply, tokenList } from '../scripted-target.ts';
import { SimulatedWaits } from '../simulated-waits.ts';
import { TickingStation } from '../ticking-station.ts';
import { begin } from '../truth/episodes.ts';
import { type ServedPast, servedCandles } from '../truth/served-candles.ts';
import { movedClock } from '../watched-service.ts';
import { always, day, hour, makeDefinition, minute, shares, tokensProbe } from '../watching.ts';

/** A request as an episode answers it: minutes since its beginning, the number of the request at its target. */
export type Asked = {
  readonly minute: number;
  readonly target: string;
  readonly location: string;
  readonly count: number;
  readonly request: SendRequest;
};

/** One kind of episode, and every message that it has to raise, in order. */
export type Kind = {
  readonly name: string;
  /** How long it is played, in hours; 3 if absent. */
  readonly hours?: number;
  /** By default, mainnet alone; each is asked for its tokens every five minutes. */
  readonly targets?: readonly string[];
  /** True if mainnet is asked for a history too. */
  readonly isHistory?: boolean;
  readonly locations?: readonly string[];
  /** The month of mainnet's key; without one it needs no key. */
  readonly month?: Partial<ScriptedMonth> & { readonly isShared?: boolean };
  readonly definition?: Partial<Definition>;
  /** Returns what is answered otherwise than well. */
  readonly answer?: (
    asked: Asked,
    stage: KindStage,
  ) => TargetReply | Promise<TargetReply | undefined> | undefined;
  /** What else happens, by the minute. */
  readonly acts?: Readonly<Record<number, (stage: KindStage) => void | Promise<void>>>;
  /** The change, the severity and the first line of each; with several locations, the location first. */
  readonly says: readonly string[];
};

const law = choose(['transport/strict-json', 'history/closed-candles-stay']).chosen;
const objectives = (['availability', 'correctness'] as const).map((indicator) => ({
  indicator,
  objective: 0.99,
}));
const latency = { indicator: 'latency', objective: 0.95, under: 1000 } as const;

const history: LightProbe = {
  ...{ kind: 'light', name: 'history', target: 'mainnet', rhythm: { every: 5 * minute } },
  ...{ operation: 'listV2PoolCandles', role: 'history', pools: [1], interval: 'HOUR' },
};

/** Between two looks at the clock, in ms. */
const step = 30_000;

type Place = {
  readonly location: string;
  readonly store: ReturnType<typeof memoryStore>;
  ticking?: TickingStation;
  key?: ScriptedKey | undefined;
  /** A tick that is under way, and what broke the time since it began. */
  tick?: Promise<void> | undefined;
  breaks: TimeBreak[];
};

/** Plays one kind of episode to monitors whose time is simulated, and tells what they said. */
export class KindStage {
  readonly clock = movedClock(begin);
  readonly waits = new SimulatedWaits(this.clock);
  readonly month: ScriptedMonth;
  /** Ms by which the Date of a target is off, the end of its certificate, and the past that it serves. */
  readonly off: Record<string, number> = {};
  certificateEnd: number | undefined;
  past: ServedPast = {};
  /** Why failures may be ours. */
  doubt: string | undefined;
  isFull = false;
  readonly #kind: Kind;
  readonly #folder: string;
  readonly #places: Place[];
  #definition: Partial<Kind['definition']> = {};

  constructor(kind: Kind, folder: string) {
    this.#kind = kind;
    this.#folder = folder;
    const { isShared: _, ...month } = kind.month ?? {};
    this.month = { limit: 1_000_000, used: 0, reset: begin + 20 * day, ...month };
    this.#places = (kind.locations ?? ['here']).map((location) => ({
      location,
      store: memoryStore(),
      breaks: [],
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
        place.ticking?.station.beat();
        place.tick ??= place.ticking?.station.tick(place.breaks.splice(0)).finally(() => {
          place.tick = undefined;
        });
        await this.waits.settle();
      }
    }
    for (const { key } of this.#places) await key?.close();
    return this.#listMessages();
  }

  #break(timeBreak: TimeBreak): void {
    for (const { breaks } of this.#places) breaks.push(timeBreak);
  }

  /** Sets the wall clock of the monitors. */
  setClock(by: number): void {
    const from = this.clock.now();
    this.clock.step(by);
    this.#break({ kind: 'clock-set', from, to: from + by, shown: from });
  }

  /** Suspends the monitors. */
  suspend(minutes: number): void {
    const from = this.clock.now();
    this.clock.set(from + minutes * minute);
    this.#break({ kind: 'not-running', from, to: this.clock.now() });
  }

  /** Ends the monitors without a word, and begins others on their stores after some minutes. */
  async restart(minutes = 0, definition: Kind['definition'] = {}): Promise<void> {
    this.#definition = { ...this.#definition, ...definition };
    this.clock.set(this.clock.now() + minutes * minute);
    for (const place of this.#places) await this.#open(place);
  }

  async acknowledge(): Promise<void> {
    const remark = { at: this.clock.now(), about: 'mainnet', text: '', by: 'kim', isAcknowledged: true };
    for (const { ticking } of this.#places) {
      const { monitor, alerts } = ticking?.station ?? {};
      await monitor?.write(() => alerts?.remark([remark], this.clock.now()) ?? {});
    }
  }

  /** Returns the probes of some targets. */
  probesOf(targets: readonly string[]): readonly LightProbe[] {
    const tokens = targets.map((name) => tokensProbe(name, { rhythm: { every: 5 * minute } }));
    return this.#kind.isHistory ? [...tokens, history] : tokens;
  }

  async #open(place: Place): Promise<void> {
    const { clock } = this;
    const { targets = ['mainnet'], month } = this.#kind;
    const definition = makeDefinition(this.probesOf(targets), {
      location: place.location,
      objectives: [...objectives, latency],
      alerting: { sinks: [], reminder: { page: hour / 2, ticket: day } },
      ...this.#kind.definition,
      ...this.#definition,
    });
    const disk = new DiskAlarm(definition, async () => undefined);
    const key = month && (place.key ?? (await ScriptedKey.open(this.#folder, clock, shares)));
    place.key = key;
    const store = retryingStore(
      {
        ...place.store,
        record: async (batch) => {
          if (this.isFull) throw new StoreFull('results.db: its disk is full');
          await place.store.record(batch);
        },
      },
      {
        clock: { sleep: (ms) => this.waits.pass(ms) },
        signal: AbortSignal.any([]),
        onFull: () => disk.onFull(clock.now()),
        onRoom: () => disk.onRoom(clock.now()),
      },
    );
    place.ticking = await TickingStation.open({
      ...{ clock, store, law, disk, definition },
      selfCheck: { watch: (run) => run(async () => this.doubt), takeStall: () => 0 },
      targets: targets.map((name) => this.#target(name, place, key)),
      keys: async (now) => (await key?.facts(now, ['mainnet'])) ?? [],
    });
  }

  #target(name: string, { location }: Place, key: ScriptedKey | undefined) {
    const { month = {}, answer } = this.#kind;
    const isKeyed = name === 'mainnet' && key !== undefined;
    return scriptedTarget({
      ...{ name, clock: this.clock, certificateEnd: () => this.certificateEnd },
      date: () => this.clock.steady() + (this.off[name] ?? 0),
      ...(isKeyed && { key: { ...key.key, isShared: month.isShared ?? false }, month: this.month }),
      answer: async (count, request) => {
        const asked = { minute: this.minute, target: name, location, count, request };
        const bad = await answer?.(asked, this);
        if (bad !== undefined) return bad;
        if (!request.path.startsWith('/v2')) return tokenList;
        return { status: 200, body: servedCandles(request.path, this.clock.steady(), this.past).body };
      },
    });
  }

  async #listMessages(): Promise<string[]> {
    const isShared = this.#places.length > 1;
    const found = this.#places.map(async ({ location, store }) =>
      (await store.events(always))
        .filter(({ kind }) => kind.startsWith('alert-'))
        .map((event) => ({ at: event.at, text: formatMessage(event, isShared ? `${location} ` : '') })),
    );
    const all = (await Promise.all(found)).flat();
    const inOrder = isShared ? all.toSorted((one, other) => one.at - other.at) : all;
    return collapseReminders(inOrder.map(({ text }) => text));
  }
}

/** `fired page: availability of mainnet: status 503 since …`: the kind, the severity and the first line. */
function formatMessage({ kind, detail }: EventRecord, location: string): string {
  const [line = ''] = String(detail.words).split('\n');
  const change = kind.replace('alert-', '');
  const text = line.replace(/^[a-z]+: /, '').replace(` from ${detail.location}`, '');
  return `${location}${change} ${detail.severity}: ${change === 'reminder' ? text.replace(/, (for|again).*/, '') : text}`;
}

/** Counts reminders that follow each other. */
function collapseReminders(all: readonly string[]): string[] {
  const lines: string[] = [];
  for (const text of all) {
    const [, before = '', count = '1'] = /^(.*?)(?: \(([0-9]+)\))?$/.exec(lines.at(-1) ?? '') ?? [];
    if (text.includes('reminder ') && before === text)
      lines[lines.length - 1] = `${text} (${Number(count) + 1})`;
    else lines.push(text);
  }
  return lines;
}
