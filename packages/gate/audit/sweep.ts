import { BudgetedSender } from '@candleproof/check/run/budgeted-sender';
import {
  describeTrouble,
  isTurnedAway,
  isUnconnected,
  mayPass,
  type SendTerms,
} from '@candleproof/check/run/sending';
import { listPools, requireOperation } from '@candleproof/document/spec/operation';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Exchange, Recording } from '@candleproof/law/reading/exchange';
import { type Answer, isCandleAnswer, readExchange } from '@candleproof/law/reading/reading';
import { type Conventions, observeConventions } from '@candleproof/law/relations/conventions';
import { type AuditPart, type AuditRange, partPath, wholeParts } from './part.ts';
import { listUndivided, nextPart, type Undivided } from './undivided.ts';

/** The target's pools with a history are those that are swept; `now` in Unix seconds. */
export type SweepOptions = SendTerms & { readonly range: AuditRange; readonly now: number };

export type Sweep = {
  readonly recording: Recording;
  readonly undivided: readonly Undivided[];
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
  const reader = new PartReader(options);
  let trouble: string | undefined;
  let part = nextPart(wholes, reader);
  while (part && trouble === undefined && reader.left > 0) {
    trouble = await reader.request(part);
    part = nextPart(wholes, reader);
  }
  const undivided = wholes.map((whole) => listUndivided(whole, reader));
  return {
    recording: reader.recording(),
    undivided: undivided.flat(),
    divided: wholes.filter((_, at) => (undivided[at]?.length ?? 0) > 1),
    trouble,
    more: async (parts) => {
      let end = trouble;
      for (const auditPart of parts) {
        if (end !== undefined || reader.left <= 0) break;
        end = await reader.request(auditPart);
      }
      return reader.recording();
    },
  };
}

/** Requests parts of the past, and reads each answer once. */
class PartReader {
  readonly #options: SweepOptions;
  readonly #sender: BudgetedSender;
  readonly #answers = new Map<string, Answer>();
  conventions: Conventions = observeConventions([]);

  constructor(options: SweepOptions) {
    this.#options = options;
    this.#sender = new BudgetedSender(options);
  }

  get left(): number {
    return this.#sender.left;
  }

  get spec(): Spec {
    return this.#options.spec;
  }

  answerTo = (part: AuditPart): Answer | undefined => this.#answers.get(partPath(this.#options.spec, part));

  recording(): Recording {
    return { target: this.#options.target, seed: 0, exchanges: [...this.#sender.exchanges] };
  }

  /** Requests a part, again if the first attempt fails on the way. Returns why further requests are futile, if so. */
  async request(part: AuditPart): Promise<string | undefined> {
    const { spec, target, hasKey } = this.#options;
    const { exchanges } = this.#sender;
    const path = partPath(spec, part);
    const credential = hasKey ? 'api-key' : 'none';
    await this.#sender.sendUntil({ path, credential }, 2, (exchange) => {
      this.#answers.set(path, readExchange(spec, target, exchange, exchanges.length - 1));
      return !mayPass(exchange);
    });
    this.conventions = observeConventions([...this.#answers.values()].filter(isCandleAnswer));
    const last = exchanges.at(-1);
    return last && !this.#sender.isCutShort && isFinal(last)
      ? describeTrouble(last)
      : this.#sender.whyCutInWords;
  }
}

/** Returns whether all further requests would fail too: an unreachable target, a refused key or a spent quota. */
function isFinal(exchange: Exchange): boolean {
  return isTurnedAway(exchange) || exchange.failure?.kind === 'certificate' || isUnconnected(exchange);
}
