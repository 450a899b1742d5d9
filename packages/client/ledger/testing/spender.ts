/**
 * A separate process that spends from an account: `node spender.ts PLACE ACCOUNT URL COUNT TOGETHER`. Prints `done` when
 * all are answered.
 */
import { openLedgers } from '../ledgers.ts';
import { placeOf, quotaInBody, senderTo, withKey } from './quota-server.ts';

const [place = '', account = '', url = '', count = '1', together = '1'] = process.argv.slice(2);
const ledgers = await openLedgers(placeOf(place), { readQuota: quotaInBody });
const reservation = await ledgers.account(account).reserveAnyway(Number(count));
const client = reservation.client(senderTo(url));
const spend = async (requests: number): Promise<void> => {
  for (let sent = 0; sent < requests; sent++) await client.send(withKey);
};
await Promise.all(Array.from({ length: Number(together) }, () => spend(Number(count) / Number(together))));
await ledgers.close();
process.stdout.write('done\n');
