import { UsageError } from '../files/usage-error.ts';
import { type Expectation, expectationHint, readExpectation } from './judging/expectation.ts';
import { scenarios } from './scenarios/catalogue.ts';
import type { ClientScenario } from './scenarios/scenario.ts';

/** Returns the scenarios of these ids in the order of the catalogue, all of them by default. Throws a UsageError. */
export function chooseScenarios(ids: readonly string[]): readonly ClientScenario[] {
  const unknown = ids.find((id) => !scenarios.some((scenario) => scenario.id === id));
  if (unknown !== undefined) {
    const known = scenarios.map(({ id }) => id).join(', ');
    throw new UsageError(`--scenario: there is no "${unknown}": take ${known}`);
  }
  return ids.length === 0 ? scenarios : scenarios.filter(({ id }) => ids.includes(id));
}

/** Reads expectations, each about a scenario that is played. Throws a UsageError. */
export function readExpectations(
  texts: readonly string[],
  played: readonly ClientScenario[],
): readonly Expectation[] {
  return texts.map((text) => {
    const expectation = readExpectation(text);
    if (!expectation) throw new UsageError(`--expect: "${text}" is none: ${expectationHint}`);
    const { scenario } = expectation;
    if (scenario !== undefined && !played.some(({ id }) => id === scenario))
      throw new UsageError(`--expect: the scenario "${scenario}" is not played: name it with --scenario too`);
    return expectation;
  });
}
