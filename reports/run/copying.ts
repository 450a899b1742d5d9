import { createHash } from 'node:crypto';
import { type Markup, markup } from '../words/markup.ts';

/**
 * Shows the buttons that copy a text of the page, and adds one after each text that a reader copies. The page is
 * complete without it; it is the same in every page, so that a policy can name its hash.
 */
export const copyScript = `if(navigator.clipboard){const copy=(button,text)=>{button.hidden=false;const words=button.textContent;button.onclick=()=>navigator.clipboard.writeText(text.textContent).then(()=>{button.textContent='Copied';setTimeout(()=>{button.textContent=words},1500)})};for(const button of document.querySelectorAll('[data-copy]'))copy(button,document.getElementById(button.dataset.copy));for(const text of document.querySelectorAll('.bug-report pre,code.command,.replay code')){const button=document.createElement('button');button.type='button';button.textContent='Copy';text.after(' ',button);copy(button,text)}}`;

/** The policy's source for it. */
export const copyHash = `'sha256-${createHash('sha256').update(copyScript).digest('base64')}'`;

/** Renders a button that copies the text of an element, for readers whose browser runs the script. */
export function copyButton(id: string, words: string): Markup {
  return markup`<button type="button" data-copy="${id}" hidden>${words}</button>`;
}
