import { clip, codeOf, visible } from '../../words/escape.ts';

/** GitHub refuses longer descriptions; longer messages help nobody. */
const longestText = 1000;

export type SarifMessage = { readonly text: string };

/**
 * Text as a SARIF message: braces doubled, so that none is a placeholder, and no `](` that would make a link
 * (SARIF 2.1.0 §3.11.5 and §3.11.6).
 */
export function message(text: string): SarifMessage {
  const inert = clip(visible(text), longestText)
    .replace(/[{}]/g, (brace) => brace + brace)
    .replace(/\]\(/g, `]${codeOf('(')}`);
  return { text: inert };
}
