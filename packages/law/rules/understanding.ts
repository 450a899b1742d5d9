import { firstServer } from '@candleproof/document/spec/operation';
import { readMember, splitPointer } from '@candleproof/document/spec/place';
import { requestName } from '@candleproof/document/spec/request-path';
import type {
  CandleRole,
  FieldForms,
  Gaps,
  NamedInterval,
  OperationRole,
  Role,
} from '@candleproof/document/spec/roles';
import type { Operation, Spec } from '@candleproof/document/spec/spec';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { Catalogue } from './catalogue.ts';
import { findLacks, type Lack } from './law-of.ts';

/** A parameter or field with its role; `form` is its unit, or the way in which it is sent. */
export type UnderstoodPart = { readonly name: string; readonly role?: string; readonly form?: string };

export type UnderstoodOperation = {
  readonly id: string;
  /** Method and path. */
  readonly request: string;
  readonly role: OperationRole;
  readonly space: string;
  readonly gaps: Gaps;
  readonly maxRows?: number;
  /** Members of the answer that lead to the rows; `{pool}` for the one that is named after the pool. */
  readonly rowsAt: readonly string[];
  /** Members that mark a 200 as a refusal. */
  readonly refusals: readonly string[];
  readonly parameters: readonly UnderstoodPart[];
  readonly fields: readonly UnderstoodPart[];
  /** Roles of a draft that are guessed, each with its evidence, and what the draft leaves open. */
  readonly guesses: readonly string[];
  readonly questions: readonly string[];
};

/** Features that a document lacks, the annotation that adds each, and the rules that wait for them. */
type MissingPart = {
  readonly lacks: readonly Lack[];
  readonly annotations: readonly string[];
  readonly rules: readonly string[];
};

/** The meaning of a document to the judge, and the part of the law that it makes judgeable. */
export type Understanding = {
  readonly title: string;
  readonly server?: string;
  readonly key: string;
  readonly operations: readonly UnderstoodOperation[];
  readonly intervals: readonly NamedInterval[];
  /** Methods and paths without a role. */
  readonly leftOut: readonly string[];
  /** Rules and questions of each group: those that apply, and all. */
  readonly groups: readonly { readonly group: string; readonly judged: number; readonly of: number }[];
  readonly missing: readonly MissingPart[];
};

/** Explains a document by the law. */
export function explainDocument(spec: Spec, law: Catalogue): Understanding {
  const server = firstServer(spec);
  return {
    title: spec.document.info.title,
    server,
    key: describeKeys(spec),
    operations: spec.operations.map((operation) => describeOperation(spec, operation)),
    intervals: spec.intervals,
    leftOut: listLeftOut(spec),
    groups: countGroups(spec, law),
    missing: listMissing(spec, law),
  };
}

function describeKeys({ keyPlaces = [] }: Spec): string {
  const places = keyPlaces.map(({ in: where, name }) => (where === 'header' ? name : `${name} of the query`));
  return places.length > 0 ? `in ${places.join(' and ')}` : 'not needed';
}

function describeOperation({ document }: Spec, operation: Operation): UnderstoodOperation {
  const tags = splitPointer(operation.pointer).reduce<unknown>(readMember, document);
  const { id, role, space, gaps, maxRows, rowsAt, statuses, parameters } = operation;
  return {
    ...{ id, request: requestName(operation), role, space, gaps },
    rowsAt: rowsAt.map((step) => (typeof step === 'string' ? step : '{pool}')),
    maxRows,
    refusals: statuses.map(({ at }) => `/${at.join('/')}`),
    parameters: parameters.map(describeParameter),
    fields: describeFields(operation),
    guesses: listTexts(readMember(tags, 'x-guesses')),
    questions: listTexts(readMember(tags, 'x-questions')),
  };
}

function listTexts(given: unknown): string[] {
  return Array.isArray(given) ? given.map(String) : [];
}

function describeParameter(parameter: Operation['parameters'][number]): UnderstoodPart {
  const { name, role, unit = 's', zoneName, edge, fixed, required, most } = parameter;
  if (role === undefined) return { name, form: required ? `always ${fixed}` : 'never sent' };
  const isTime = role === 'from' || role === 'to' || role === 'since';
  const time = [
    isTime ? [unit].flat().join(' or ') : '',
    zoneName === undefined ? '' : `in ${zoneName}`,
    edge ?? '',
  ]
    .filter(Boolean)
    .join(' ');
  const form = most === undefined ? time : `at most ${most}`;
  return { name, role, ...(form !== '' && { form }) };
}

/** Fields in the document's order; those without a role are checked for their shape alone. */
function describeFields({ recordFields, fields, forms, zoneName }: Operation): UnderstoodPart[] {
  const roles = new Map(Object.entries(fields).map(([role, name]) => [name, role]));
  return recordFields.map((name) => {
    const role = roles.get(name);
    if (role === undefined) return { name, form: 'shape only' };
    const isTime = role === 'start' || role === 'end';
    const known = (forms as FieldForms)[role as CandleRole];
    const unit = known === undefined ? (isTime ? 's' : undefined) : [known].flat().join(' or ');
    const form = unit !== 'text' ? unit : role === 'pool' ? undefined : 'number as text';
    const isZoned = isTime && zoneName !== undefined;
    return { name, role, ...(form !== undefined && { form: isZoned ? `${form} in ${zoneName}` : form }) };
  });
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'query'];

function listLeftOut({ document, operations }: Spec): string[] {
  const known = new Set(operations.map(requestName));
  const paths: OpenAPIV3_1.PathsObject = document.paths ?? {};
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item ?? {})
      .filter((name) => methods.includes(name))
      .map((method) => `${method.toUpperCase()} ${path}`)
      .filter((request) => !known.has(request)),
  );
}

function countGroups(spec: Spec, { rules, questions }: Catalogue): Understanding['groups'] {
  const groups = Map.groupBy([...rules, ...questions], ({ id }) => id.split('/')[0] ?? id);
  return [...groups].map(([group, entries]) => ({
    group,
    judged: entries.filter((entry) => findLacks(spec, entry).length === 0).length,
    of: entries.length,
  }));
}

/** Lists the missing features by the rules that wait for them, most rules first. */
function listMissing(spec: Spec, { rules, questions }: Catalogue): MissingPart[] {
  const waiting = new Map<Lack, string[]>();
  for (const entry of [...rules, ...questions]) {
    for (const lack of findLacks(spec, entry)) {
      // Without the operation its fields are no news.
      if (lack.startsWith('token-') && !spec.roles.includes('tokens')) continue;
      waiting.set(lack, [...(waiting.get(lack) ?? []), entry.id]);
    }
  }
  const alike = Map.groupBy(waiting, ([, ids]) => ids.join());
  return [...alike.values()]
    .map((found) => {
      const lacks = found.map(([lack]) => lack);
      return { lacks, annotations: lacks.map(nameAnnotation), rules: found[0]?.[1] ?? [] };
    })
    .sort((one, other) => other.rules.length - one.rules.length);
}

const particular: Readonly<Partial<Record<Lack, string>>> = {
  key: 'security with a scheme that a key meets',
  fresh: 'x-fresh on the history, the seconds within which a new row comes',
  gapless: 'x-gaps: none on the history, where every interval has its row',
  inverted: 'x-role: inverted on a parameter',
  from: 'x-role: from on a parameter',
  minutes: 'x-seconds with a length of 1 to 30 minutes',
  hour: 'x-seconds with a length of 1 to 6 hours',
  day: 'x-seconds with a length of half a day to 3 days',
  week: 'x-seconds with a length of 7 days',
};

const operationLacks: readonly Lack[] = ['tokens', 'history', 'latest'] satisfies Role[];

/** Names the annotation that adds a feature to a document. */
function nameAnnotation(lack: Lack): string {
  const known = particular[lack];
  if (known !== undefined) return known;
  if (operationLacks.includes(lack)) return `x-role: ${lack} on a GET`;
  if (lack.startsWith('quota-')) return `x-role: ${lack} on a header of the answers`;
  if (lack.startsWith('token-')) return `x-role: ${lack.slice('token-'.length)} on a field of a token`;
  return `x-role: ${lack} on a field of the rows`;
}
