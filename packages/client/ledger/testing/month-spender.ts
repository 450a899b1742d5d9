/**
 * A separate process that plays a month of slots: `node month-spender.ts PLACE ACCOUNT URL SLOTS`. At each slot it
 * applies for one to three requests, and sends those that are granted. Prints the number of requests sent.
 */
import { openLedgers } from '../ledgers.ts';
import { placeOf, quotaInBody, senderTo, withKey } from './quota-server.ts';

const [place = '', account = '', url = '', slots = '1'] = process.argv.slice(2);
const begin = Date.now();
const reset = begin + 10 * 86_400_000;
const ledgers = await openLedgers(placeOf(place), { readQuota: quotaInBody });
const key = ledgers.account(account);
/** Shares that keep back only the reserve, so that the ledger alone protects it. */
const greedy = { check: 0, monitor: 90, load: 0, confirm: 0, reserve: 10 };
let [credit, sent] = [0, 0];
for (let slot = 0; slot < Number(slots); slot++) {
  const now = begin + (slot * (reset - begin - 3_600_000)) / Number(slots);
  const cost = 1 + (slot % 3);
  const pace = (2 * (Number(slots) - slot)) / (reset - now);
  const granted = await key.ask({ purpose: 'monitor', cost, pace, credit }, greedy, now);
  credit = granted.credit;
  if (granted.verdict === 'skip') continue;
  const client = granted.reservation.client(senderTo(url));
  for (let turn = 0; turn < cost; turn++, sent++) await client.send(withKey);
  await granted.reservation.end();
}
await ledgers.close();
process.stdout.write(`${sent}\n`);
