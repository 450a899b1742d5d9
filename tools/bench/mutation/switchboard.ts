import type { NamedRecording } from '@candleproof/law/worlds/recorded';
import type { InstrumenterContext } from '@stryker-mutator/api/core';

/** The global state in which Stryker's instrumented sources find the active mutant and count coverage. */
export const switches: InstrumenterContext = namespace();

function namespace(): InstrumenterContext {
  const place = globalThis as { __stryker__?: InstrumenterContext };
  place.__stryker__ ??= {};
  return place.__stryker__;
}

/** The rules and questions to evaluate again; undefined for all. */
export type Live = { ids: ReadonlySet<string> | undefined };

export const live: Live = { ids: undefined };

/** Splits the coverage of a test by rule. */
export const between = ' <- ';

export type RuleOutcome = { readonly value: unknown } | { readonly thrown: unknown };

/** Reports of rules and questions about evidence, by id. */
export const seen = new WeakMap<object, Map<string, RuleOutcome>>();

/** The runs of cases. */
export const stages = new WeakMap<object, NamedRecording>();

/** The evidence of the current test. */
export const looked = new Set<object>();
