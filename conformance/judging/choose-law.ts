import {
  type Catalogue,
  choose,
  edition,
  editionCatalogue,
  UnknownEdition,
} from '../../contract/law/catalogue.ts';
import { UsageError } from '../../files/usage-error.ts';

/** Returns the rules of an edition, the current one by default; throws a UsageError for an unknown one. */
export function chooseEdition(pinned: number = edition): Catalogue {
  try {
    return editionCatalogue(pinned);
  } catch (error) {
    if (!(error instanceof UnknownEdition)) throw error;
    throw new UsageError(`--edition: ${error.message}: take one of them, or a newer candleproof`);
  }
}

/** Returns the rules and questions that `only` names, by id or group, in the pinned edition; throws a UsageError. */
export function chooseLaw(only: readonly string[] | undefined, pinned?: number): Catalogue {
  const law = chooseEdition(pinned);
  if (!only) return law;
  const { chosen, unknown } = choose(
    only.flatMap((names) => names.split(',')),
    law,
  );
  if (unknown.length > 0) {
    throw new UsageError(`--only: no rule or group is called "${unknown[0]}": see candleproof rules`);
  }
  return chosen;
}
