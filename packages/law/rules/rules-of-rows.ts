import { candleRules } from './candle/candle.ts';
import { historyRules } from './history/history.ts';
import { rollUpRules } from './rollup/rollup.ts';
import type { Rule } from './rule.ts';

/**
 * The rules that rows can break wherever they lie: alone, beside their neighbours, or beside rows of another interval. The
 * others ask for answers, and who judges a file need not load them.
 */
export const rulesOfRows: readonly Rule[] = [...candleRules, ...historyRules, ...rollUpRules];
