import { UsageError } from '@candleproof/files/usage-error';
import { type Catalogue, catalogue, choose } from '@candleproof/law/rules/catalogue';

/** Returns the rules and questions that `only` names, by id or group, or all of them; throws a UsageError. */
export function chooseLaw(only: readonly string[] | undefined): Catalogue {
  if (!only) return catalogue;
  const { chosen, unknown } = choose(only.flatMap((names) => names.split(',')));
  if (unknown.length > 0) {
    throw new UsageError(`--only: no rule or group is called "${unknown[0]}": see candleproof rules`);
  }
  return chosen;
}
