import { compilePattern } from '../document/linear-pattern.ts';
import { writeTime } from '../document/times.ts';
import type { ApiDraft } from './draft.ts';
import type { DraftParameter } from './request-times.ts';

/** Writes the URL of a draft with another interval or range, and its other values as they were. */
export function fillDraftUrl(
  { url, path, parameters }: Pick<ApiDraft, 'url' | 'path' | 'parameters'>,
  given: { readonly interval?: string; readonly from: number; readonly to: number },
): URL {
  const write = (parameter: DraftParameter): string => {
    const { role, value } = parameter;
    if (role === 'interval') return given.interval ?? value;
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
    if (parameter.in === 'query' && !parameter.isIdle)
      filled.searchParams.append(parameter.name, write(parameter));
  return filled;
}

function writeGivenTime({ tags, schema, value }: DraftParameter, seconds: number): string {
  const unit = (tags['x-unit'] ?? 's') as 's' | 'ms' | 'iso';
  const pattern = typeof schema.pattern === 'string' ? compilePattern(schema.pattern) : undefined;
  const accepts = (text: string): boolean => (pattern ? pattern.test(text) : text.length === value.length);
  return writeTime(seconds, unit, tags['x-zone'] === undefined ? undefined : [], accepts);
}
