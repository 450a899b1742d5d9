import type { Exchange } from '@candleproof/law/reading/exchange';

type Row = Record<string, unknown> & { readonly startTimestampSeconds: number };

/** Answers to requests for this pool and interval, their rows changed or taken out. */
export function bentRows(
  { pool, interval }: { readonly pool: number; readonly interval: string },
  bend: (row: Row) => Row | undefined,
): (exchange: Exchange) => Exchange {
  return (exchange) => {
    const url = new URL(exchange.request.url);
    const isMeant = url.pathname.endsWith(`/${pool}`) && url.searchParams.get('interval') === interval;
    return isMeant ? rewriteRows(exchange, bend) : exchange;
  };
}

function rewriteRows(exchange: Exchange, bend: (row: Row) => Row | undefined): Exchange {
  const { response } = exchange;
  if (response?.status !== 200) return exchange;
  const rows: Row[] = JSON.parse(response.body?.text ?? '[]');
  const text = JSON.stringify(rows.flatMap((row) => bend(row) ?? []));
  return { ...exchange, response: { ...response, body: { text, encoding: 'utf8' } } };
}

/** The same answers, but for ranges that are too long: those are refused. */
export function refuseAbove(seconds: number): (exchange: Exchange) => Exchange {
  return (exchange) => {
    const { searchParams } = new URL(exchange.request.url);
    const length = Number(searchParams.get('to')) - Number(searchParams.get('from'));
    if (length <= seconds || !exchange.response) return exchange;
    const body = { text: '{"message":"range too long"}', encoding: 'utf8' as const };
    return { ...exchange, response: { ...exchange.response, status: 400, body } };
  };
}
