/** Packages with an advisory against them, by what `npm audit --json` prints; undefined where it could not ask. */
export function adviceAgainst(printed: string): string[] | undefined {
  const report = parsed(printed);
  if (typeof report !== 'object' || report === null || !('vulnerabilities' in report)) return undefined;
  return Object.entries(report.vulnerabilities as Record<string, { severity: string }>).map(
    ([name, { severity }]) => `${name} (${severity})`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
