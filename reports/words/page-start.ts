import { Markup, markup } from './markup.ts';

/** How every page begins: the policy stands before anything that it governs. `refresh`: seconds to its next load. */
export function pageStart(policy: readonly string[], title: string, refresh?: number): Markup {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy.join('; '))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">${
    refresh !== undefined &&
    markup`
<meta http-equiv="refresh" content="${refresh}">`
  }
<title>${title}</title>`;
}
