import {
  type Script,
  type ScriptedTarget,
  scriptedTarget,
  type TargetReply,
  tokenList,
} from './scripted-target.ts';
import { SimulatedWaits } from './simulated-waits.ts';
import type { MovedClock } from './watched-service.ts';

/** What happens from a second of the true time on, for so many seconds; `by` of a clock that is set and set back. */
export type Episode = {
  readonly begin: number;
  readonly length: number;
} & (
  | { readonly kind: 'refuse' | 'hang' | 'lose' | 'flap' | 'limit'; readonly target: string }
  | { readonly kind: 'stop' | 'restart' }
  | { readonly kind: 'clock'; readonly by: number }
);

/** What a request was answered, as the front knows it. */
export type Said = 'ok' | 'failed' | 'limited';

/** After so many ms a client gives an answer up. */
const patience = 10_000;

/** Plays the episodes to a monitor, and writes down what was true: each answer, in its order, by target. */
export class TruthFront {
  readonly said = new Map<string, Said[]>();
  readonly waits: SimulatedWaits;
  readonly #clock: MovedClock;
  readonly #begun: number;
  readonly #episodes: readonly Episode[];

  constructor(clock: MovedClock, episodes: readonly Episode[]) {
    this.#clock = clock;
    this.#begun = clock.steady();
    this.#episodes = episodes;
    this.waits = new SimulatedWaits(clock);
  }

  target(name: string): ScriptedTarget {
    const said = this.said.get(name) ?? [];
    this.said.set(name, said);
    const answer: Script['answer'] = async () => {
      const place = said.push('failed') - 1;
      const reply = await this.#reply(name);
      if ('status' in reply)
        said[place] = reply.status === 200 ? 'ok' : reply.status === 429 ? 'limited' : 'failed';
      return reply;
    };
    return scriptedTarget({ name, clock: this.#clock, date: this.#clock.steady, answer });
  }

  async #reply(name: string): Promise<TargetReply> {
    const second = (this.#clock.steady() - this.#begun) / 1000;
    const now = this.#episodes.find(
      (each) =>
        'target' in each && each.target === name && second >= each.begin && second < each.begin + each.length,
    );
    switch (now?.kind) {
      case 'refuse':
        return { status: 503 };
      case 'limit':
        return { status: 429 };
      case 'flap':
        // Bad for a minute, good for a minute.
        return Math.floor((second - now.begin) / 60) % 2 === 0 ? { status: 503 } : tokenList;
      case 'hang':
      case 'lose': {
        const left = (now.begin + now.length - second) * 1000;
        const isAnswered = now.kind === 'hang' && left <= patience;
        await this.waits.pass(isAnswered ? left : patience);
        return isAnswered ? tokenList : { failure: 'timeout', phase: 'wait' };
      }
      default:
        return tokenList;
    }
  }
}
