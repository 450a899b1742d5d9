import { listPools, requireOperation } from '@candleproof/document/spec/operation';
import { type Requested, recognizeRequest, writeRequest } from '@candleproof/law/reading/requested';
import { listCombinations, numberValue } from '../plan/combinations.ts';
import { usualManner } from '../plan/manner.ts';
import { listWays } from '../plan/request-values.ts';
import type { RequestBatch } from './batch.ts';
import { type DrawnRequest, listRequests } from './batch-requests.ts';
import type { Drawable, RequestKind } from './draw.ts';
import { isOfKey, type RefusalScene } from './refused.ts';
import { listRelations, listTraits, type Relations, type Traits } from './traits.ts';

/** The purpose of a batch. Each has a share of the budget, or ranges would always be worth most. */
export type BatchPurpose = 'ranges' | 'newest' | 'repetition' | 'misses' | 'keys' | 'faults';

/** Returns the purpose of a batch by what it holds besides ranges. */
export function findPurpose({ refused, again, asks, role }: RequestBatch): BatchPurpose {
  if (refused) return isOfKey(refused.fault) ? 'keys' : 'faults';
  if (asks.some(({ miss }) => miss !== undefined)) return 'misses';
  if (again > 0) return 'repetition';
  return role === 'history' ? 'ranges' : 'newest';
}

/** Weights for showing something for the first time: a single kind counts more than a pair, and a pair than a triple. */
const worth = {
  related: 60,
  across: 14,
  one: 8,
  withInterval: 8,
  inPlace: 4,
  two: 1,
  after: 3,
  repeated: 12,
  manner: 0.25,
  triple: 0.05,
  miss: 1,
  missOfInterval: 3,
};

/** Returns what a batch costs and shows. One that is refused in part counts for that alone: the rest is not compared. */
export function rateBatch(batch: RequestBatch, scene: RefusalScene): Omit<Drawable, 'index'> {
  const sent = listRequests(scene, batch);
  const cost = sent.length;
  const { refused, asks } = batch;
  if (refused)
    return { cost, cells: sent.some(({ credential }) => credential) ? listRefusedCells(batch) : [] };
  if (asks.some(({ miss }) => miss !== undefined)) return { cost, cells: listMissCells(batch, scene) };
  const known = sent.map((request) => ({ request, requested: readRequest(request, scene) }));
  const cells = known.flatMap(({ request, requested }, at): RequestKind[] => {
    if (!requested) return [];
    const before = sent.slice(0, at).filter(({ path }) => path === request.path).length;
    const traits = listTraits(requested, scene.times);
    return [
      ...(before === 0 ? listCells(traits) : []),
      ...listMannerCells(traits, { requested, request, before }, scene),
    ];
  });
  const first = known.flatMap(({ requested }, at) =>
    requested && at < sent.length - batch.again ? [requested] : [],
  );
  const relations = first.flatMap((one, index) =>
    first.slice(index + 1).map((other) => listRelations(one, other, scene.times)),
  );
  return { cost, cells: [...cells, ...relations.flatMap(listRelationCells)] };
}

/** Lists the misses of a batch. Those of the interval come first, since rows in answer to them break a rule. */
function listMissCells({ role, asks }: RequestBatch, { spec }: RefusalScene): RequestKind[] {
  const { parameters } = requireOperation(spec, role);
  return asks.flatMap(({ miss }): RequestKind[] => {
    if (!miss) return [];
    const { parameter, kind } = miss;
    const isOfInterval = parameters.some((one) => one.name === parameter && one.role === 'interval');
    return [[`${role} ${parameter} ${kind}`, isOfInterval ? worth.missOfInterval : worth.miss]];
  });
}

function listRefusedCells({ refused, role, again }: RequestBatch): RequestKind[] {
  if (!refused) return [];
  const { fault, tricks } = refused;
  return [
    [`${fault} refused`, worth.one],
    [`${fault} refused of ${role}`, worth.two],
    ...(again > 0 ? [[`${role} after ${fault}`, isOfKey(fault) ? worth.after : worth.one] as const] : []),
    ...(fault === 'no-key' ? tricks.map((trick) => [`trick ${trick} of ${role}`, worth.two] as const) : []),
  ];
}

function readRequest({ path }: DrawnRequest, { spec, target, times }: RefusalScene): Requested | undefined {
  return recognizeRequest(spec, target.baseUrl, writeRequest(spec, target.baseUrl, path), times.now);
}

type InManner = {
  readonly requested: Requested;
  readonly request: DrawnRequest;
  /** Times that it was sent before in its batch. */
  readonly before: number;
};

/** Lists the pairs and triples that a manner makes with what else a request has, as those of a plan. */
function listMannerCells(
  { series, form, place }: Traits,
  { requested, request, before }: InManner,
  { spec, target }: RefusalScene,
): RequestKind[] {
  const { role, pool } = requested;
  const isFirst = pool !== undefined && listPools(target, requireOperation(spec, role))[0] === pool;
  const [interval, side] = series;
  const facts = [
    ...[interval, side].filter((name) => name !== undefined),
    `pool ${isFirst ? 'first' : 'further'}`,
    ...form,
    ...place.filter((name) => name.startsWith('age')),
    `requested ${before} times before`,
  ];
  const { pairs, triples } = listCombinations({
    facts: facts.map((fact) => numberValue('trait', fact)),
    ways: listWays(request.manner ?? usualManner),
  });
  return [
    ...(before > 0
      ? [[`${interval} requested ${before} times before`, before * worth.repeated] as const]
      : []),
    ...pairs.map((pair): RequestKind => [pair, worth.manner]),
    ...triples.map((triple): RequestKind => [triple, worth.triple]),
  ];
}

/** Its kinds, its series, and kinds that may matter together. */
function listCells({ series, form, place }: Traits): RequestKind[] {
  const [interval, ...others] = series;
  const within = [...form, ...place];
  const pairs = [
    ...others.flatMap((one) => within.map((other) => `${one} & ${other}`)),
    ...form.flatMap((one, index) => form.slice(index + 1).map((other) => `${one} & ${other}`)),
  ];
  return [
    ...[...series, ...within, series.join(' & ')].map((kind): RequestKind => [kind, worth.one]),
    ...form.map((kind): RequestKind => [`${interval} & ${kind}`, worth.withInterval]),
    ...place.map(
      (kind): RequestKind => [
        `${interval} & ${kind}`,
        kind.startsWith('across') ? worth.across : worth.inPlace,
      ],
    ),
    ...pairs.map((pair): RequestKind => [pair, worth.two]),
  ];
}

function listRelationCells({ alone, inPlace }: Relations): RequestKind[] {
  return [
    ...alone.map((kind): RequestKind => [kind, worth.related]),
    ...inPlace.map((kind): RequestKind => [kind, worth.inPlace]),
  ];
}
