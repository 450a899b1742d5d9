import type { Fault } from './fault.ts';

const FIRST = 1;

export const poolFaults: readonly Fault[] = [
  {
    id: 'pool-is-ignored',
    number: 'F58',
    class: 'pool',
    title: 'whichever pool is requested, pool 1 is served',
    breaks: ['candle/pool-is-as-asked'],
    shows: 'one check',
    make: () => ({ question: (question) => ({ ...question, poolId: FIRST }) }),
  },
  {
    id: 'pool-is-pretended',
    number: 'F59',
    class: 'pool',
    title: 'whichever pool is requested, the data of pool 1 is served under its number',
    breaks: ['history/pools-differ'],
    shows: 'one check',
    make: () => ({
      question: (question) => ({ ...question, poolId: FIRST }),
      candle: (candle, { question }) => ({ ...candle, poolId: question?.poolId ?? candle.poolId }),
    }),
  },
];
