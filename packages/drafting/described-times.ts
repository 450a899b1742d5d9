import { guessUnit } from '@candleproof/document/layout/written-times';
import type { DraftSchema } from './draft-envelope.ts';

/** The unit of a time that a document describes, and the evidence for it; no evidence for an assumption. */
export type DescribedUnit = { readonly unit: 's' | 'ms' | 'iso'; readonly evidence?: string };

/** Reads the unit of a described time from an example, its format, its description and its type, in this order. */
export function readDescribedUnit(tags: DraftSchema, example: string | undefined): DescribedUnit {
  const unit = example === undefined || !/\d{4}/.test(example) ? undefined : guessUnit([example]);
  if (unit !== undefined) {
    const known = unit === 's' || unit === 'ms' ? unit : 'iso';
    return { unit: known, evidence: `as the example ${example}` };
  }
  const { format, description, pattern, type, minimum } = tags;
  if (typeof format === 'string' && /date|time/.test(format))
    return { unit: 'iso', evidence: `by its format ${format}` };
  const text = typeof description === 'string' ? description : '';
  if (/milli-?seconds?|\bms\b|\bmsecs?\b/i.test(text)) return { unit: 'ms', evidence: 'by its description' };
  if (/\bseconds?\b|\bunix\b|\bepoch\b|\bsecs?\b/i.test(text))
    return { unit: 's', evidence: 'by its description' };
  if (/ISO|RFC ?3339|YYYY|date/i.test(text) && !/integer|number/.test(String(type)))
    return { unit: 'iso', evidence: 'by its description' };
  if (Number(minimum) > 1e11) return { unit: 'ms', evidence: 'by its minimum' };
  if (type === 'string' && pattern === undefined) return { unit: 'iso', evidence: 'as it is text' };
  return { unit: 's' };
}
