import type { OperationRole } from '@candleproof/document/spec/roles';
import type { Exchange } from '@candleproof/law/reading/exchange';
import { type Manner, type MannerFactor, usualManner } from '../plan/manner.ts';

/** Factors whose unusual values a front may refuse though they change no meaning. */
const refusable = ['coding', 'agent'] as const satisfies readonly MannerFactor[];

/** Statuses of such a refusal. */
const refusals: readonly number[] = [401, 403, 406];

/** A request as far as its manner may be refused. */
type InManner = { readonly manner?: Manner | undefined; readonly need: { readonly role: OperationRole } };

/** Returns a manner with the usual headers: the address stays the same, so that one answer clears the other. */
export function withUsualHeaders(manner: Manner | undefined): Manner | undefined {
  return manner && { ...manner, coding: usualManner.coding, agent: usualManner.agent };
}

/**
 * Which manners a target has answered and refused. An unusual one that was never answered is no evidence when it is
 * refused: the request is sent again in the usual manner, and if that is answered, later requests have the usual values
 * too.
 */
export class TriedManners {
  readonly #accepted = new Set<string>();
  readonly #refused = new Set<MannerFactor>();

  /** Returns the request without what the target has refused. */
  adapt<Request extends InManner>(planned: Request): Request {
    const { manner } = planned;
    if (!manner || this.#refused.size === 0) return planned;
    const usual = [...this.#refused].map((factor) => [factor, usualManner[factor]]);
    return { ...planned, manner: { ...manner, ...Object.fromEntries(usual) } };
  }

  /** Notes the manner of a request that was answered. */
  note({ manner, need }: InManner, { response }: Exchange): void {
    if (response?.status !== 200) return;
    for (const value of listUnusual(manner)) this.#accepted.add(`${need.role} ${value}`);
  }

  /** Returns whether a request's manner may be the reason of its refusal. */
  mayExplain({ manner, need }: InManner, { response }: Exchange): boolean {
    if (!refusals.includes(response?.status ?? 0)) return false;
    return listUnusual(manner).some((value) => !this.#accepted.has(`${need.role} ${value}`));
  }

  /** Notes how a request was answered in the usual manner that had been refused in this one. */
  settle({ manner = usualManner, need }: InManner, isAnswered: boolean): void {
    for (const factor of refusable) {
      const value = `${need.role} ${factor} ${manner[factor]}`;
      if (manner[factor] === usualManner[factor] || this.#accepted.has(value)) continue;
      if (isAnswered) this.#refused.add(factor);
      else this.#accepted.add(value);
    }
  }
}

function listUnusual(manner = usualManner): string[] {
  return refusable
    .filter((factor) => manner[factor] !== usualManner[factor])
    .map((factor) => `${factor} ${manner[factor]}`);
}
