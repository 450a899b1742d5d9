import type { InstrumenterContext } from '@stryker-mutator/api/core';
import type { NamedRecording } from '../../contract/worlds/recorded.ts';

/** Where Stryker's instrumented sources look up which mutant is active, and count what they pass. */
export const switches: InstrumenterContext = namespace();

function namespace(): InstrumenterContext {
  const place = globalThis as { __stryker__?: InstrumenterContext };
  place.__stryker__ ??= {};
  return place.__stryker__;
}

/** The rules and questions that have to be evaluated again; the others keep what they saw. Undefined: all of them. */
export type Live = { ids: ReadonlySet<string> | undefined };

export const live: Live = { ids: undefined };

/** Divides the coverage of a test by the rule that was at work. */
export const between = ' <- ';

export type RuleOutcome = { readonly value: unknown } | { readonly thrown: unknown };

/** What the rules and questions reported of the evidence, by their ids. */
export const seen = new WeakMap<object, Map<string, RuleOutcome>>();

/** The runs of cases. */
export const stages = new WeakMap<object, NamedRecording>();

/** The evidence that the present test has looked at. */
export const looked = new Set<object>();
