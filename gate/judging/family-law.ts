import type { FieldForms } from '../../contract/document/roles.ts';
import {
  expectedClose,
  expectedHighest,
  expectedLowest,
  expectedMeanBounds,
  expectedOpen,
} from '../../contract/law/rollup/family-prices.ts';
import { expectedVolume } from '../../contract/law/rollup/rollup-amounts.ts';
import type { Candle } from '../../contract/reading/candle.ts';
import { type FamilyCandles, makeFamily, withTrade } from '../../contract/relations/families.ts';

/** A row in its place, as a roll-up keeps it. Unix seconds. */
export type PlacedRow = Pick<Candle, 'start' | 'open' | 'high' | 'low' | 'close' | 'avg'> & {
  readonly line: number;
  readonly volumeText: string;
};

/** The rules of a candle and its parts, by the field that each is about. */
const tests = [
  ['rollup/open-is-the-first', 'open', expectedOpen],
  ['rollup/close-is-the-last', 'close', expectedClose],
  ['rollup/high-is-the-highest', 'high', expectedHighest],
  ['rollup/low-is-the-lowest', 'low', expectedLowest],
  ['rollup/volume-is-summed', 'volume', expectedVolume],
  ['rollup/average-is-within-its-parts', 'avg', expectedMeanBounds],
] as const;

export const familyRules = tests.map(([id]) => id);

export type FamilyBreach = { readonly rule: string; readonly detail: string };

/** What a candle and all of its parts, in the order of time, disagree in. */
export function breachesOfFamily(
  parent: PlacedRow,
  children: readonly PlacedRow[],
  lengths: { readonly longer: number; readonly shorter: number },
): FamilyBreach[] {
  const forms = formsOf([parent, ...children]);
  const parts = children.map((each) => candleOf(each, lengths.shorter, forms));
  const hasVolume = children.every((each) => each.volumeText !== '');
  const traded = hasVolume && Number.isNaN(parent.avg) ? withTrade(parts) : parts;
  const family = makeFamily(candleOf(parent, lengths.longer, forms), parts, traded, lengths.shorter);
  return tests.flatMap(([rule, field, test]) => {
    const expected = test(family);
    return expected === undefined
      ? []
      : [{ rule, detail: `${field}: ${expected} was expected, ${actual(family, field)} is there` }];
  });
}

function actual({ parent }: FamilyCandles, field: (typeof tests)[number][1]): string {
  return field === 'volume' ? String(parent.record.volume) : String(parent[field]);
}

function candleOf({ line, volumeText, ...row }: PlacedRow, length: number, forms: FieldForms): Candle {
  const volume = forms.volume === 'text' ? volumeText : Number(volumeText || Number.NaN);
  return {
    ...row,
    row: line,
    record: { volume },
    reading: { fields: { volume: 'volume' }, forms, length },
    end: row.start + length,
    volume,
    ...{ pool: undefined, liquidity: undefined, 'volume-usd': undefined, 'liquidity-usd': undefined },
  };
}

/**
 * Decimal text adds up exactly; what a program of doubles wrote, such as 0.30000000000000004 or 1e-7, does so within
 * what adding doubles loses.
 */
function formsOf(rows: readonly PlacedRow[]): FieldForms {
  return rows.some(({ volumeText }) => isOfDouble(volumeText)) ? {} : { volume: 'text' };
}

function isOfDouble(text: string): boolean {
  if (/e/i.test(text)) return true;
  const digits = text.replace(/^0\.0*|\./, '').length;
  return text.includes('.') && digits >= 15 && digits <= 17;
}
