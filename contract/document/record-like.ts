import type { Spec } from './spec.ts';

/** Fields that tell a record from any other object. */
const tellingFields = 3;

/** A token or candle, or a good part of one. */
export function isRecordLike({ operations }: Spec, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return operations.some(
    ({ recordFields }) => recordFields.filter((each) => Object.hasOwn(value, each)).length >= tellingFields,
  );
}
