import { describeInterval, intervalName } from '@candleproof/document/spec/interval';
import type { CandleRole } from '@candleproof/document/spec/roles';
import type { Spec } from '@candleproof/document/spec/spec';
import type { Candle } from '../reading/candle.ts';
import { capitalize, joinNames } from '../reading/words.ts';
import type { ComparedField, PartComparison } from './comparisons.ts';
import type { WrongPart } from './scopes.ts';
import type { Transformation } from './transformations.ts';

/** Begins a sentence with a capital, unless its first word is a name in camel case or of a header. */
export function begin(sentence: string): string {
  return /^[a-z]+[,. ]/.test(sentence) ? capitalize(sentence) : sentence;
}

/** Ends a sentence with the place or occasion of a defect, unless nothing sets it apart. */
export function addPlace(sentence: string, place: string): string {
  return place === '' ? sentence : `${sentence}, ${place}`;
}

/** Names an interval as its document does, or by its length where that is a bare number. */
export function nameInterval({ intervals }: Spec, length: number): string {
  return describeInterval(intervalName(intervals, length), length);
}

/** Fields of one part that were transformed alike. */
export type ExplainedFields = {
  readonly fields: readonly ComparedField[];
  readonly scope: WrongPart;
  readonly transformation: Transformation;
  readonly occasion: string;
  /** A candle of the part, for the names of its fields. */
  readonly candle: Candle;
  /** The source of the expected values: `parts` or the other side. */
  readonly relation: PartComparison['relation'];
};

/** Words an explanation: `Volume of DAY candles is 2 times what other intervals show`. */
export function wordExplanation(
  { fields, scope, transformation, occasion, candle, relation }: ExplainedFields,
  spec: Spec,
): string {
  const name = (field: ComparedField): string => nameField(candle, field);
  const named = joinNames(fields.map(name));
  const [be, exchanged] = fields.length > 1 ? ['are', isExchange(fields, transformation)] : ['is', false];
  const effect = exchanged ? 'are exchanged' : wordEffect(transformation, be, name, relation);
  return addPlace(begin(`${named} of ${nameScope(scope, spec)} ${effect}`), occasion);
}

/** Words a field that holds something else: `avg of inverted candles is the open`. */
export function wordFormula(fields: readonly string[], scope: WrongPart, value: string, spec: Spec): string {
  return begin(
    `${joinNames(fields)} of ${nameScope(scope, spec)} ${fields.length > 1 ? 'are' : 'is'} ${value}`,
  );
}

/** Names a field as the document does, or by its role where it has but a place in its row or a letter. */
export function nameField({ reading }: Pick<Candle, 'reading'>, field: CandleRole): string {
  const name = reading.fields[field] ?? field;
  return /^\d*$|^.$/.test(name) ? field : name;
}

/** Two fields of which each has the place of the other. */
function isExchange(fields: readonly ComparedField[], transformation: Transformation): boolean {
  return fields.length === 2 && transformation.kind === 'column' && fields.includes(transformation.column);
}

/** `inverted HOUR candles`; `inverted candles` for those of all intervals. */
function nameScope({ length, inverted, isOfLatest }: WrongPart, spec: Spec): string {
  const latest = isOfLatest ? 'latest ' : '';
  const side = inverted === undefined ? '' : inverted ? 'inverted ' : 'plain ';
  return `${latest}${side}${length === undefined ? '' : `${nameInterval(spec, length)} `}candles`;
}

function wordEffect(
  transformation: Transformation,
  be: string,
  name: (field: ComparedField) => string,
  relation: PartComparison['relation'],
): string {
  const source = relation === 'inverse' ? 'the plain candles show' : 'other intervals show';
  switch (transformation.kind) {
    case 'constant':
      return `${be} ${transformation.value}`;
    case 'column':
      return `${be} the ${name(transformation.column)}`;
    case 'factor':
      return `${be} ${transformation.factor} times what ${source}`;
    case 'not inverted':
      return `${be} not inverted`;
    case 'row before':
      return `${be} ${be === 'is' ? 'that' : 'those'} of the candle before`;
    case 'row after':
      return `${be} ${be === 'is' ? 'that' : 'those'} of the candle after`;
    case 'rounded':
      return `${be} rounded to ${'digits' in transformation ? `${transformation.digits} digits` : `${transformation.decimals} decimals`}`;
    case 'part':
      return `${be} ${be === 'is' ? 'that' : 'those'} of the ${namePlace(transformation.at)} shorter candle`;
    case 'without part':
      return `${be === 'is' ? 'leaves' : 'leave'} the ${namePlace(transformation.at)} shorter candle out`;
    case 'wrapped':
      return `${be === 'is' ? 'begins' : 'begin'} anew beyond ${transformation.bits} bits`;
    case 'running total':
      return `${be} a running total`;
    case 'sum of parts':
      return `${be} summed over the shorter candles`;
    case 'mean of parts':
      return `${be} the mean of the shorter candles`;
    case 'column before':
      return `${be} the ${name(transformation.column)} of the candle before`;
    case 'product':
      return `${be} multiplied by the ${name(transformation.column)}`;
    case 'other pool':
      return `${be} ${be === 'is' ? 'that' : 'those'} of another pool`;
    case 'part before too':
      return `${be === 'is' ? 'holds' : 'hold'} the shorter candle before it too`;
    case 'part after too':
      return `${be === 'is' ? 'holds' : 'hold'} the shorter candle after it too`;
    case 'without wicks':
      return `${be} open or close, without what lies beyond`;
  }
}

function namePlace(at: number): string {
  return (at < 0 ? ['last', 'last but one'] : ['first', 'second'])[at < 0 ? -at - 1 : at] ?? `${at}`;
}
