import type { Ignorer } from '@stryker-mutator/api/ignore';

/** The texts of rules, which docs/rules.md pins: their mutants show nothing about the judge. */
const prose = new Set(['statement', 'why', 'exactly', 'unspoken', 'restsOn', 'section', 'level']);

type Property = { readonly node?: { readonly type?: string; readonly key?: { readonly name?: string } } };

export const proseIgnorer: Ignorer = {
  shouldIgnore(path) {
    const { node } = path as Property;
    const isProse = node?.type === 'ObjectProperty' && prose.has(node.key?.name ?? '');
    return isProse ? 'what a rule says of itself' : undefined;
  },
};
