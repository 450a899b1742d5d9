import { readMember } from '../document/place.ts';
import { giveParameterRoles, listDescribedParameters, listUnfixed } from './described-parameters.ts';
import { readDescribedUnit } from './described-times.ts';
import {
  type DocumentNode,
  listNodes,
  memberNode,
  readTags,
  resolveNode,
  type Step,
  writeJsonPath,
} from './document-nodes.ts';
import { type DraftSchema, statusName } from './draft-envelope.ts';
import { markAnswer } from './mark-answer.ts';
import { findSchemaRows, readExample, type SchemaRows } from './schema-rows.ts';

/** One answer to a document's operation, by which a draft decides. */
export type GivenAnswer = { readonly url?: URL; readonly body: unknown; readonly hasGaps: boolean };

/** An OpenAPI Overlay that gives a document roles, with what of it is a guess and what is open. */
export type DraftOverlay = {
  readonly overlay: object;
  /** The operations that have a role now, such as `GET /klines`. */
  readonly operations: readonly string[];
  readonly guesses: readonly string[];
  readonly questions: readonly string[];
};

/** A change of one part of the document. */
export type OverlayAction = { readonly at: readonly Step[]; readonly update: DraftSchema };

type Operation = { readonly path: string; readonly item: DocumentNode; readonly node: DocumentNode };

/** Roles of documents by those of names. An unnamed average weighs trades by their volume. */
const documentRoles: Readonly<Record<string, string>> = { time: 'start', date: 'start', average: 'vwap' };

/** Drafts roles for the operations of a document that answer with candles. An answer decides where one is given. */
export function draftOverlay(root: unknown, answer?: GivenAnswer): DraftOverlay {
  const listed = listOperations(root);
  const drafts = listed.flatMap((operation) => {
    const given = answer?.url ? matchPath(operation.path, answer.url) : undefined;
    if (answer?.url && !given) return [];
    const isOnly = listed.length === 1 || given !== undefined;
    return draftOperation(root, operation, given ?? {}, answer && isOnly ? answer : undefined) ?? [];
  });
  const pools = drafts.flatMap(({ pool }) => (pool === undefined ? [] : [pool]));
  const sample =
    pools[0] === undefined ? [] : [{ target: '$.info', update: { 'x-sample-pools': [pools[0]] } }];
  const actions = drafts.flatMap((draft) => draft.actions);
  return {
    overlay: {
      overlay: '1.1.0',
      info: { title: 'Roles', version: '0' },
      actions: [...sample, ...mergeActions(actions)],
    },
    operations: drafts.map(({ path }) => `GET ${path}`),
    guesses: drafts.flatMap(({ guesses }) => guesses),
    questions: drafts.flatMap(({ questions }) => questions),
  };
}

function listOperations(root: unknown): Operation[] {
  return listNodes({ value: readMember(root, 'paths'), at: ['paths'] }).flatMap(({ name, ...listed }) => {
    const item = resolveNode(root, listed);
    const node = memberNode(root, item, 'get');
    return node && readTags(root, node)['x-role'] === undefined ? [{ path: name, item, node }] : [];
  });
}

/** Returns the values of a path's parameters in a URL, and those of its query; undefined if the URL is of another path. */
function matchPath(path: string, url: URL): Readonly<Record<string, string>> | undefined {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const pattern = path
    .split(/\{[^}]+\}/)
    .map((text) => text.replace(/[.*+?^$()[\]{}|\\]/g, '\\$&'))
    .join('([^/]+)');
  const match = new RegExp(`${pattern}$`).exec(decodeURI(url.pathname));
  if (!match) return undefined;
  return {
    ...Object.fromEntries(url.searchParams),
    ...Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? ''])),
  };
}

type OperationDraft = {
  readonly path: string;
  readonly actions: readonly OverlayAction[];
  readonly guesses: readonly string[];
  readonly questions: readonly string[];
  readonly pool?: string | undefined;
};

/** Words of a path that leads to candles. */
const ofCandles = /kline|candle|ohlc|aggs|bars|time_?series|history|chart/i;

function draftOperation(
  root: unknown,
  { path, item, node }: Operation,
  values: Readonly<Record<string, string>>,
  answer: GivenAnswer | undefined,
): OperationDraft | undefined {
  const response = memberNode(root, node, 'responses', '200', 'content');
  const content = listNodes(response).find(({ name }) => /json/.test(name));
  const schema = content && memberNode(root, content, 'schema');
  const rows = schema && findSchemaRows(root, schema);
  const body = answer?.body ?? (content && readBodyExample(root, content));
  const marked = schema && body !== undefined ? markAnswer(root, schema, body, values) : undefined;
  const parameters = listDescribedParameters(root, item, node, values);
  const roled = giveParameterRoles(parameters, marked?.unit ?? (rows && startUnit(root, rows)));
  const has = (role: string): boolean => roled.some((each) => each.role === role);
  const isCandles = rows ?? marked ?? (has('pool') && has('interval') && ofCandles.test(path));
  if (!isCandles || !has('interval')) return undefined;
  const fields = rows ? addStatuses(markSchema(root, rows, marked?.unit), marked) : (marked ?? noRows());
  const needsMost = !has('since') && (!has('to') || (!has('from') && !has('limit')));
  const most = needsMost ? marked?.rows : undefined;
  const gaps = answer && !answer.hasGaps ? 'none' : 'idle';
  const unfixed = listUnfixed(parameters, roled);
  const guesses = [
    ...roled.map(({ name, role, guess }) => `${name}: x-role ${role} ${guess}`),
    ...fields.guesses,
    `x-gaps ${gaps}: ${answer ? `the answer ${answer.hasGaps ? 'lacks rows of some intervals' : 'has a row for every interval'}` : 'no answer shows that every interval has its row'}`,
    ...(most === undefined ? [] : [`x-max-rows ${most}: as many rows came`]),
    ...unfixed.flatMap(({ parameter: { name }, value }) =>
      value === undefined ? [] : [`${name}: always ${value}, since it is required and has no role`],
    ),
  ];
  const questions = [
    ...['pool'].filter((role) => !has(role)).map((role) => `x-role ${role}: no parameter has such a name`),
    ...roled.flatMap(({ question }) => question ?? []),
    ...fields.questions,
    ...listStatuses(root, schema, fields),
    ...(needsMost && most === undefined ? ['x-max-rows: nothing says how many rows an answer holds'] : []),
    ...unfixed.flatMap(({ parameter: { name }, value }) =>
      value === undefined ? [`${name} is required and has no role: write a const or a default`] : [],
    ),
  ];
  const operation = {
    'x-role': fields.isSingle ? 'latest' : 'history',
    ...(!fields.isSingle && { 'x-gaps': gaps }),
    ...(most !== undefined && { 'x-max-rows': most }),
    'x-guesses': guesses,
    ...(questions.length > 0 && { 'x-questions': questions }),
  };
  const named = (lines: readonly string[]): string[] => lines.map((line) => `${path}  ${line}`);
  return {
    path,
    actions: [
      { at: node.at, update: operation },
      ...roled.map(({ node: { at }, role, added }) => ({ at, update: { 'x-role': role, ...added } })),
      ...unfixed.flatMap(({ parameter, value }) =>
        value === undefined || !parameter.schema
          ? []
          : [{ at: parameter.schema.at, update: { default: value } }],
      ),
      ...fields.actions,
    ],
    guesses: named(guesses),
    questions: named(questions),
    pool: roled.find(({ role }) => role === 'pool')?.example,
  };
}

/** The roles of an answer's parts. */
export type MarkedFields = {
  readonly actions: readonly OverlayAction[];
  readonly guesses: readonly string[];
  readonly questions: readonly string[];
  readonly isSingle: boolean;
  readonly unit?: string | undefined;
  readonly rows?: number;
};

function noRows(): MarkedFields {
  return {
    ...{ actions: [], guesses: [], isSingle: false },
    questions: ['the roles of a row: the schema does not name its values; give an answer to decide'],
  };
}

/** Lists the members beside the rows that may show a refusal, and have no role so far. */
function listStatuses(root: unknown, schema: DocumentNode | undefined, { actions }: MarkedFields): string[] {
  const isGiven = actions.some(({ update }) => update['x-role'] === 'status');
  const members = isGiven || !schema ? [] : listNodes(memberNode(root, schema, 'properties'));
  return members
    .filter(({ name }) => statusName.test(name) || name === 'error')
    .map(
      ({ name }) =>
        `x-role of ${name}: if it shows refusals, x-role: status with the x-ok of an answer that was served`,
    );
}

/** Adds what an answer shows of its envelope to the roles that names give. */
function addStatuses(fields: MarkedFields, marked: MarkedFields | undefined): MarkedFields {
  const statuses = marked?.actions.filter(({ update }) => update['x-role'] === 'status') ?? [];
  const guesses = marked?.guesses.filter((guess) => guess.includes('x-role status')) ?? [];
  const { rows } = { ...marked };
  return {
    ...fields,
    ...(rows !== undefined && { rows }),
    actions: [...fields.actions, ...statuses],
    guesses: [...fields.guesses, ...guesses],
  };
}

function markSchema(root: unknown, rows: SchemaRows, seen: MarkedFields['unit']): MarkedFields {
  const { form, holder, fields, places } = rows;
  const guesses: string[] = [];
  const questions: string[] = [];
  const actions = Object.entries(places).map(([found, at]): OverlayAction => {
    const field = fields[at] as SchemaRows['fields'][number];
    const role = documentRoles[found] ?? found;
    const isTime = role === 'start' || role === 'end';
    const tags = readTags(root, field.node);
    const described = readDescribedUnit(tags, readExample(root, field.node));
    const { unit, evidence } =
      seen && role === 'start' ? { unit: seen, evidence: 'as in an answer' } : described;
    guesses.push(
      `${field.name.join('.')} of a row: x-role ${role} by its name${isTime ? `; x-unit ${unit} ${evidence ?? 'by no evidence'}` : ''}`,
    );
    if (isTime && evidence === undefined)
      questions.push(
        `x-unit of ${field.name.join('.')} of a row: nothing says seconds, milliseconds or text; s is assumed`,
      );
    return {
      at: field.node.at,
      update: { 'x-role': role, ...(isTime && unit !== 's' && { 'x-unit': unit }) },
    };
  });
  const keyed = form === 'keyed' ? { 'x-key': { 'x-role': 'start', 'x-unit': 'iso', type: 'string' } } : {};
  const mark =
    form === 'single' ? (rows.isBody ? {} : { 'x-role': 'candle' }) : { 'x-role': 'candles', ...keyed };
  return {
    actions: [...(Object.keys(mark).length > 0 ? [{ at: holder.at, update: mark }] : []), ...actions],
    ...{ guesses, questions, isSingle: form === 'single' },
  };
}

function startUnit(root: unknown, { fields, places }: SchemaRows): string | undefined {
  const field = fields[places.time ?? places.date ?? places.end ?? -1];
  if (!field) return undefined;
  const { unit, evidence } = readDescribedUnit(readTags(root, field.node), readExample(root, field.node));
  return evidence === undefined ? undefined : unit;
}

/** Returns the example of an answer. */
function readBodyExample(root: unknown, content: DocumentNode): unknown {
  const { example, examples } = readTags(root, content);
  if (example !== undefined) return example;
  const [first] = listNodes(examples === undefined ? undefined : memberNode(root, content, 'examples'));
  return first && readTags(root, first).value;
}

/** Writes actions, with those of one part in one; a part that two operations share has the role of the first. */
function mergeActions(actions: readonly OverlayAction[]): object[] {
  const merged = new Map<string, DraftSchema>();
  for (const { at, update } of actions) {
    const target = writeJsonPath(at);
    merged.set(target, { ...update, ...merged.get(target) });
  }
  return [...merged].map(([target, update]) => ({ target, update }));
}
