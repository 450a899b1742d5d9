import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { Definition, LightProbe } from '../../plan/definition.ts';
import type { ScriptedMonth, TargetReply } from '../scripted-target.ts';
import type { SimulatedWaits } from '../simulated-waits.ts';
import type { ServedPast } from '../truth/served-candles.ts';
import type { MovedClock } from '../watched-service.ts';

/** The world of an episode, as its script changes it. */
export type EpisodeStage = {
  readonly clock: Pick<MovedClock, 'steady'>;
  readonly waits: SimulatedWaits;
  readonly month: ScriptedMonth;
  /** Ms by which the Date of a target is off, the end of its certificate, and the past that it serves. */
  readonly off: Record<string, number>;
  certificateEnd: number | undefined;
  past: ServedPast;
  /** Why failures may be ours. */
  doubt: string | undefined;
  isFull: boolean;
  /** The sinks that take no message. */
  readonly deafSinks: Set<string>;
  /** Ms that a write takes; true moves the data folder away, false puts it back. */
  writeMs: number;
  moveFolder(isAway: boolean): void;
  /** Sets the wall clock of the monitors. */
  setClock(by: number): void;
  suspend(minutes: number): void;
  /** Ends the monitors without a word, and begins others on their stores after some minutes. */
  restart(minutes?: number, definition?: Partial<Definition>): Promise<void>;
  acknowledge(): Promise<void>;
  /** Announces planned work at mainnet, of some minutes from now. */
  announce(minutes: number): Promise<void>;
  /** Returns the probes of some targets. */
  probesOf(targets: readonly string[]): readonly LightProbe[];
};

/** A request as an episode answers it: minutes since its beginning, the number of the request at its target. */
export type KindRequest = {
  readonly minute: number;
  readonly target: string;
  readonly location: string;
  readonly count: number;
  readonly request: SendRequest;
};

/** One kind of episode, and every message that it has to raise, in order. */
export type EpisodeScript = {
  readonly name: string;
  /** Its length in hours; 3 if absent. */
  readonly hours?: number;
  /** By default, mainnet alone; the tokens of each are requested every five minutes. */
  readonly targets?: readonly string[];
  /** Minutes between two requests for the tokens of a target; 5 if absent. */
  readonly every?: number;
  /** True if a history of mainnet is requested too, or its latest candle; the pools of the history, 1 if absent. */
  readonly isHistory?: boolean;
  readonly pools?: readonly number[];
  /** True if the network of its targets is never reset. */
  readonly isMain?: boolean;
  readonly isLatest?: boolean;
  readonly locations?: readonly string[];
  /** The month of mainnet's key; without one it needs no key. */
  readonly month?: Partial<ScriptedMonth> & { readonly isShared?: boolean };
  readonly definition?: Partial<Definition>;
  /** The names of sinks that messages are sent to; none if absent. */
  readonly sinks?: readonly string[];
  /** Returns what is answered otherwise than well. */
  readonly answer?: (
    wanted: KindRequest,
    stage: EpisodeStage,
  ) => TargetReply | Promise<TargetReply | undefined> | undefined;
  /** Other events, by the minute. */
  readonly acts?: Readonly<Record<number, (stage: EpisodeStage) => void | Promise<void>>>;
  /** The minute in which it is sent, the change, the severity and the first line of each; with several locations, the location too. */
  readonly says: readonly string[];
};

type Settings = Partial<Pick<EpisodeStage, 'certificateEnd' | 'past' | 'doubt' | 'isFull' | 'writeMs'>>;

/** Returns acts that change the world at these minutes. */
export function planSettings(
  settings: Readonly<Record<number, Settings>>,
): NonNullable<EpisodeScript['acts']> {
  return mapMinutes(settings, (more) => (stage) => void Object.assign(stage, more));
}

/** Returns acts by which somebody else sends so many requests with the key at these minutes. */
export function planSpending(requests: Readonly<Record<number, number>>): NonNullable<EpisodeScript['acts']> {
  return mapMinutes(requests, (n) => (stage) => {
    stage.month.used += n;
  });
}

function mapMinutes<Of>(
  all: Readonly<Record<number, Of>>,
  act: (one: Of) => (stage: EpisodeStage) => void,
): NonNullable<EpisodeScript['acts']> {
  return Object.fromEntries(Object.entries(all).map(([minute, one]) => [minute, act(one)]));
}
