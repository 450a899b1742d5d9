import { day } from '@candleproof/document/spec/interval';

/**
 * Days on which trades far from all others were made in many markets, so that sound tables have their highs and lows: crashes of
 * shares in New York (1962, 1987, 2010, 2015) and Bombay (2012), of bonds (2014), of the franc (2015), the pound (2016), the yen
 * (2019), and of coins (2025). A fund at 540 between closes of 1221 and 1178 on 6 May 2010 was traded.
 */
const days = [
  ...['1962-05-28', '1962-05-29', '1987-10-19', '1987-10-20', '2010-05-06', '2012-10-05', '2014-10-15'],
  ...['2015-01-15', '2015-08-24', '2016-06-24', '2016-10-06', '2016-10-07', '2019-01-02', '2019-01-03'],
  ...['2025-10-10', '2025-10-11'],
].map((text) => Date.parse(text) / 1000);

/** Returns whether an interval of at most a day lies on such a day; longer ones hold many other days. */
export function isOfDisorder(start: number, length: number): boolean {
  return length <= day && days.some((begin) => start < begin + day && start + length > begin);
}
