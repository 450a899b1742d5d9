import { test } from '@playwright/test';
import { logo } from './run/page.ts';
import { styles } from './run/styles.ts';
import { hasBrowser } from './testing/browser.ts';
import { expectPicture } from './testing/pictures.ts';
import { Markup, markup } from './words/markup.ts';

test.skip(!hasBrowser(), 'no Chromium here: npx playwright install chromium brings one');

test('the picture of a link to a site has its logo and says what it is', () =>
  expectPicture('packages/site/cover.png', coverPage(), 1200, 630));

/** Draws the card that a chat shows for a link to a site. */
function coverPage(): string {
  return markup`<!doctype html><style>${new Markup(styles)}
body { display: grid; place-content: center; gap: 1.5rem; height: 100vh; margin: 0; max-width: none; padding: 0 6rem; } p { margin: 0; } .name { display: flex; align-items: center; gap: 1.5rem; font-size: 5.5rem; font-weight: 700; } .name svg { width: 6rem; height: 6rem; } .what { font-size: 2.5rem; color: var(--soft); max-width: 56rem; }
</style><body><p class="name">${logo}Candleproof</p><p class="what">Market data, tested against the document of its API: tokens, candles, history, keys and limits.</p></body>`
    .source;
}
