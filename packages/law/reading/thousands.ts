/** Formats a count as `1,419`. Loading a locale's tables would take longer than judging an answer. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
