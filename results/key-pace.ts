/** Under what name a store keeps how many requests a day the plans of all holders of a key take. */
export function keyPaceName(key: string): string {
  return `pace ${key}`;
}
