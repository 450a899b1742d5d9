import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { WatchedTarget } from '../../probes/watched-target.ts';
import {
  type Script,
  type ScriptedMonth,
  type ScriptedTarget,
  scriptedTarget,
  type TargetReply,
  tokenList,
} from '../scripted-target.ts';
import { SimulatedWaits } from '../simulated-waits.ts';
import type { MovedClock } from '../watched-service.ts';
import { begin, type Episode, isDuring } from './episodes.ts';
import { servedCandles } from './served-candles.ts';

/** The answer to a request, as the front knows it. */
export type FrontAnswer = 'ok' | 'failed' | 'limited' | 'wrong';

/** Ms after which a client gives up on an answer. */
const patience = 10_000;

/** Plays the episodes to monitors, and writes down the truth: each answer, in its order, by watch. */
export class TruthFront {
  readonly answers = new Map<string, FrontAnswer[]>();
  /** Closed candles that a watch was served otherwise than before. */
  readonly restated = new Map<string, number>();
  readonly month: ScriptedMonth;
  readonly waits: SimulatedWaits;
  foreign = 0;
  readonly #clock: MovedClock;
  readonly #episodes: readonly Episode[];
  /** Starts of the closed candles that a watch was served, by watch. */
  readonly #served = new Map<string, Set<number>>();
  readonly #doubted = new Set<string>();
  readonly #corrected = new Set<string>();

  constructor(clock: MovedClock, episodes: readonly Episode[], month: ScriptedMonth) {
    this.#clock = clock;
    this.#episodes = episodes;
    this.month = month;
    this.waits = new SimulatedWaits(clock);
  }

  /** Seconds of the true time since the play began. */
  get second(): number {
    return (this.#clock.steady() - begin) / 1000;
  }

  /** Spends requests and ends months as the episodes have it; to be called once a second. */
  pass(): void {
    for (const current of this.#episodes.filter((episode) => episode.begin === this.second)) {
      if (current.kind === 'foreign') {
        this.month.used += current.requests;
        this.foreign += current.requests;
      }
      if (current.kind === 'turn') Object.assign(this.month, { used: 0, reset: this.month.reset + 30 * day });
    }
  }

  target(location: string, name: string, key?: WatchedTarget['key']): ScriptedTarget {
    const answer: Script['answer'] = async (_, request) => {
      const watch = watchName(location, name, request.path.startsWith('/v2') ? 'history' : 'tokens');
      const answers = this.answers.get(watch) ?? [];
      this.answers.set(watch, answers);
      const place = answers.push('failed') - 1;
      const [reply, answered] = await this.#reply(watch, name, request);
      answers[place] = answered;
      return reply;
    };
    const date = (): number => this.#clock.steady();
    return scriptedTarget({
      ...{ name, clock: this.#clock, date, answer },
      ...(key && { key, month: this.month }),
    });
  }

  async #reply(watch: string, name: string, request: SendRequest): Promise<[TargetReply, FrontAnswer]> {
    const second = this.second;
    const now = this.#episodes.find(
      (episode) => 'target' in episode && episode.target === name && isDuring(episode, second),
    );
    switch (now?.kind) {
      case 'refuse':
        return [{ status: 503 }, 'failed'];
      case 'limit':
        return [{ status: 429 }, 'limited'];
      case 'wrong':
        return [{ status: 200, body: '[1,]' }, 'wrong'];
      case 'flap':
        // Bad for a minute, good for a minute.
        if (Math.floor((second - now.begin) / 60) % 2 === 0) return [{ status: 503 }, 'failed'];
        break;
      case 'hang':
      case 'lose': {
        const left = (now.begin + now.length - second) * 1000;
        const isAnswered = now.kind === 'hang' && left <= patience;
        await this.waits.pass(isAnswered ? left : patience);
        if (!isAnswered) return [{ failure: 'timeout', phase: 'wait' }, 'failed'];
      }
    }
    return watch.endsWith('/history') ? this.#history(watch, request) : [tokenList, 'ok'];
  }

  #history(watch: string, { path }: SendRequest): [TargetReply, FrontAnswer] {
    const second = this.second;
    const corrected = this.#episodes.find((episode) => episode.kind === 'restate' && episode.begin <= second);
    const isReplaced = this.#episodes.some(
      (episode) => episode.kind === 'replace' && isDuring(episode, second),
    );
    const { body, closed, compared } = servedCandles(path, this.#clock.steady(), {
      isCorrected: corrected !== undefined,
      isReplaced,
    });
    const served = this.#served.get(watch) ?? new Set();
    this.#served.set(watch, served);
    const seen = compared.filter((start) => served.has(start)).length;
    if (isReplaced) {
      if (!this.#doubted.has(watch)) this.#restate(watch, seen);
      this.#doubted.add(watch);
      return [{ status: 200, body }, 'wrong'];
    }
    this.#doubted.delete(watch);
    for (const start of closed) served.add(start);
    if (corrected && !this.#corrected.has(watch)) {
      this.#corrected.add(watch);
      this.#restate(watch, 1);
    }
    return [{ status: 200, body }, 'ok'];
  }

  #restate(watch: string, candles: number): void {
    this.restated.set(watch, (this.restated.get(watch) ?? 0) + candles);
  }
}

const day = 86_400_000;

/** Returns the name of a probe at a location. */
export function watchName(location: string, target: string, probe: string): string {
  return `${location} ${target}/${probe}`;
}
