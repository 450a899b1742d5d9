/** The meanings of columns that files and answers have. `date` and the time of day can be separate columns. */
export const namedRoles = [
  ...(['time', 'date', 'end', 'open', 'high', 'low', 'close', 'average', 'volume'] as const),
  ...(['quote-volume', 'trades', 'closed'] as const),
] as const;
export type NamedRole = (typeof namedRoles)[number];

const units = '(s|sec|secs|seconds|ms|millis|milliseconds|us|ns|nanos|utc|gmt|iso|text)?';

/** Builds the pattern of a price: alone, beside a word for price, or after the side that it is of. */
function price(...words: string[]): RegExp {
  const any = words.join('|');
  return new RegExp(
    `^(mid|bid|ask|trade|px|candle|bar|price)?(price)?(${any})(ing)?(price|prc|px|bid|ask|mid|usd|eur|usdt)?$`,
  );
}

/** Usual names, best first, in lower case and reduced to letters and digits, without a number before them. */
const names: Readonly<Record<NamedRole, readonly RegExp[]>> = {
  time: [
    // Columns of the parts of a time are joined under such a name.
    /^yearmonthdayhours?(min(ute)?s?)?(sec(ond)?s?)?$/,
    // If a table has both ends of an interval, the start is the time.
    new RegExp(
      `^(candledatetime|(time)?period(start|begin)(time)?|windowstart|bucketstart|barstart|candlestart)${units}$`,
    ),
    new RegExp(`^(start|begin|started|began)(ing)?(time(stamp)?|date(time)?|at)${units}$`),
    new RegExp(`^(open(ing)?(time(stamp)?|at)|timeopen)${units}$`),
    new RegExp(`^(unix|epoch)(time(stamp)?)?${units}$`),
    new RegExp(
      `^(date|gmt|local|utc|exchange|bar|begin|period|candle|kline|quote|trade|snapshot|bucket|interval)?time(stamp)?${units}$`,
    ),
    /^(ts|t|start|begin|datetimeutc|startsat|starts|from|bucket|timeutc|ticks|stime|tm|tid|fechahora|zeit|heure|hora)$/,
    /^(clock|datetime.*|.*timestamp|timestamp.*)$/,
  ],
  date: [
    /^(date|day|dt|yearmonthday)(utc|gmt)?$/,
    /^(trade|trading|price|quote|session|business|bar|start)(date|day)$/,
    /^(fecha|datum|data|jour|dia|tag|asofdate|localdate)$/,
  ],
  end: [
    new RegExp(`^(close|end|ends|closing|ended|finish)(time(stamp)?|date(time)?|at)${units}$`),
    /^(timeclose|end|timeperiodend|periodend)$/,
  ],
  open: [
    price('open', 'opn'),
    price('first', 'start'),
    /^(o|op|pxopen|erster|eroffnung|eroffnungskurs|apertura|ouverture|ouv|abertura|entry)$/,
  ],
  high: [
    price('high', 'hi', 'highest', 'max', 'maximum'),
    /^(h|pxhigh|hoch|hochst|tageshoch|maximo|haut|plushaut|maxima)$/,
  ],
  low: [
    price('low', 'lo', 'lowest', 'min', 'minimum'),
    /^(l|pxlow|tief|tiefst|tagestief|minimo|bas|plusbas|minima)$/,
  ],
  close: [
    price('close', 'cls', 'closed'),
    /^(c|cl|pxlast|schluss|schlusskurs|cierre|cloture|clot|fechamento|dernier)$/,
    price('last', 'latest', 'settle', 'settlement', 'final'),
    /^(closelast|lastclose|close(px)?last|ultimo|zuletzt|letzter|kurs)$/,
    /^(price|tradeprice|value|px|lasttradeprice|trdprc1)$/,
  ],
  average: [
    /^(avg|average|mean)(price)?$/,
    /^(vw|vwap|wap|vwavg|weighted(average|avg)(price)?|volumeweighted(average|avg)(price)?|vwapprice)$/,
  ],
  volume: [
    /^(v|vol|volume)$/,
    /^(volume(from|base|traded|btc|token|units|shares)|base(asset|token|currency)?vol(ume)?|vol(ume)?base|candleacctradevolume|pxvolume)$/,
    /^(base|tick|trade|real|total|share|traded)?vol(?!at|ume(to|quote|usd|eur)|quote|usd)/,
    /^(q|qty|quantity|stue?cke|umsatz|amount)$/,
  ],
  'quote-volume': [
    /^(quote|quoteasset|quotetoken|usd|usdt|notional)_?vol(ume)?(usd)?$/,
    /^vol(ume)?(to|quote|usd|usdt|ccyquote|eur|inquote)$/,
    /^(turnover|value|quoteqty|quoteamount|candleacctradeprice|amountquote|homenotional|foreignnotional)$/,
  ],
  trades: [
    /^(n|trades?|txs?|txn)(count|num|number)?$/,
    /^(numberof|num|count(of)?|txs|trade|total)?(trades|count|transactions|ticks)(count)?$/,
    /^(txscount|tradescount|tradecount|transactioncount|executions|barcount)$/,
  ],
  closed: [/^(is)?(closed|complete|completed|confirm|confirmed|final|finished)$/],
};

/** Names in other scripts, as Chinese, Japanese, Korean and Russian exports have them, by the English one. */
const otherScripts: Readonly<Record<string, string>> = {
  date: '日期 交易日期 日付 날짜 일자 дата',
  datetime: '时间 時間 交易时间 日時 日付時刻 시간 время',
  open: '开盘 开盘价 今开 開盤 開盤價 始値 시가 откр открытие',
  high: '最高 最高价 最高價 高値 고가 макс максимум',
  low: '最低 最低价 最低價 安値 저가 мин минимум',
  close: '收盘 收盘价 收盤 收盤價 終値 종가 закрытие цена',
  volume: '成交量 交易量 成交股數 出来高 거래량 объём объем',
  turnover: '成交额 成交金额 成交額 成交金額 売買代金 거래대금',
};

const englishNames = new Map(
  Object.entries(otherScripts).flatMap(([english, list]) => list.split(' ').map((name) => [name, english])),
);

/** Reduces a name to what names are compared by: letters without accents and digits, without a number before them. */
export function bareName(name: string): string {
  const english = englishNames.get(name.normalize('NFC').trim().toLowerCase().replace(/\.$/, ''));
  return (english ?? name)
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^\d+(?=[a-z])/, '');
}

/** Lists the positions that a role's names have, best name first. */
export function findNamed(bare: readonly string[], role: NamedRole): number[] {
  const found = names[role].flatMap((pattern) =>
    bare.flatMap((name, at) => (pattern.test(name) ? [at] : [])),
  );
  return [...new Set(found)];
}

/** Names of columns with the symbol of each row. */
export const symbolName =
  /^(symbol|ticker|pair|instrument|<ticker>|ts_?code|instid|market|product_?id|name|code|coin|asset|secid|isin|security|contract)$/i;
