/** Members of a number in whole units and billionths, as APIs from Protocol Buffers write money and quotations. */
const [units, nano, currency] = [['units'], ['nano', 'nanos'], ['currency', 'currencyCode', 'currency_code']];

/** Returns whether an object is a number such as `{"units": "123", "nano": 450000000}`; one that is 0 may be left out. */
export function isUnitsAndNano(value: object): boolean {
  const names = Object.keys(value);
  const isPart = (name: string): boolean => [...units, ...nano].includes(name);
  return names.some(isPart) && names.every((name) => isPart(name) || currency.includes(name));
}

/** Writes such a number as decimal text, `123.45`; as JSON if its parts are no whole numbers of one sign. */
export function writeUnitsAndNano(value: object): string {
  const read = (names: readonly string[]): string => {
    const found = Object.entries(value).find(([name]) => names.includes(name));
    return String(found?.[1] ?? 0);
  };
  const [, minus, whole] = /^(-?)(\d{1,18})$/.exec(read(units)) ?? [];
  const [, below, billionths] = /^(-?)(\d{1,9})$/.exec(read(nano)) ?? [];
  if (whole === undefined || billionths === undefined) return JSON.stringify(value);
  if (minus !== below && Number(whole) !== 0 && Number(billionths) !== 0) return JSON.stringify(value);
  const decimals = billionths.padStart(9, '0').replace(/0+$/, '');
  return `${minus || below}${whole}${decimals && `.${decimals}`}`;
}
