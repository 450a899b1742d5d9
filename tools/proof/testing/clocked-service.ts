import { type JudgedRun, runConformance } from '@candleproof/check/run/run';
import { Redaction } from '@candleproof/client/secrets/redaction';
import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Exchange } from '@candleproof/law/reading/exchange';
import type { Distortion } from '@candleproof/reference-service/api/distortion';
import { buildRig, type Rig, type RigOptions } from '@candleproof/reference-service/testing/rig';
import { generous } from 'candleproof/kill-matrix/stage';
import { describeRig, pose, receive } from './memory-client.ts';

/** One check of a service whose clock is set. */
export type ClockedCheck = {
  /** Unix milliseconds at which the check begins. */
  readonly at: number;
  readonly distortions?: readonly Distortion[];
  /** Milliseconds that each answer takes on its way, by the service's clock. */
  readonly latency?: number;
  readonly seed?: number;
  /** The target's declaration of quiet intervals. */
  readonly gaps?: 'idle' | undefined;
};

/** Milliseconds between an answer and the next request. */
const betweenMs = 2;

/** A service in memory that is checked as `check` does it, at any minute, by a clock that only requests move. */
export class ClockedService {
  readonly #spec: Spec;
  readonly #rig: Rig;

  /** `begin` (Unix ms) is the time of the earliest check. */
  constructor(spec: Spec, begin: number, choices: RigOptions['choices'] = {}, days = 30) {
    this.#spec = spec;
    this.#rig = buildRig({ now: begin, days, seed: 3, choices });
  }

  async check({ at, distortions = [], latency = 0, seed = 1, gaps }: ClockedCheck): Promise<JudgedRun> {
    const rig = this.#rig;
    const apiKey = rig.store.keys.issue({ monthlyLimit: generous, hardCap: false });
    rig.now = at;
    rig.distortions = distortions;
    try {
      return await runConformance({
        ...{ spec: this.#spec, client: this.#openClient(apiKey, latency), seed },
        target: { ...describeRig(this.#rig), ...(gaps && { gaps }) },
        keys: { apiKey },
        ...{ pauseMs: 0, patienceMs: 5000, version: 'proof', replay: (rule) => rule },
      });
    } finally {
      rig.distortions = [];
    }
  }

  #openClient(apiKey: string, latency: number): { send(request: SendRequest): Promise<Exchange> } {
    const rig = this.#rig;
    const redaction = new Redaction();
    redaction.conceal({ credential: 'api-key', text: apiKey });
    let allAnswered = rig.now;
    return {
      send: async (request) => {
        const { credential, trialKey, unpaced = false } = request;
        if (trialKey !== undefined) redaction.conceal({ credential, text: trialKey });
        const sent = unpaced ? rig.now + 1 : Math.max(rig.now, allAnswered) + betweenMs;
        const posed = pose(request, apiKey, sent + latency / 2);
        rig.now = posed.received.now;
        const exchange = receive(posed, rig.reply(posed.received));
        const total = (exchange.timings.total ?? 0) + latency;
        allAnswered = Math.max(allAnswered, sent + total);
        // Requests that are sent together leave one after the other, whenever they are answered.
        rig.now = unpaced ? sent : sent + total;
        return redaction.clean({ ...exchange, startedAt: new Date(sent).toISOString(), timings: { total } });
      },
    };
  }
}
