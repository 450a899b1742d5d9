import type { Spec } from '../../contract/document/spec.ts';
import type { TargetFacts } from '../../contract/reading/exchange.ts';
import { type Requested, recognizeRequest } from '../../contract/reading/requested.ts';
import type { RequestBatch } from './batch.ts';
import { listPaths } from './batch-paths.ts';
import type { Drawable, RequestKind } from './draw.ts';
import type { Times } from './times.ts';
import { listTraits, type Relations, relationsBetween, type Traits } from './traits.ts';

/** The API and pools that batches are requested of. */
export type ExploreScene = { readonly spec: Spec; readonly target: TargetFacts; readonly times: Times };

/** Weights for showing something for the first time: a single kind counts more than a pair. */
const worth = { related: 20, across: 14, one: 8, withInterval: 8, inPlace: 4, two: 1, miss: 1 };

/** Returns what a batch costs and shows. One with a near miss counts for that alone: the rest of it is not compared. */
export function rateBatch(batch: RequestBatch, scene: ExploreScene): Omit<Drawable, 'index'> {
  const { spec, times } = scene;
  const cost = listPaths(spec, batch, times).length;
  const missed = batch.asks.flatMap(({ miss }) => miss ?? []);
  if (missed.length > 0) {
    return {
      cost,
      cells: missed.map(({ parameter, kind }) => [`${batch.role} ${parameter} ${kind}`, worth.miss]),
    };
  }
  const requested = batch.asks.flatMap((ask) => readRequests({ ...batch, asks: [ask] }, scene));
  const relations = requested.flatMap((one, index) =>
    requested.slice(index + 1).map((other) => relationsBetween(one, other, times)),
  );
  return {
    cost,
    cells: [
      ...requested.flatMap((request) => listCells(listTraits(request, times))),
      ...relations.flatMap(cellsOfRelations),
    ],
  };
}

function readRequests(batch: RequestBatch, { spec, target, times }: ExploreScene): Requested[] {
  return listPaths(spec, batch, times).flatMap((path) => {
    const url = `${target.baseUrl}${path}`;
    const request = { method: 'GET', url, headers: [], credential: 'none' } as const;
    return recognizeRequest(spec, target.baseUrl, request, times.now) ?? [];
  });
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

function cellsOfRelations({ alone, inPlace }: Relations): RequestKind[] {
  return [
    ...alone.map((kind): RequestKind => [kind, worth.related]),
    ...inPlace.map((kind): RequestKind => [kind, worth.inPlace]),
  ];
}
