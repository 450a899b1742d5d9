/** Returns packages with an advisory from the output of `npm audit --json`; undefined if npm got no answer. */
export function adviceAgainst(printed: string): string[] | undefined {
  const report = parseJson(printed);
  if (typeof report !== 'object' || report === null || !('vulnerabilities' in report)) return undefined;
  return Object.entries(report.vulnerabilities as Record<string, { severity: string }>).map(
    ([name, { severity }]) => `${name} (${severity})`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
