import type { Examined } from '@candleproof/law/judge/judge';
import type { LightProbe } from '../plan/definition.ts';
import { type JudgedMusts, judgedMustsName } from '../results/known-states.ts';
import type { Json } from '../results/results-store.ts';
import type { Watch } from './watch.ts';

/**
 * Returns the state that lists the musts which this probe judges, if this run adds one. Reports of correctness need the
 * list, because rules without evidence can break unnoticed.
 */
export async function notedMusts(
  { appliedRules }: Pick<Examined, 'appliedRules'>,
  { target, name: probe }: Pick<LightProbe, 'target' | 'name'>,
  { store, definition }: Pick<Watch, 'store' | 'definition'>,
): Promise<Readonly<Record<string, Json>>> {
  const musts = appliedRules.filter(({ rule }) => rule.level === 'must');
  const judged = musts.filter((must) => must.judged.size > 0).map(({ rule }) => rule.id);
  const name = judgedMustsName({ location: definition.location, target, probe });
  const kept = (await store.state(name)) as JudgedMusts | undefined;
  const ids = new Set(musts.map(({ rule }) => rule.id));
  const known = kept?.of === ids.size ? kept.musts.filter((id) => ids.has(id)) : [];
  if (kept?.of === ids.size && judged.every((id) => known.includes(id))) return {};
  return { [name]: { of: ids.size, musts: [...new Set([...known, ...judged])].toSorted() } };
}
