import { type JudgedRun, runConformance } from '@candleproof/check/run/run';
import { Redaction } from '@candleproof/client/secrets/redaction';
import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { buildRig, type Rig } from '@candleproof/reference-service/testing/rig';
import { generous, noon } from 'candleproof/kill-matrix/stage';
import { describeRig, type Posed, pose, receive } from './memory-client.ts';

/** Answers a request in the service's place; `ask` asks the service, which counts the request then. */
export type Spoil = (request: SendRequest, ask: () => Exchange) => Exchange;

/** Milliseconds from one request to the next. */
const paceMs = 50;

/** A service in memory that is checked without sockets through something that spoils some of its answers. */
export class MemoryService {
  readonly #spec: Spec;
  readonly #rig: Rig = buildRig({ now: noon, days: 30, seed: 3 });

  constructor(spec: Spec) {
    this.#spec = spec;
  }

  /** Checks the service with a key of its own, from the same instant each time. */
  async check(spoil: Spoil, seed = 1): Promise<JudgedRun> {
    const apiKey = this.#rig.store.keys.issue({ monthlyLimit: generous, hardCap: false });
    const redaction = new Redaction();
    redaction.conceal({ credential: 'api-key', text: apiKey });
    this.#rig.now = noon;
    const send = async (request: SendRequest): Promise<Exchange> => {
      this.#rig.now += paceMs;
      const { credential, trialKey } = request;
      if (trialKey !== undefined) redaction.conceal({ credential, text: trialKey });
      const posed = pose(request, apiKey, this.#rig.now);
      return redaction.clean(spoil(request, () => this.#answer(posed)));
    };
    return runConformance({
      ...{ spec: this.#spec, client: { send }, target: describeRig(this.#rig), seed, keys: { apiKey } },
      ...{ pauseMs: 0, patienceMs: 5000, version: 'proof', replay: () => '' },
    });
  }

  #answer(posed: Posed): Exchange {
    return receive(posed, this.#rig.reply(posed.received));
  }
}
