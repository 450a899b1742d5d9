import type { HeardExchange } from '../heard.ts';
import type { ClientRule, ClientSight } from './client-rule.ts';
import type { Play } from './play.ts';
import { boundsInWords, followUps, stormIn } from './storms.ts';

/** A check that no storm follows on failures of a kind. */
function noStormAfter(isFailure: (exchange: HeardExchange) => boolean, none: string): ClientRule['check'] {
  return function* check({ exchanges }: Play): Generator<ClientSight> {
    const failures = exchanges.filter(isFailure);
    if (failures.length === 0) yield { undecided: none };
    const storms = followUps(exchanges, isFailure).flatMap((each) => stormIn(each) ?? []);
    for (const breach of storms) yield { breach };
    if (storms.length === 0) for (const judged of failures) yield { judged };
  };
}

export const backsOffFromServerErrors: ClientRule = {
  id: 'client/backs-off-from-server-errors',
  level: 'must',
  statement: 'While the service fails, the client does not storm it.',
  why: 'A service that comes back is brought down again by all who retry at once.',
  exactly: `A failure is a status of 500 or more. ${boundsInWords}`,
  check: noStormAfter(({ status }) => status >= 500, 'no answer was a server error'),
};

export const easesOffWhenItsKeyIsRefused: ClientRule = {
  id: 'client/eases-off-when-its-key-is-refused',
  level: 'should',
  statement: 'While its key is refused, the client does not try it over and over.',
  why: 'Many wrong keys slow down or block the address they come from.',
  exactly: `A refusal is 401 or 403. ${boundsInWords}`,
  check: noStormAfter(({ status }) => status === 401 || status === 403, 'the key was not refused'),
};
