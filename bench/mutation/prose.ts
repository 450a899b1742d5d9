import type { Ignorer } from '@stryker-mutator/api/ignore';

/** What a rule says of itself, which docs/rules.md pins word by word: a mutant of it shows nothing of the judge. */
const prose = new Set(['statement', 'why', 'exactly', 'unspoken', 'restsOn', 'section', 'level']);

type Property = { readonly node?: { readonly type?: string; readonly key?: { readonly name?: string } } };

export const proseIgnorer: Ignorer = {
  shouldIgnore(path) {
    const { node } = path as Property;
    const isProse = node?.type === 'ObjectProperty' && prose.has(node.key?.name ?? '');
    return isProse ? 'what a rule says of itself' : undefined;
  },
};
