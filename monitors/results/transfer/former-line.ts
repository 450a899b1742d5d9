/** A line as JSON; `passing` if it is of traffic that passed by, which no version keeps any more. */
type FormerLine = { readonly line: unknown; readonly isPassing: boolean };

/**
 * Returns a line that a version with layout 3 exported in the form of now: it named the source of each series, and a
 * slot that passing traffic had covered was not run, as if for the quota. Any other line is returned as it is.
 */
export function presentLine(parsed: unknown): FormerLine {
  if (!isObject(parsed) || !isObject(parsed.series) || !('source' in parsed.series))
    return { line: parsed, isPassing: false };
  const { source, ...series } = parsed.series;
  const { passed: _, state, ...rest } = parsed;
  const present = state === 'covered' ? 'quota-skipped' : state;
  return {
    line: { ...rest, series, ...(present !== undefined && { state: present }) },
    isPassing: source === 'passive',
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
