import { compilePattern } from '@candleproof/document/spec/linear-pattern';
import type { TimeUnit } from '@candleproof/document/spec/roles';
import { readZone, writeTime } from '@candleproof/document/spec/times';
import type { ApiDraft } from './draft.ts';
import type { DraftParameter } from './request-times.ts';

/** Writes the URL of a draft with another interval or range, and its other values as they were. */
export function fillDraftUrl(
  { url, path, parameters }: Pick<ApiDraft, 'url' | 'path' | 'parameters'>,
  given: {
    readonly interval?: string;
    readonly limit?: number;
    readonly from: number;
    readonly to: number;
  },
): URL {
  const write = (parameter: DraftParameter): string => {
    const { role, value } = parameter;
    if (role === 'interval') return given.interval ?? value;
    if (role === 'limit') return String(given.limit ?? value);
    if (role === 'from' || role === 'since') return writeGivenTime(parameter, given.from);
    return role === 'to' ? writeGivenTime(parameter, given.to) : value;
  };
  const filled = new URL(url);
  filled.search = '';
  filled.pathname = path.replace(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return parameter ? write(parameter).split('/').map(encodeURIComponent).join('/') : '';
  });
  for (const parameter of parameters)
    if (parameter.in !== 'path' && !parameter.isIdle)
      filled.searchParams.append(parameter.name, write(parameter));
  return filled;
}

function writeGivenTime({ tags, schema, value }: DraftParameter, seconds: number): string {
  // A spelling whose length its rows decide leaves the range open.
  if (!Number.isFinite(seconds)) return value;
  const unit = (tags['x-unit'] ?? 's') as TimeUnit;
  const pattern = typeof schema.pattern === 'string' ? compilePattern(schema.pattern) : undefined;
  const accepts = (text: string): boolean => (pattern ? pattern.test(text) : text.length === value.length);
  const { 'x-zone': zone } = tags;
  return writeTime(seconds, unit, zone === undefined ? undefined : readZone(String(zone)), accepts);
}
