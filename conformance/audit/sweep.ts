import { listPools, requireOperation } from '../../contract/document/operation.ts';
import type { Spec } from '../../contract/document/spec.ts';
import type { Exchange, Recording } from '../../contract/reading/exchange.ts';
import { type Answer, isCandleAnswer, readExchange } from '../../contract/reading/reading.ts';
import { type Conventions, observeConventions } from '../../contract/relations/conventions.ts';
import {
  describeTrouble,
  formatStop,
  isRefusal,
  isUnconnected,
  pause,
  type SendTerms,
  sendUnlessStopped,
} from '../run/sending.ts';
import { type Leaf, listLeaves, nextPart } from './leaves.ts';
import { type AuditPart, type AuditRange, partPath, wholeParts } from './part.ts';

/** The target's pools with a history are those that are swept; `now` in Unix seconds. */
export type SweepOptions = SendTerms & { readonly range: AuditRange; readonly now: number };

export type Sweep = {
  readonly recording: Recording;
  readonly leaves: readonly Leaf[];
  /** Whole ranges that the target did not give in one answer. */
  readonly divided: readonly AuditPart[];
  /** Why nothing more was requested. */
  readonly trouble?: string;
  /** Asks for these parts as well, as far as the budget goes; everything that was sent. */
  readonly more: (parts: readonly AuditPart[]) => Promise<Recording>;
};

/** Requests each pool's history in as few requests as the target allows: the whole range first, then the rest. */
export async function sweep(options: SweepOptions): Promise<Sweep> {
  const { spec, target, range, now } = options;
  const wholes = wholeParts(spec, listPools(target, requireOperation(spec, 'history')), range, now);
  const sender = new Sender(options);
  let trouble: string | undefined;
  let part = nextPart(wholes, sender);
  while (part && trouble === undefined && sender.left > 0) {
    trouble = await sender.ask(part);
    part = nextPart(wholes, sender);
  }
  const leaves = wholes.map((whole) => listLeaves(whole, sender));
  return {
    recording: sender.recording(),
    leaves: leaves.flat(),
    divided: wholes.filter((_, at) => (leaves[at]?.length ?? 0) > 1),
    trouble,
    more: async (parts) => {
      let end = trouble;
      for (const auditPart of parts) {
        if (end !== undefined || sender.left <= 0) break;
        end = await sender.ask(auditPart);
      }
      return sender.recording();
    },
  };
}

/** Sends the requests of a sweep, and reads each answer once. */
class Sender {
  readonly #options: SweepOptions;
  readonly #exchanges: Exchange[] = [];
  readonly #answers = new Map<string, Answer>();
  conventions: Conventions = observeConventions([]);

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  get left(): number {
    return this.#options.budget - this.#exchanges.length;
  }

  get spec(): Spec {
    return this.#options.spec;
  }

  answerTo = (part: AuditPart): Answer | undefined => this.#answers.get(partPath(this.#options.spec, part));

  recording(): Recording {
    return { target: this.#options.target, seed: 0, exchanges: [...this.#exchanges] };
  }

  /** Requests a part, again if the first attempt fails on the way. Returns why further requests are futile, if so. */
  async ask(part: AuditPart): Promise<string | undefined> {
    const { pauseMs, stop } = this.#options;
    let exchange = await this.#send(part, false);
    if (exchange && mayPass(exchange) && this.left > 0) {
      await pause(pauseMs, stop);
      exchange = await this.#send(part, true);
    }
    if (!exchange) return formatStop(stop, this.#exchanges.length);
    this.conventions = observeConventions([...this.#answers.values()].filter(isCandleAnswer));
    return isFinal(exchange) ? describeTrouble(exchange) : undefined;
  }

  async #send(part: AuditPart, freshConnection: boolean): Promise<Exchange | undefined> {
    const { spec, target, client, hasKey, onProgress, stop } = this.#options;
    const path = partPath(spec, part);
    const credential = hasKey ? 'api-key' : 'none';
    const exchange = await sendUnlessStopped(client, { path, credential, freshConnection }, stop);
    if (!exchange) return undefined;
    this.#answers.set(path, readExchange(spec, target, exchange, this.#exchanges.length));
    this.#exchanges.push(exchange);
    onProgress?.(this.#exchanges.length);
    return exchange;
  }
}

/** It may be gone a moment later. */
function mayPass({ response, failure }: Exchange): boolean {
  if (failure) return failure.kind !== 'too-large' && failure.kind !== 'certificate';
  return (response?.status ?? 0) >= 500;
}

/** Returns whether all further requests would fail too: an unreachable target, a refused key or a spent quota. */
function isFinal(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0;
  if (exchange.failure) return exchange.failure.kind === 'certificate' || isUnconnected(exchange);
  return status === 429 || isRefusal(status);
}
