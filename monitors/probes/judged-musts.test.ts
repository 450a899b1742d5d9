import { loadSpec } from '@candleproof/document/spec/load-spec';
import { type Examined, examine } from '@candleproof/law/judge/judge';
import { expect, test } from '@playwright/test';
import { judgedMustsName } from '../results/known-states.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { makeDefinition, tokensProbe } from '../testing/watching.ts';
import { notedMusts } from './judged-musts.ts';

const spec = loadSpec('openapi.yaml');
const probe = tokensProbe('mainnet');
const definition = makeDefinition([probe]);
const name = judgedMustsName({ location: 'here', target: 'mainnet', probe: 'tokens' });
const target = { name: 'mainnet', baseUrl: 'https://api.example', pools: {}, keyless: true, soleUser: true };
const nothing = examine(spec, { target, seed: 0, exchanges: [] }, { replay: () => '' });

/** As if every answer had been evidence for these rules. */
function seen(...rules: readonly string[]): Pick<Examined, 'appliedRules'> {
  const judged = new Set([{}]) as unknown as Examined['appliedRules'][number]['judged'];
  return {
    appliedRules: nothing.appliedRules.map((appliedRule) =>
      rules.includes(appliedRule.rule.id) ? { ...appliedRule, judged } : appliedRule,
    ),
  };
}

test('a probe notes the musts that its answers were evidence for, and writes only what is new', async () => {
  const store = memoryStore();
  const musts = nothing.appliedRules.filter(({ rule }) => rule.level === 'must').map(({ rule }) => rule.id);
  const [one = '', other = ''] = musts;
  const should = nothing.appliedRules.find(({ rule }) => rule.level === 'should')?.rule.id ?? '';
  const note = async (...rules: string[]) => {
    const states = await notedMusts(seen(...rules), probe, { store, definition });
    await store.record({ states });
    return states;
  };
  expect(await note(one, should)).toEqual({ [name]: { musts: [one], of: musts.length } });
  expect(await note(one)).toEqual({});
  await note(other);
  expect(await store.state(name)).toEqual({ musts: [one, other].toSorted(), of: musts.length });
  await store.record({ states: { [name]: { musts: [one], of: 3 } } });
  await note(other);
  expect(await store.state(name)).toEqual({ musts: [other], of: musts.length });
});
