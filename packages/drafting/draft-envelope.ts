import { findMember } from '@candleproof/document/layout/layout';

/** A schema of a draft. */
export type DraftSchema = Readonly<Record<string, unknown>>;

/** Lists the JSON types of values; one alone is no list. */
export function listTypes(values: readonly unknown[]): unknown {
  const types = [
    ...new Set(
      values.map((value) =>
        value === null || value === undefined ? 'null' : Array.isArray(value) ? 'array' : typeof value,
      ),
    ),
  ];
  return types.length === 1 ? types[0] : types;
}

/** Members of an envelope that say whether a request was served, and their usual values where it was. */
export const statusName = /^(code|ret_?code|status|s|success|err(or)?_?(no|code)|ok|result|response|state)$/i;
const served = /^(0+|200|200000|ok|success(ful)?|true|online)$/i;

/** Puts the rows into the envelope that leads to them. */
export function wrapRows(
  body: unknown,
  rowsAt: readonly string[],
  pool: string | undefined,
  rows: DraftSchema,
): DraftSchema {
  const members =
    typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : [];
  const statuses = members.flatMap(([name, value]): [string, DraftSchema][] => {
    if (Array.isArray(value) && value.length === 0 && /^err/i.test(name))
      return [[name, { type: 'array', 'x-role': 'status' }]];
    if (!statusName.test(name) || typeof value === 'object' || !served.test(String(value))) return [];
    return [[name, { type: typeof value, 'x-role': 'status', 'x-ok': value }]];
  });
  const [step, ...others] = rowsAt;
  if (step === undefined) {
    if (statuses.length === 0 || rows.type !== 'object') return rows;
    return { ...rows, properties: { ...(rows.properties as DraftSchema), ...Object.fromEntries(statuses) } };
  }
  const inner = wrapRows(findMember(body, [step]), others, pool, rows);
  if (Array.isArray(body)) return { type: 'array', items: inner };
  const isPool =
    pool !== undefined &&
    others.length === 0 &&
    bare(step).includes(bare(pool).slice(0, 3)) &&
    step.toUpperCase() === step;
  const beside = Object.fromEntries(statuses);
  if (!isPool) return { type: 'object', properties: { ...beside, [step]: inner } };
  const plain = members
    .filter(([name]) => name !== step)
    .map(([name, value]) => [name, { type: listTypes([value]) }]);
  return {
    type: 'object',
    properties: { ...Object.fromEntries(plain), ...beside },
    additionalProperties: inner,
  };
}

function bare(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** Levels of an envelope in which a market's name is searched, and members of one that are looked at. */
const deepest = 4;
const mostMembers = 40;

/** Returns a function that says whether an answer names a market beside its rows. */
export function nameMarkets(body: unknown): (market: string) => boolean {
  const found = new Set<string>();
  const walk = (value: unknown, depth: number): void => {
    if (typeof value === 'string') found.add(bare(value));
    if (typeof value !== 'object' || value === null || depth > deepest) return;
    if (Array.isArray(value) && value.length > 1) return;
    for (const [name, inner] of Object.entries(value).slice(0, mostMembers)) {
      // Names of members are in lower case; that of a market may be the key of its rows.
      if (name === name.toUpperCase()) found.add(bare(name));
      walk(inner, depth + 1);
    }
  };
  walk(body, 0);
  return (market) => bare(market) !== '' && found.has(bare(market));
}
