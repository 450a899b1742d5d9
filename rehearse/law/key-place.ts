import type { ClientRule, ClientSight } from './client-rule.ts';
import type { Play } from './play.ts';

function* check({ exchanges, spec }: Play): Generator<ClientSight> {
  for (const exchange of exchanges) {
    const [place] = exchange.keyPlaces.filter((place) => place !== 'key header');
    if (place === undefined) {
      if (exchange.keyPlaces.length > 0) yield { judged: exchange };
      continue;
    }
    yield {
      breach: {
        exchange,
        expected: `the key in ${spec.keyHeader ?? 'its header'} alone`,
        actual: `the key in ${placeInWords(place)}`,
      },
    };
  }
  if (exchanges.every(({ keyPlaces }) => keyPlaces.length === 0))
    yield { undecided: 'no request carried the key' };
}

function placeInWords(place: string): string {
  return place.startsWith('header ') ? `the ${place}` : `the ${place === 'URL' ? place : 'request’s body'}`;
}

export const keyInItsHeaderAlone: ClientRule = {
  id: 'client/sends-its-key-in-its-header-alone',
  level: 'must',
  statement: 'The key stands in its own header and nowhere else.',
  why: 'URLs, cookies and other headers end up in logs and caches of anyone on the way.',
  exactly:
    'Looked for as it is, percent-encoded and otherwise disguised, and in Basic credentials: in the path and query, in every other header and in the first 64 KiB of the body.',
  check,
};
