import type { MarketView } from '../store/market-view.ts';
import { bend, type Circumstance } from './distortion.ts';
import type { JsonObject } from './message.ts';
import { tokenRecord } from './records.ts';
import type { Service } from './service.ts';

/** JSON text of the token list (§4.1). */
export function tokenList(service: Service, market: MarketView, circumstance: Circumstance): string {
  const second = Math.floor(circumstance.now / 1000);
  const hbarUsd = market.facts.hbarUsd(second) ?? 0;
  const records = market.tokens.listed(second).map((token) => tokenRecord(token, hbarUsd));
  const shown = service.choices.extraFields ? records.map(withExtraFields) : records;
  return JSON.stringify(bend(service.distortions(), 'tokens', shown, circumstance));
}

function withExtraFields(record: JsonObject): JsonObject {
  return { ...record, name: `Token ${record.id}`, createdAt: null };
}
