import { runConformance } from '@candleproof/check/run/run';
import { Redaction, type Redactor } from '@candleproof/client/secrets/redaction';
import type { SendRequest } from '@candleproof/client/send/request-lines';
import type { Spec } from '@candleproof/document/spec/spec';
import { type Judged, judge } from '@candleproof/law/judge/judge';
import type { Exchange, TargetFacts } from '@candleproof/law/reading/exchange';
import { Readings } from '@candleproof/law/reading/reading';
import type { Distortion } from '@candleproof/reference-service/api/distortion';
import type { Reply } from '@candleproof/reference-service/api/message';
import { buildRig, type Rig, type RigOptions } from '@candleproof/reference-service/testing/rig';
import { generous, noon, type Scenery } from 'candleproof/kill-matrix/stage';
import { describeRig, type Posed, pose, receive } from './memory-client.ts';

/** Checks of a healthy service, recorded once, whose requests a faulty one is then sent too. */
export type RecordedChecks = {
  readonly healthy: Judged;
  /** Judges the answers to the same requests with these distortions. */
  judgeWith(distortions: readonly Distortion[]): Judged;
  /** Judges the same answers as something in front of the service changes them, one after the other. */
  judgeBehind(front: (exchange: Exchange) => Exchange): Judged;
};

type Recorded = { readonly posed: Posed; readonly answered: string; readonly exchange: Exchange };

/** Longer than an answer is delayed by a fault of parallel requests, so that only those are parallel. */
const paceMs = 50;

/** Enough for all that the rules need, and for all trials of keys. */
const budget = 400;

/** A service in memory that is checked without sockets. */
export class MemoryStage {
  readonly #spec: Spec;
  readonly #rig: Rig;

  constructor(spec: Spec, choices: RigOptions['choices'] = {}) {
    this.#spec = spec;
    this.#rig = buildRig({ now: noon, days: 30, seed: 3, choices });
  }

  /** Records the checks of a scene with all trials of keys, perhaps through something in front of the service. */
  async record(
    { instants, limit = generous, hasOtherKey = false }: Scenery,
    seed = 1,
    front = (exchange: Exchange) => exchange,
  ): Promise<RecordedChecks> {
    const apiKey = this.#issueKey(limit);
    const otherKey = hasOtherKey ? this.#issueKey(generous) : undefined;
    const redaction = new Redaction();
    redaction.conceal({ credential: 'api-key', text: apiKey });
    const all: Recorded[] = [];
    const send = async (request: SendRequest): Promise<Exchange> => {
      this.#rig.now += request.unpaced ? 1 : paceMs;
      const { credential, trialKey } = request;
      if (trialKey !== undefined) redaction.conceal({ credential, text: trialKey });
      const posed = pose(request, apiKey, this.#rig.now);
      const reply = this.#rig.reply(posed.received);
      const exchange = front(redaction.clean(receive(posed, reply)));
      all.push({ posed, exchange, answered: formatReply(reply) });
      return exchange;
    };
    const { target } = this;
    for (const instant of instants) {
      this.#rig.now = instant;
      await runConformance({
        ...{ spec: this.#spec, client: { send }, target, seed, budget, thorough: true },
        keys: { apiKey, ...(otherKey !== undefined && { otherKey }) },
        ...{ pauseMs: 0, patienceMs: 5000, version: 'proof', replay: () => '' },
      });
    }
    const readings = new Readings();
    const judgeAll = (exchanges: readonly Exchange[]): Judged =>
      judge(this.#spec, { target, seed, exchanges }, { replay: () => '', readings });
    return {
      healthy: judgeAll(all.map(({ exchange }) => exchange)),
      judgeWith: (distortions) => {
        for (const key of [apiKey, otherKey]) this.#forgetUse(key);
        return judgeAll(this.#replay(all, distortions, (exchange) => redaction.clean(exchange)));
      },
      judgeBehind: (front) => judgeAll(all.map(({ exchange }) => front(exchange))),
    };
  }

  /** Sends the requests again, and twice more those without a whole answer. */
  #replay(all: readonly Recorded[], distortions: readonly Distortion[], clean: Redactor): Exchange[] {
    this.#rig.distortions = distortions;
    const exchanges = all.map(({ posed, answered, exchange }) => {
      this.#rig.now = posed.received.now;
      const reply = this.#rig.reply(posed.received);
      return formatReply(reply) === answered ? exchange : clean(receive(posed, reply));
    });
    const broken = all.flatMap(({ posed }, at) => (exchanges[at]?.failure ? [posed, posed] : []));
    const again = broken.map((posed) => clean(receive(posed, this.#rig.reply(posed.received))));
    this.#rig.distortions = [];
    return [...exchanges, ...again];
  }

  #issueKey(monthlyLimit: number): string {
    return this.#rig.store.keys.issue({ monthlyLimit, hardCap: false });
  }

  #forgetUse(key: string | undefined): void {
    const found = key === undefined ? undefined : this.#rig.store.keys.find(key);
    if (found) for (const month of ['2026-03', '2026-04']) this.#rig.store.usage.set(found.key, month, 0);
  }

  get target(): TargetFacts {
    return describeRig(this.#rig);
  }
}

/** Formats a reply without the id of its request, which differs each time and which refusals repeat. */
function formatReply({ status, headers, body, delivery }: Reply): string {
  const lines = headers.filter(([name]) => name !== 'X-Request-Id');
  const text = status >= 400 ? String(body).replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'id') : body;
  return `${JSON.stringify([status, lines, delivery])}\n${text}`;
}
