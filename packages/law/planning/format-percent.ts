/** Returns `99.53 %`, truncated, so that only the whole is 100 %. */
export function formatPercent(share: number): string {
  const decimals = share > 0.999 && share < 1 ? 3 : 2;
  const cut = Math.floor(share * 100 * 10 ** decimals + 1e-6) / 10 ** decimals;
  return `${cut} %`;
}
