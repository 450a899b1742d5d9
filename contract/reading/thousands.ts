/** A count for people: `1,419`. By hand: the tables of a locale take longer to load than a check to judge an answer. */
export function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
