import { nameJson, nameSuccess } from '@candleproof/document/spec/operation';
import { type DescribedGet, listGets, matchPath, readBodyExample } from './described-operations.ts';
import {
  giveParameterRoles,
  listDescribedParameters,
  listUnfixed,
  type RoledParameter,
} from './described-parameters.ts';
import { memberNode, writeJsonPath } from './document-nodes.ts';
import type { DraftSchema } from './draft-envelope.ts';
import { listLeftOut, ofCandles } from './left-out.ts';
import { markAnswer } from './mark-answer.ts';
import { addStatuses, listStatuses, markSchema, noRows, startUnit } from './mark-schema.ts';
import type { MarkedFields, OverlayAction } from './overlay-action.ts';
import { findSchemaRows } from './schema-rows.ts';

/** One answer to a document's operation, by which a draft decides. */
export type GivenAnswer = { readonly url?: URL; readonly body: unknown };

/** Choices for a draft: an answer that decides, and the operations that are drafted, by their paths. */
export type OverlayChoices = { readonly answer?: GivenAnswer; readonly paths?: readonly string[] };

/** An OpenAPI Overlay that gives a document roles, with what of it is a guess and what is open. */
export type DraftOverlay = {
  readonly overlay: object;
  /** The paths of the GETs that have a role now, such as `/klines`. */
  readonly paths: readonly string[];
  /** GETs whose path speaks of candles, and why they have no role. */
  readonly leftOut: readonly string[];
  readonly guesses: readonly string[];
  readonly questions: readonly string[];
};

/**
 * Drafts roles for the operations of a document that answer with candles. An answer decides where one is given. Operations
 * whose path alone speaks of candles count only where no other shows prices and times.
 */
export function draftOverlay(root: unknown, { answer, paths }: OverlayChoices = {}): DraftOverlay {
  const listed = listGets(root).filter(({ path }) => paths === undefined || paths.includes(path));
  const found = listed.flatMap((operation) => {
    const given = answer?.url ? matchPath(operation.path, answer.url) : undefined;
    if (answer?.url && !given) return [];
    const isOnly = listed.length === 1 || given !== undefined;
    return draftOperation(root, operation, given ?? {}, answer && isOnly ? answer : undefined) ?? [];
  });
  const shown = found.filter(({ isShown }) => isShown);
  const drafts = shown.length > 0 ? shown : found;
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
    paths: drafts.map(({ path }) => path),
    leftOut: answer?.url ? [] : listLeftOut(root, listed, new Set(drafts.map(({ path }) => path))),
    guesses: drafts.flatMap(({ guesses }) => guesses),
    questions: drafts.flatMap(({ questions }) => questions),
  };
}

type OperationDraft = {
  readonly path: string;
  /** A schema, an example or an answer shows its prices and times. */
  readonly isShown: boolean;
  readonly actions: readonly OverlayAction[];
  readonly guesses: readonly string[];
  readonly questions: readonly string[];
  readonly pool?: string | undefined;
};

function draftOperation(
  root: unknown,
  operation: DescribedGet,
  values: Readonly<Record<string, string>>,
  answer: GivenAnswer | undefined,
): OperationDraft | undefined {
  const { path, item, node } = operation;
  const responses = memberNode(root, node, 'responses');
  const success = nameSuccess(responses?.value);
  const response =
    success === undefined || !responses ? undefined : memberNode(root, responses, success, 'content');
  const type = nameJson(response?.value);
  const content = type && response ? memberNode(root, response, type) : undefined;
  const schema = content && memberNode(root, content, 'schema');
  const rows = schema && findSchemaRows(root, schema);
  const body = answer?.body ?? (content && readBodyExample(root, content));
  const marked = schema && body !== undefined ? markAnswer(root, schema, body, values) : undefined;
  const parameters = listDescribedParameters(root, item, node, values);
  const roled = giveParameterRoles(parameters, marked?.unit ?? (rows && startUnit(root, rows)));
  const has = (role: string): boolean => roled.some((each) => each.role === role);
  const isCandles = rows ?? marked ?? (has('pool') && ofCandles.test(path));
  if (!isCandles || !has('interval')) return undefined;
  const fields = rows ? addStatuses(markSchema(root, rows, marked?.unit), marked) : (marked ?? noRows());
  const open = listStatuses(root, schema, fields);
  const unfixed = listUnfixed(parameters, roled);
  const isShown = rows !== undefined || marked !== undefined;
  return { ...writeOperation(operation, { roled, unfixed, fields, open }), isShown };
}

/** The parts of an operation that have a role now, and those that have none. */
type Findings = {
  readonly roled: readonly RoledParameter[];
  readonly unfixed: ReturnType<typeof listUnfixed>;
  readonly fields: MarkedFields;
  readonly open: readonly string[];
};

function writeOperation({ path, node }: DescribedGet, findings: Findings): Omit<OperationDraft, 'isShown'> {
  const { roled, unfixed, fields } = findings;
  const has = (role: string): boolean => roled.some((each) => each.role === role);
  const needsMost = !has('since') && (!has('to') || (!has('from') && !has('limit')));
  const most = needsMost ? fields.rows : undefined;
  const gaps = fields.isGapless ? 'none' : 'idle';
  const guesses = listGuesses(findings, gaps, most);
  const questions = listQuestions(findings, needsMost && most === undefined);
  const update = {
    'x-role': fields.isSingle ? 'latest' : 'history',
    ...(!fields.isSingle && { 'x-gaps': gaps }),
    ...(most !== undefined && { 'x-max-rows': most }),
    'x-guesses': guesses,
    ...(questions.length > 0 && { 'x-questions': questions }),
  };
  const named = (lines: readonly string[]): string[] => lines.map((line) => `${path}  ${line}`);
  const fixed = unfixed.flatMap(({ parameter: { schema }, value }) =>
    value === undefined || !schema ? [] : [{ at: schema.at, update: { default: value } }],
  );
  return {
    path,
    actions: [
      { at: node.at, update },
      ...roled.map(({ node: { at }, role, added }) => ({ at, update: { 'x-role': role, ...added } })),
      ...fixed,
      ...fields.actions,
    ],
    guesses: named(guesses),
    questions: named(questions),
    pool: roled.find(({ role }) => role === 'pool')?.example,
  };
}

function listGuesses({ roled, unfixed, fields }: Findings, gaps: string, most: number | undefined): string[] {
  const shown =
    gaps === 'none' ? 'rows without trades came' : 'no row shows whether an interval without trades has one';
  return [
    ...roled.map(({ name, role, guess }) => `${name}: x-role ${role} ${guess}`),
    ...fields.guesses,
    `x-gaps ${gaps}: ${shown}`,
    ...(most === undefined ? [] : [`x-max-rows ${most}: as many rows came`]),
    ...unfixed.flatMap(({ parameter: { name }, value }) =>
      value === undefined ? [] : [`${name}: always ${value}, since it is required and has no role`],
    ),
  ];
}

function listQuestions({ roled, unfixed, fields, open }: Findings, isMostOpen: boolean): string[] {
  return [
    ...(roled.some(({ role }) => role === 'pool') ? [] : ['x-role pool: no parameter has such a name']),
    ...roled.flatMap(({ question }) => question ?? []),
    ...fields.questions,
    ...open,
    ...(isMostOpen ? ['x-max-rows: nothing says how many rows an answer holds'] : []),
    ...unfixed.flatMap(({ parameter: { name }, value }) =>
      value === undefined ? [`${name} is required and has no role: write a const or a default`] : [],
    ),
  ];
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
