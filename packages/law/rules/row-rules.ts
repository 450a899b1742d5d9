import { candleRules } from './candle/candle.ts';
import { historyRules } from './history/history.ts';
import { rollUpRules } from './rollup/rollup.ts';

/**
 * The rules that rows of a file can break; the others ask for answers. Apart from the catalogue, whose other rules take ten
 * megabytes of a gate.
 */
export const rowRules = [...candleRules, ...historyRules, ...rollUpRules];
