import { expect, test } from '@playwright/test';
import { catalogue } from './catalogue.ts';
import { detours, errorCases, nearMisses, otherPlaces, strayPaths } from './error-cases.ts';

/** Requests that a run of this rule alone sends to see them refused; those of a thorough run say so. */
const refused: Readonly<Record<string, readonly string[]>> = {
  'transport/error-body-is-as-labelled': ['from-left-out', 'pool-unknown'],
  'transport/same-tag-same-body': ['not-modified'],
  'transport/unknown-tag-gets-the-data': ['tag-unknown'],
  'authentication/refusals-hold-no-data': nearMisses,
  'authentication/wrong-keys-are-refused': nearMisses,
  'authentication/key-only-in-its-header': otherPlaces,
  'authentication/no-way-around-the-key': [...detours, ...strayPaths],
  'authentication/header-name-in-any-case': ['header-in-capitals, thorough'],
  'authentication/no-answer-tells-the-key': [...nearMisses, ...otherPlaces],
  'errors/no-server-error': [...errorCases, ...nearMisses],
  'errors/no-rows-without-an-interval': [
    'interval-unknown',
    'interval-left-out',
    'interval-lower-case',
    'interval-cut-short',
  ],
  'errors/unknown-pool-has-no-candles': [
    'pool-unknown',
    'pool-beyond-32-bits',
    'pool-with-fraction',
    'pool-as-text',
    'pool-negative',
    'pool-unknown',
  ],
  'errors/reversed-range-has-no-candles': ['from-after-to'],
  'quota/headers-on-every-answer': ['from-left-out', 'pool-unknown'],
  'quota/gateways-carry-the-headers': ['from-left-out', 'pool-unknown'],
  'quota/never-runs-backwards': ['from-left-out', 'pool-unknown'],
  'quota/remaining-is-within-limit': ['from-left-out', 'pool-unknown'],
  'quota/additional-only-beyond-limit': ['from-left-out', 'pool-unknown'],
  'quota/limit-is-constant': ['from-left-out', 'pool-unknown'],
  'quota/reset-is-in-milliseconds': ['from-left-out', 'pool-unknown'],
  'quota/keys-are-counted-apart': ['other-key'],
  'quota/refusals-show-no-account': nearMisses,
};

test('a rule sends no other faulty request and no other wrong key than it looks at', () => {
  const sent = catalogue.rules.map(({ id, needs }): [string, string[]] => [
    id,
    needs.flatMap(({ errorCase, trial, thoroughly }) => {
      const name = errorCase ?? trial;
      return name ? [`${name}${thoroughly ? ', thorough' : ''}`] : [];
    }),
  ]);
  expect(Object.fromEntries(sent.filter(([, names]) => names.length > 0))).toEqual(refused);
});
