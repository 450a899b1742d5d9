/** A rule of must or should that no fault here makes speak, and why none can. */
export type UnspokenRule = { readonly rule: string; readonly reason: string };

/** What is proven by tests of the rule alone, for anyone who reads a report. */
export const UNSPOKEN: readonly UnspokenRule[] = [
  {
    rule: 'transport/length-agrees',
    reason:
      'Over a connection a wrong length is a broken answer, which other rules report; it speaks of recordings.',
  },
  {
    rule: 'transport/date-is-the-time',
    reason:
      'It measures by the clock of the machine, beside which the service of the proof stands at another day.',
  },
  {
    rule: 'authentication/header-name-in-any-case',
    reason:
      'Node folds the names of headers before the service sees them; the request in capitals is one of a thorough run.',
  },
];
